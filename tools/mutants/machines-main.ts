import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  compressionMachine,
  frameMachine,
  recoveryMachine,
  sessionMachine,
} from '../../machines/index.ts';
import { randomOf } from '../random.ts';
import { shuffled, sourcesIn } from './mutant.ts';
import { scoreOf } from './score.ts';
import { goIntoCopy, isTest, say, survivorsIn } from './stage.ts';
import type { Tried } from './tests.ts';
import { arrowOf, changesOf, lineOf, type Change } from './transition.ts';
import { tries } from './tries.ts';

const help = `Changes arrows of the machines, one at a time, and says which changes the engine does not show.

  npm run mutants:machines -- [options]

  --machines frame,session,compression,recovery
  --count 20                                     how many changes of each machine
  --seed 1                                       which; each arrow is as likely as any other
  --tests test/engine,test/promise               folders or files of tests; those that name a machine themselves are left out
  --patience 60                                  seconds of tests for one
  --json <file>                                  writes what was tried, and what came of it
  --again <file>                                 tries those once more that survived in such a file
`;

const { values } = parseArgs({
  options: {
    machines: { type: 'string', default: 'frame,session,compression,recovery' },
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', default: 'test/engine,test/promise' },
    patience: { type: 'string', default: '60' },
    json: { type: 'string' },
    again: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const machines = [frameMachine, sessionMachine, compressionMachine, recoveryMachine];
/** Where the engine asks each: the tests of that come first. */
const askedIn: Readonly<Record<string, string>> = {
  frame: 'src/engine/decide/frames.ts',
  session: 'src/engine/decide/commands.ts',
  compression: 'src/engine/compression/compress.ts',
  recovery: 'src/engine/decide/recovery.ts',
};
const asked = values.machines.split(',');
const tried: (Change & Tried)[] = [];

if (values.help) say(help);
else {
  const { again } = values;
  const drawn = again === undefined ? machines.filter(({ id }) => asked.includes(id)) : [];
  const chosen =
    again === undefined ? drawn.flatMap(draw) : (survivorsIn(again) as readonly (Change & Tried)[]);
  const folder = goIntoCopy(report);
  writeFileSync(join(folder, 'changes.json'), JSON.stringify(chosen));
  writeFileSync(
    join(folder, 'sources.json'),
    JSON.stringify(Object.fromEntries(asked.map(source))),
  );
  const named = chosen.map((change, id) => {
    return { ...change, id, file: askedIn[change.machine]!, line: lineOf(change) };
  });
  const files = values.tests.split(',').flatMap(sourcesIn).filter(isTest).filter(isBlind);
  for await (const one of tries(named, { folder, files, patience: Number(values.patience) }))
    tried.push(one);
  report();
}

function draw(machine: (typeof machines)[number]): readonly Change[] {
  const changes = changesOf(machine);
  const order = shuffled(changes, arrowOf, randomOf(Number(values.seed)));
  say(`${machine.id}: ${changes.length} changes of ${order.length} arrows`);
  return order.slice(0, Number(values.count));
}

/** A machine's source, whose configuration is changed when it is loaded. */
function source(machine: string): [string, string] {
  const file = fileOf(machine);
  const made = /\.createMachine\((\{.*?\n\})\);\n/s;
  const text = readFileSync(file, 'utf8').replace(made, '.createMachine(changed($1));\n');
  return [file, `import { changed } from '../tools/mutants/changed.ts';\n${text}`];
}

function fileOf(machine: string): string {
  return `machines/${machine}.ts`;
}

/** Whether tests see the engine only. */
function isBlind(file: string): boolean {
  return !/\/machines\//.test(readFileSync(file, 'utf8'));
}

function report(): void {
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(tried, null, 1));
  for (const machine of asked) {
    const those = tried.filter((one) => one.machine === machine);
    for (const one of those) say(`  ${lineOf(one)}: ${one.by ?? one.outcome}`);
    if (those.length > 0) say(`${machine}: ${scoreOf(those.map(({ outcome }) => outcome)).line}`);
  }
}
