import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, test, vi } from 'vitest';

// What each file of a run does: one test file, with one mutant or none, over sources that are loaded anew.

/** A test file to run. */
export interface Trial {
  readonly test: string;
  /** The id of a mutant; null for none. */
  readonly mutant: string | null;
  /** How often the mutant may be met before it has no end. */
  readonly limit: number;
}

/** What Stryker's instrumenter asks and notes, and the mutants that were found. */
export interface Space {
  activeMutant?: string;
  hitCount?: number;
  hitLimit?: number;
  currentTestId?: string;
  mutantCoverage?: { perTest: Record<string, Record<string, number>>; static: object };
  found?: Set<string>;
}

/** The one that this process has. */
export const space = ((globalThis as { __stryker__?: Space }).__stryker__ ??= {});

/** Runs the tests of a file until one fails; none where another file found the mutant. */
export async function run(trial: Trial): Promise<void> {
  const found = (space.found ??= new Set());
  const id = trial.mutant ?? trial.test;
  if (found.has(id)) {
    test.skip('the mutant was found', () => {});
    return;
  }
  vi.resetModules();
  space.currentTestId = trial.test;
  space.activeMutant = trial.mutant ?? '';
  space.hitCount = 0;
  space.hitLimit = trial.limit;
  describe(trial.test, () => import(join(process.cwd(), trial.test)) as Promise<void>);
  if (trial.mutant === null) afterAll(keepReached);
  else {
    beforeEach(({ skip }) => skip(found.has(id)));
    afterEach(({ task }) => {
      if (task.result?.state === 'fail') found.add(id);
    });
  }
}

function keepReached(): void {
  const { perTest = {} } = space.mutantCoverage ?? {};
  writeFileSync(join(process.env['MUTANTS']!, 'reached.json'), JSON.stringify(perTest));
}
