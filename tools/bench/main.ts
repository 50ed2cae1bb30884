import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Bench, Extent } from './bench.ts';
import { append } from './cases/append.ts';
import { counter } from './cases/counter.ts';
import { floor } from './cases/floor.ts';
import { frames } from './cases/frames.ts';
import { growth } from './cases/growth.ts';
import { prefix } from './cases/prefix.ts';
import { search } from './cases/search.ts';
import { sessions } from './cases/sessions.ts';
import { windowsBench } from './cases/windows.ts';
import { describeMachine, loadNow, machineLine } from './machine.ts';
import { profile, profiles } from './profile.ts';
import { haveRivals } from './rivals.ts';
import { toMeasured, toTable, type Measured } from './table.ts';

const benches: readonly Bench[] = [
  floor,
  counter,
  append,
  windowsBench,
  growth,
  frames,
  sessions,
  search,
  prefix,
];

const usage = `npm run bench -- [--quick] [--only <name>]… [--json] [<session file>…]
npm run bench -- --profile <work>

--quick    under three minutes, smaller; else about fifteen
--only     ${benches.map(({ name }) => name).join(', ')}
--json     every sample of every row
--profile  where the time goes, by module: ${profiles.join(', ')}
`;

/** What was typed; refuses what there is not, by name. */
function typed(given: string[]) {
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      profile: { type: 'string' },
    },
  });
  const names = benches.map(({ name }) => name);
  const part = values.only.find((name) => !names.includes(name));
  if (part !== undefined) throw new TypeError(`There is no part "${part}"`);
  if (values.profile !== undefined && !profiles.includes(values.profile))
    throw new TypeError(`There is no profile "${values.profile}"`);
  const missing = positionals.find((file) => !existsSync(file));
  if (missing !== undefined) throw new TypeError(`There is no file "${missing}"`);
  return { values, positionals };
}

async function main(given: string[]): Promise<void> {
  let known: ReturnType<typeof typed>;
  try {
    known = typed(given);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  const { values, positionals } = known;
  const { quick, json, help, only } = values;
  if (help) {
    process.stdout.write(usage);
    return;
  }
  if (values.profile !== undefined) {
    process.stdout.write(`${await profile(values.profile)}\n`);
    return;
  }
  const chosen = benches.filter(({ name }) => only.length === 0 || only.includes(name));
  await measure(chosen, { quick, json, files: positionals });
}

async function measure(
  chosen: readonly Bench[],
  { json, ...extent }: Extent & { json: boolean },
): Promise<void> {
  const load = loadNow();
  const parts: { title: string; rows: readonly Measured[] }[] = [];
  for (const bench of chosen) {
    const start = performance.now();
    process.stderr.write(`${bench.name} … `);
    const rows = await bench.run(extent);
    process.stderr.write(`${((performance.now() - start) / 1_000).toFixed(0)} s\n`);
    parts.push({ title: bench.title, rows: rows.map((row) => toMeasured(bench.name, row)) });
  }
  const machine = describeMachine(load);
  const rows = parts.flatMap((part) => part.rows);
  if (json) {
    process.stdout.write(`${JSON.stringify({ machine, rows }, null, 1)}\n`);
    return;
  }
  process.stdout.write(`${toTable(parts)}\n\n${machineLine(machine)}\n`);
  process.stdout.write(`${verdict(rows)}\n`);
  if (!haveRivals())
    process.stdout.write(
      'gpt-tokenizer and ai-tokenizer are left out: `npm run bench:rivals` installs them.\n',
    );
}

function verdict(rows: readonly Measured[]): string {
  const judged = rows.filter(({ met }) => met !== null);
  const missed = judged.filter(({ met }) => met === false);
  const names = missed.map(({ bench, work }) => `\n- ${bench}: ${work}`).join('');
  return `${judged.length - missed.length} of ${judged.length} goals met${missed.length > 0 ? `; missed:${names}` : ''}`;
}

await main(process.argv.slice(2));
