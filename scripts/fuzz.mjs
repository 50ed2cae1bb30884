import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

// Runs the properties of test/promise, and others that `npm test` draws seldom, in rounds, each with a seed of its own, until one fails.
//
//   npm run fuzz                      fresh seeds, as many rounds as seven minutes have room for
//   npm run fuzz -- --minutes 60      as an hour has
//   npm run fuzz -- --seeds 7,8       a round with each of these, however long it takes
//   npm run fuzz -- --seeds 7 --path 3:0:1 test/promise/undo.test.ts -t 'undo after'
//
// The last repeats one find, by the seed and the path that are printed with it. Words choose tests as for vitest.

process.chdir(join(import.meta.dirname, '..'));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '7' },
    seeds: { type: 'string' },
    path: { type: 'string', default: '' },
    test: { type: 'string', short: 't', default: '' },
  },
});
const tests = positionals.length > 0 ? positionals : propertiesIn('test');
const failed = values.seeds === undefined ? freshSeeds() : values.seeds.split(',').find(fails);
if (failed !== undefined) {
  console.log(`Failed with seed ${failed}. Again: npm run fuzz -- --seeds ${failed}`);
  process.exitCode = 1;
}

/** The test files of a folder that hold the properties of test/promise, or others that `npm test` draws seldom. */
function propertiesIn(folder) {
  const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
  const mark = (file) => (file.startsWith(join(folder, 'promise')) ? 'fc.assert(' : 'draws(');
  const holds = (file) => readFileSync(file, 'utf8').includes(mark(file));
  return files.filter((file) => file.endsWith('.test.ts') && holds(file));
}

/** Draws seeds as long as another round is in time; gives the one that failed. */
function freshSeeds() {
  const start = Date.now();
  const end = start + Number(values.minutes) * 60_000;
  for (let round = 1; ; round += 1) {
    const seed = randomInt(2 ** 31);
    if (fails(seed)) return seed;
    const now = Date.now();
    if (now + (now - start) / round > end) return undefined;
  }
}

/** Whether a property fails in the round with a seed. */
function fails(seed) {
  console.log(`== seed ${seed}`);
  const words = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=dot',
    '-t',
    values.test,
    ...tests,
  ];
  const env = { ...process.env, FUZZ_SEED: String(seed), FUZZ_PATH: values.path, DRAWS: '1' };
  return spawnSync(process.execPath, words, { stdio: 'inherit', env }).status !== 0;
}
