import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Mutant } from './mutant.ts';

/** What tests say of a mutant; `survived` is what none of them found. */
export type Outcome = 'killed' | 'timed out' | 'survived' | 'not reached';

/** A mutant with what came of it, and the test file that found it. */
export interface Tried extends Mutant {
  readonly outcome: Outcome;
  readonly by: string | null;
}

/** Seconds that test files take. */
type Seconds = ReadonlyMap<string, number>;

interface Result {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

/** Test files that pass without a mutant, with their seconds; and whether one reaches the mutant of an id. */
export async function dryRun(
  folder: string,
  files: readonly string[],
): Promise<{ tests: Seconds; reach: (test: string, id: number) => boolean }> {
  const result = await run(files, { folder, silence: 600 });
  const passed = result!.testResults.filter(({ status }) => status === 'passed');
  const { perTest, static: atLoad } = JSON.parse(
    readFileSync(join(folder, 'reached.json'), 'utf8'),
  ) as { perTest: Record<string, Record<string, number>>; static: Record<string, number> };
  const reached = new Map(Object.entries(perTest).map(([path, ids]) => [relative('.', path), ids]));
  return {
    tests: new Map(
      passed.map((test) => [relative('.', test.name), (test.endTime - test.startTime) / 1000]),
    ),
    reach: (test, id) => id in atLoad || id in (reached.get(test) ?? {}),
  };
}

/** What test files say of the mutant of an id; the first that fails ends it. */
export async function outcomeOf(
  id: number,
  tests: readonly string[],
  { folder, seconds }: { readonly folder: string; readonly seconds: Seconds },
): Promise<{ outcome: Outcome; by: string | null }> {
  if (tests.length === 0) return { outcome: 'not reached', by: null };
  const longest = Math.max(...tests.map((test) => seconds.get(test)!));
  const result = await run(tests, { folder, mutant: id, silence: 60 + 3 * longest });
  if (result === null) return { outcome: 'timed out', by: null };
  const failed = result.testResults.find(({ status }) => status === 'failed');
  return failed === undefined
    ? { outcome: 'survived', by: null }
    : { outcome: 'killed', by: relative('.', failed.name) };
}

/** Test files by how near they are to a source, then by how many mutants they found a second; as many as patience has room for. */
export function inOrder(
  source: string,
  tests: readonly string[],
  given: {
    readonly seconds: Seconds;
    readonly found: ReadonlyMap<string, number>;
    readonly patience: number;
  },
): readonly string[] {
  const twin = `test/${source.replace(/^src\//, '').replace(/\.ts$/, '')}`.split(/[/.]/);
  const near = (test: string): number => {
    const words = test.split(/[/.]/);
    const apart = twin.findIndex((word, at) => word !== words[at]);
    return apart === -1 ? twin.length : apart;
  };
  const worth = (test: string): number =>
    (1 + (given.found.get(test) ?? 0)) / (0.1 + given.seconds.get(test)!);
  let left = given.patience;
  return tests
    .toSorted((a, b) => near(b) - near(a) || worth(b) - worth(a))
    .filter((test, at) => (left -= given.seconds.get(test)!) > 0 || at === 0);
}

/** Runs test files in their order, with the mutant of an id or none; null where they say nothing for so many seconds. */
async function run(
  tests: readonly string[],
  given: { readonly folder: string; readonly mutant?: number; readonly silence: number },
): Promise<Result | null> {
  const { folder, mutant, silence } = given;
  const written = join(folder, 'result.json');
  writeFileSync(join(folder, 'tests.json'), JSON.stringify(tests));
  rmSync(written, { force: true });
  const words = ['run', '--config=tools/mutants/vitest.config.ts', '--root=.'];
  const env: NodeJS.ProcessEnv = { ...process.env, CI: '1', FUZZ_SEED: '1', MUTANTS: folder };
  if (mutant !== undefined) {
    words.push('--bail=1');
    env['__STRYKER_ACTIVE_MUTANT__'] = String(mutant);
  }
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...words], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const stop = (): boolean => child.kill('SIGKILL');
  let isSilent = false;
  const timer = setTimeout(() => (isSilent = stop()), silence * 1000);
  child.stdout.on('data', () => timer.refresh());
  process.prependOnceListener('exit', stop);
  await once(child, 'close');
  process.off('exit', stop);
  clearTimeout(timer);
  return isSilent ? null : (JSON.parse(readFileSync(written, 'utf8')) as Result);
}
