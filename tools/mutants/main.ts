import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { randomOf } from '../random.ts';
import { compiling } from './compiles.ts';
import { instrument, lineOf, nameOf, placeOf, shuffled, sourcesIn, type Mutant } from './mutant.ts';
import { scoreOf } from './score.ts';
import { goIntoCopy, isTest, say, survivorsIn } from './stage.ts';
import { tries } from './tries.ts';
import type { Tried } from './tests.ts';

const help = `Plants small faults in the sources, one at a time, and says which of them no test finds.

  npm run mutants -- [options]

  --files src/core,machines   folders or files; of each so many are tried, and it gets a score of its own
  --count 200                 how many
  --seed 1                    which; each place is as likely as any other
  --tests test/core,…         folders or files of tests that may find them
  --patience 30               seconds of tests for one, the nearest first, and then those that found most
  --least 85                  the share in per cent that must be found, or it fails
  --json <file>               writes what was tried, and what came of it
  --again <file>              tries those once more that survived in such a file

It works on a copy, which is removed at the end: files here may change meanwhile, and none is written.
`;

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: 'src/core,machines' },
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    tests: {
      type: 'string',
      default: 'test/core,test/machines,test/engine,test/import,test/promise/prompts.test.ts',
    },
    patience: { type: 'string', default: '30' },
    least: { type: 'string', default: '0' },
    json: { type: 'string' },
    again: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const [count, patience] = [Number(values.count), Number(values.patience)];
const areas = values.files.split(',');
const json = values.json === undefined ? undefined : resolve(values.json);
const tried: (Mutant & Tried)[] = [];

if (values.help) say(help);
else {
  const again =
    values.again === undefined
      ? undefined
      : (survivorsIn(values.again) as readonly (Mutant & Tried)[]);
  const folder = goIntoCopy(report);
  const chosen: Mutant[] = [...(again ?? [])];
  if (again === undefined) for (const area of areas) chosen.push(...(await draw(area)));
  await tryAll(chosen, folder);
  report();
}

/** As many mutants of a folder as are asked for, without those that the compiler finds. */
async function draw(area: string): Promise<readonly Mutant[]> {
  const { mutants } = await instrument(sourcesIn(area));
  const order = shuffled(mutants, placeOf, randomOf(Number(values.seed)));
  const good: Mutant[] = [];
  let drawn = 0;
  while (good.length < count && drawn < order.length) {
    const next = order.slice(drawn, drawn + count - good.length);
    drawn += next.length;
    good.push(...compiling(next));
  }
  say(`${area}: ${mutants.length} mutants at ${order.length} places; ${drawn} drawn`);
  say(`  ${drawn - good.length} of them do not compile and are left out`);
  return good;
}

/** Tries each mutant with the tests that reach it. */
async function tryAll(chosen: readonly Mutant[], folder: string): Promise<void> {
  const made = await instrument([...new Set(chosen.map(({ file }) => file))], chosen);
  writeFileSync(join(folder, 'sources.json'), JSON.stringify(made.sources));
  const ids = new Map(made.mutants.map((mutant, id) => [nameOf(mutant), id]));
  const named = chosen.map((one) => ({ ...one, id: ids.get(nameOf(one))!, line: lineOf(one) }));
  const files = values.tests.split(',').flatMap(sourcesIn).filter(isTest);
  for await (const one of tries(named, { folder, files, patience })) tried.push(one);
}

function report(): void {
  if (json !== undefined) writeFileSync(json, JSON.stringify(tried, null, 1));
  for (const area of areas) {
    const outcomes = tried
      .filter(({ file }) => file.startsWith(area))
      .map(({ outcome }) => outcome);
    if (outcomes.length === 0) continue;
    const { line, share } = scoreOf(outcomes);
    say(`${area}, seed ${values.seed}: ${line}`);
    if (share < Number(values.least) / 100) process.exitCode = 1;
  }
}
