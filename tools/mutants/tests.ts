import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trial } from './trial.ts';

/** What tests say of a mutant; `survived` is what none of them found. */
export type Outcome = 'killed' | 'timed out' | 'survived' | 'not reached';

/** What came of a mutant, and the test file that found it. */
export interface Tried {
  readonly outcome: Outcome;
  readonly by: string | null;
}

/** What test files are like without a mutant. */
export interface DryRun {
  /** Those that pass, with the seconds that they take. */
  readonly seconds: ReadonlyMap<string, number>;
  /** How often one meets the mutant of an id. */
  readonly hits: (test: string, id: number) => number;
}

/** A mutant's id, and the tests to try it with. */
export interface ToTry {
  readonly id: number;
  readonly tests: readonly string[];
}

interface Said {
  readonly trial: number;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly seconds: number;
  readonly isEndless: boolean;
  readonly why: string;
}

/** Runs test files without a mutant. */
export async function dryRun(folder: string, files: readonly string[]): Promise<DryRun> {
  const trials = files.map((test) => ({ test, mutant: null, limit: Infinity }));
  const said = await run(folder, trials, 600);
  const passed = said.filter(({ state }) => state === 'passed');
  const reached = JSON.parse(readFileSync(join(folder, 'reached.json'), 'utf8')) as Record<
    string,
    Record<string, number>
  >;
  return {
    seconds: new Map(passed.map(({ trial, seconds }) => [files[trial]!, seconds])),
    hits: (test, id) => reached[test]?.[id] ?? 0,
  };
}

/** What test files say of mutants, each until the first fails. */
export async function outcomesOf(
  folder: string,
  mutants: readonly ToTry[],
  { seconds, hits }: DryRun,
): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  while (tried.length < mutants.length) {
    const trials = mutants.slice(tried.length).flatMap(({ id, tests }) => {
      const limit = 1000 + 100 * tests.reduce((sum, test) => sum + hits(test, id), 0);
      return tests.map((test): Trial => ({ test, mutant: String(id), limit }));
    });
    const longest = Math.max(...trials.map(({ test }) => seconds.get(test)!));
    const said = trials.length === 0 ? [] : await run(folder, trials, 60 + 5 * longest);
    let from = 0;
    for (const { tests } of mutants.slice(tried.length)) {
      const those = said.filter(({ trial }) => trial >= from && trial < from + tests.length);
      from += tests.length;
      const failed = those.find(({ state }) => state === 'failed');
      const by = failed === undefined ? null : trials[failed.trial]!.test;
      const isSilent = failed === undefined && those.length < tests.length;
      const missed = tests.length === 0 ? 'not reached' : 'survived';
      const found = isSilent || failed?.isEndless === true ? 'timed out' : 'killed';
      tried.push({ outcome: by === null && !isSilent ? missed : found, by });
      if (isSilent) break;
    }
  }
  return tried;
}

/** Test files by how near they are to a source, then by how many mutants they found a second; as many as patience has room for. */
export function inOrder(
  source: string,
  tests: readonly string[],
  given: {
    readonly seconds: DryRun['seconds'];
    readonly found: ReadonlyMap<string, number>;
    readonly patience: number;
  },
): readonly string[] {
  const { seconds, found, patience } = given;
  const twin = `test/${source.replace(/^src\//, '').replace(/\.ts$/, '')}`.split(/[/.]/);
  const near = (test: string): number => {
    const words = test.split(/[/.]/);
    const apart = twin.findIndex((word, at) => word !== words[at]);
    return apart === -1 ? twin.length : apart;
  };
  const worth = (test: string): number => (1 + (found.get(test) ?? 0)) / (0.1 + seconds.get(test)!);
  let left = patience;
  return tests
    .toSorted((a, b) => near(b) - near(a) || worth(b) - worth(a))
    .filter((test, at) => (left -= seconds.get(test)!) > 0 || at === 0);
}

/** Runs trials in their order; ends where nothing is said for so many seconds. */
async function run(
  folder: string,
  trials: readonly Trial[],
  silence: number,
): Promise<readonly Said[]> {
  const written = join(folder, 'said.jsonl');
  rmSync(written, { force: true });
  rmSync('trials', { recursive: true, force: true });
  mkdirSync('trials');
  for (const [at, trial] of trials.entries())
    writeFileSync(
      `trials/${at}.test.ts`,
      `import { run } from '../tools/mutants/trial.ts';\nawait run(${JSON.stringify(trial)});\n`,
    );
  const words = ['run', '--config=tools/mutants/vitest.config.ts', '--root=.'];
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...words], {
    env: { ...process.env, CI: '1', FUZZ_SEED: '1', MUTANTS: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const stop = (): boolean => child.kill('SIGKILL');
  const timer = setTimeout(stop, silence * 1000);
  child.stdout.on('data', () => timer.refresh());
  process.prependOnceListener('exit', stop);
  await once(child, 'close');
  process.off('exit', stop);
  clearTimeout(timer);
  const said = existsSync(written) ? readFileSync(written, 'utf8') : '';
  return said
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Said);
}
