import { parseArgs } from 'node:util';
import { Stage, type Attack } from './stage.ts';
import { chatAttacks } from './chat-attacks.ts';
import { repositoryAttacks } from './repository-attacks.ts';
import { storeAttacks } from './store-attacks.ts';
import { textAttacks } from './text-attacks.ts';

// Does to the built package what disks, programs, servers and people did that harmed it once, and
// says what comes of it. Ends with 1 where anything does harm.
//
//   npm run attack [word of what is done]      a table
//   npm run attack -- --json                   the same as JSON

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});
const wanted = positionals.join(' ');
const attacks = [...storeAttacks, ...textAttacks, ...repositoryAttacks, ...chatAttacks].filter(
  ({ done }) => done.includes(wanted),
);

interface Row {
  readonly done: string;
  readonly trials: number;
  readonly harm: readonly string[];
  readonly instead: readonly string[];
}

async function tried({ done, trials, run }: Attack): Promise<Row> {
  const [harm, instead] = [new Set<string>(), new Set<string>()];
  for (let trial = 0; trial < trials; trial += 1) {
    await using stage = await Stage.open();
    const outcome = await run(stage, trial);
    if ('harm' in outcome) harm.add(`trial ${trial}: ${outcome.harm}`);
    else instead.add(outcome.instead);
  }
  return { done, trials, harm: [...harm], instead: [...instead] };
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const rows: Row[] = [];
if (!values.json) say('| what is done | trials | harm | what happens |\n|---|---:|---|---|');
for (const attack of attacks) {
  const row = await tried(attack);
  rows.push(row);
  const { done, trials, harm, instead } = row;
  if (!values.json)
    say(
      `| ${done} | ${trials} | ${harm.length === 0 ? 'none' : harm.join('; ')} | ${instead.join('; ')} |`,
    );
}
await Stage.clean();
if (values.json) say(JSON.stringify({ schema: 'flamestack.attacks/1', rows }));
process.exitCode = rows.some(({ harm }) => harm.length > 0) ? 1 : 0;
