import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';

// Before each test file: its name beside the mutants it reaches, and a property that fails is not made smaller.

const folder = process.env['MUTANTS']!;
const space = ((globalThis as { __stryker__?: Record<string, unknown> }).__stryker__ ??= {});
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
beforeAll(() => {
  space['currentTestId'] = expect.getState().testPath;
});
afterAll(() => {
  space['currentTestId'] = undefined;
  if (process.env['__STRYKER_ACTIVE_MUTANT__'] === undefined)
    writeFileSync(join(folder, 'reached.json'), JSON.stringify(space['mutantCoverage']));
});
