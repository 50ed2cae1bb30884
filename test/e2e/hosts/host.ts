import { execFileSync, spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { openStore, type LogEntry } from '../../../src/index.ts';
import type { Provider } from '../provider.ts';

// A real agent as a person installs it: its own program, a home and a project of its own, this package beside it.

beforeAll(() => execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' }));

/** Where a program is: by a variable, else on the PATH; null for nowhere. */
export function programAt(variable: string, name: string): string | null {
  const { [variable]: told, PATH = '' } = process.env;
  const places = told === undefined ? PATH.split(delimiter).map((one) => join(one, name)) : [told];
  return places.find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What came of a run. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A home and a project, gone with the test. */
export interface Place {
  readonly home: string;
  readonly project: string;
  /** Runs this package's program in the project. */
  flamestack(...words: string[]): string;
  /** Starts the agent in the project. */
  start(...words: string[]): { readonly ran: Promise<Ran>; kill(): void };
  /** Runs the agent in the project until it is done. */
  run(...words: string[]): Promise<Ran>;
  /** All sessions of the store, by id. */
  logs(): Promise<Readonly<Record<string, readonly LogEntry[]>>>;
}

/** Makes a place for `program`, which sees these variables beside HOME and PATH, and nothing else of this machine's. */
export function newPlace(
  program: string,
  variables: (folders: Pick<Place, 'home' | 'project'>) => Readonly<Record<string, string>>,
): Place {
  const root = mkdtempSync(join(tmpdir(), 'flamestack-host-'));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  for (const folder of [home, project]) mkdirSync(folder);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, ...variables({ home, project }) };
  const start: Place['start'] = (...words) => {
    const child = spawn(program, words, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'close') as Promise<[number | null]>;
    const all = Promise.all([ended, text(child.stdout), text(child.stderr)]);
    const ran = all.then(([[code], out, err]): Ran => ({ code, out, err }));
    return { ran, kill: () => void child.kill('SIGKILL') };
  };
  return {
    home,
    project,
    start,
    run: (...words) => start(...words).ran,
    flamestack: (...words) =>
      execFileSync(process.execPath, [resolve('dist/main.js'), ...words], {
        cwd: project,
        env,
        encoding: 'utf8',
      }),
    async logs() {
      await using store = await openStore(join(project, '.flamestack'), { readOnly: true });
      const logs: Record<string, LogEntry[]> = {};
      for await (const { id } of store.sessions()) {
        const log: LogEntry[] = (logs[id] = []);
        for await (const entry of (await store.open(id)).log()) log.push(entry);
      }
      return logs;
    },
  };
}

/** The log of a place's one session, once `last` was said in it and answered. */
export async function logOf({ logs }: Place, last: string): Promise<readonly LogEntry[]> {
  let log: readonly LogEntry[] = [];
  const read = async (): Promise<string> => {
    [log = []] = Object.values(await logs());
    const at = log.findIndex((entry) => textOf(entry).includes(last));
    return log
      .slice(at)
      .map(({ role }) => role)
      .join(' ');
  };
  await expect.poll(read, { interval: 200 }).toMatch(/^user.* assistant$/);
  return log;
}

/** Kills an agent in the middle of an answer; gives the number of this. */
export async function killedAt(
  provider: Provider,
  start: () => ReturnType<Place['start']>,
): Promise<number> {
  provider.hang();
  const before = provider.taken.length;
  const { ran, kill } = start();
  await expect.poll(() => provider.taken.length, { timeout: 60_000 }).toBeGreaterThan(before);
  // Half of it is on its way.
  await sleep(500);
  kill();
  await ran;
  return before + 1;
}

/** What people said, in the order of the log. */
export const asked = (log: readonly LogEntry[]): readonly string[] =>
  log.flatMap((entry) =>
    entry.role === 'user' && entry.origin !== 'machine' ? [textOf(entry)] : [],
  );

/** The numbers of the answers of a scripted model, in the order of the log: it says them in its words or the ids of its calls. */
export const answered = (log: readonly LogEntry[]): readonly number[] =>
  log.flatMap((entry) => {
    if (entry.role !== 'assistant') return [];
    const said = `${textOf(entry)} ${entry.toolCalls?.[0]?.id ?? ''}`;
    return [Number(/(\d+)(?:\.|_0$)/.exec(said)?.[1])].filter((n) => n > 0);
  });

/** The calls of a log, each with how many results it has. */
export function resultsOf(log: readonly LogEntry[]): Readonly<Record<string, number>> {
  const results: Record<string, number> = {};
  for (const entry of log) {
    if (entry.role === 'assistant')
      for (const { id = '' } of entry.toolCalls ?? []) results[id] = 0;
    if (entry.role === 'tool')
      results[entry.toolCallId ?? ''] = (results[entry.toolCallId ?? ''] ?? 9) + 1;
  }
  return results;
}

const textOf = ({ content }: LogEntry): string =>
  typeof content === 'string' ? content : JSON.stringify(content);

/** Writes a picture of one pixel into the project; gives its path. */
export function picture({ project }: Place): string {
  const path = join(project, 'pixel.png');
  const bytes =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  writeFileSync(path, Buffer.from(bytes, 'base64'));
  return path;
}

/** The files of a folder with what is in them, but for the store. */
export function filesIn(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !file.parentPath.includes('.flamestack'))
    .map((file) => join(file.parentPath, file.name));
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(file, 'base64')]));
}
