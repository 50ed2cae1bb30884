import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One thing that somebody or something does to the package, and what it did. */
export interface Attack {
  /** What is done, in a few words. */
  readonly done: string;
  readonly trials: number;
  /** Does it once; says what harm came of it, or what happened instead. */
  readonly run: (stage: Stage, trial: number) => Promise<Outcome>;
}

/** What came of an attack. */
export type Outcome = { readonly harm: string } | { readonly instead: string };

/** How a command ended. */
export interface Ended {
  /** null where a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds. */
  readonly took: number;
}

/** The built program, as a person runs it. */
export const program = fileURLToPath(new URL('../../../../dist/main.js', import.meta.url));

/** Longest that a command may take before it counts as hanging, in milliseconds. */
const patience = 60_000;

/** A folder of its own for an attack, with what one does there. */
export class Stage implements AsyncDisposable {
  static readonly #stores = new Map<number, Promise<string>>();
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<Stage> {
    return new Stage(await mkdtemp(join(tmpdir(), 'flamestack-attack-')));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Runs a command of the built program to its end. */
  run(words: readonly string[], options: RunOptions = {}): Promise<Ended> {
    return runNode([program, ...words], { cwd: this.folder, ...options });
  }

  /** A closed store with two sessions of `pairs` requests and answers each, of which it has a copy of its own. */
  async store(pairs: number): Promise<string> {
    let made = Stage.#stores.get(pairs);
    if (made === undefined) Stage.#stores.set(pairs, (made = makeStore(pairs)));
    const path = this.path('store');
    await cp(await made, path, { recursive: true });
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Removes the stores that were copied from. */
  static async clean(): Promise<void> {
    for (const made of Stage.#stores.values()) await rm(await made, { recursive: true });
  }
}

interface RunOptions {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs Node with these words to its end. */
export async function runNode(words: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { input = '', cwd, env = {} } = options;
  const start = performance.now();
  const child = spawn(process.execPath, words, {
    cwd,
    env: { ...process.env, FLAMESTACK_STORE: undefined, NO_COLOR: '1', ...env },
    timeout: patience,
    killSignal: 'SIGKILL',
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (printed[name] += text));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (...ended) => resolve(ended));
  });
  return { code, signal, ...printed, took: performance.now() - start };
}

/** The words of the `n`th message of a session that an attack begins from. */
export const wordsOf = (session: string, n: number): string =>
  n % 2 === 0 ? `Request ${n} of ${session}: keep value-${n}.` : `Answer ${n} of ${session}.`;

/** The sessions of such a store. */
export const sessions = ['first', 'second'] as const;

async function makeStore(pairs: number): Promise<string> {
  await using stage = await Stage.open();
  for (const session of sessions) {
    const messages = Array.from({ length: 2 * pairs }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: wordsOf(session, n),
    }));
    await writeFile(stage.path(`${session}.json`), JSON.stringify({ messages }));
    const { code, stderr } = await stage.run(
      ['import', `${session}.json`, '--store', 'made', '--json'],
      {},
    );
    if (code !== 0) throw new Error(`The store to attack could not be made: ${stderr}`);
  }
  const path = await mkdtemp(join(tmpdir(), 'flamestack-attacked-'));
  await cp(stage.path('made'), path, { recursive: true });
  return path;
}

/** The words of an error that a command printed as JSON or as text; '' for none. */
export const errorOf = ({ stdout, stderr }: Ended): string =>
  /\b[A-Z]{3,}(?:_[A-Z]+)+\b/.exec(stdout)?.[0] ??
  /\b[A-Z]{3,}(?:_[A-Z]+)+\b/.exec(stderr)?.[0] ??
  '';
