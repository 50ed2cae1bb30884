import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pick, randomOf } from '../random.ts';
import { harm } from './harm.ts';
import { judge } from './judge.ts';
import { newOpener, type Opener } from './opener.ts';
import { makeOriginals, makeOther, type Original } from './original.ts';
import { holdings, type Held } from './sound-bytes.ts';
import { table, type Trial } from './table.ts';

// Stores that are damaged in every way that a seed leads to, opened and salvaged in child processes: no
// value may be wrong, nothing may be lost in silence, no process may end, and what is sound comes back.
//
//   npm run damage -- --stores 300 --seed 1

const { values } = parseArgs({
  options: {
    stores: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const [stores, seed] = [Number(values.stores), Number(values.seed)];
const folder = await mkdtemp(join(tmpdir(), 'flamestack-damage-'));
const openers = [newOpener(), newOpener()];
try {
  const originals = await makeOriginals(folder, randomOf(seed));
  const held = new Map<Original, readonly Held[]>();
  for (const original of originals) held.set(original, await heldIn(original));
  const { folder: other } = await makeOther(join(folder, 'other'), randomOf(seed + 1));
  const trials: Trial[] = [];
  let next = 0;
  const work = async (opener: Opener): Promise<void> => {
    while (next < stores) {
      const n = (next += 1);
      if (values.only !== undefined && Number(values.only) !== n) continue;
      trials.push(await attempt(n, { originals, held, other, opener }));
    }
  };
  await Promise.all(openers.map(work));
  trials.sort((a, b) => a.n - b.n);
  const faulty = trials.filter(({ verdict }) => verdict.faults.length > 0);
  for (const { n, original, harms, verdict } of faulty) {
    const done = harms.map(({ kind, file }) => `${file} ${kind}`).join(', ');
    say(`store ${n} (${original}; ${done}):`);
    for (const fault of verdict.faults.slice(0, 6)) say(`  ${fault}`);
  }
  say(table(trials));
  process.exitCode = faulty.length === 0 ? 0 : 1;
} finally {
  for (const opener of openers) opener.close();
  await rm(folder, { recursive: true, force: true });
}

async function heldIn(original: Original): Promise<readonly Held[]> {
  const copy = `${original.folder}-read`;
  await cp(original.folder, copy, { recursive: true });
  return holdings(original.folder, copy);
}

async function attempt(
  n: number,
  given: {
    readonly originals: readonly Original[];
    readonly held: ReadonlyMap<Original, readonly Held[]>;
    readonly other: string;
    readonly opener: Opener;
  },
): Promise<Trial> {
  const { originals, held, other, opener } = given;
  const next = randomOf(seed * 1_000_003 + n);
  const original = pick(next, originals);
  const place = join(folder, `store-${n}`);
  await cp(original.folder, place, { recursive: true });
  const harms = harm(place, { turn: n, other, random: next });
  const files = await bytesIn(place);
  const sessions = [...original.sessions.keys()];
  const entries = Math.max(...[...original.sessions.values()].map(({ length }) => length));
  const to = `${place}-salvaged`;
  const salvage = await opener.ask({ folder: place, to, sessions, entries });
  const after = await bytesIn(place);
  const read = await opener.ask({ folder: place, sessions, entries });
  const verdict = judge(original, { read, salvage }, { held: held.get(original)!, files });
  const isTouched =
    files.length !== after.length || files.some((one, at) => !one.equals(after[at]!));
  const faults = isTouched ? ['touched: by the salvage', ...verdict.faults] : verdict.faults;
  if (values.only === undefined)
    for (const made of [place, to]) await rm(made, { recursive: true, force: true });
  return { n, original: original.name, harms, verdict: { ...verdict, faults } };
}

async function bytesIn(place: string): Promise<readonly Buffer[]> {
  return Promise.all((await readdir(place)).toSorted().map((name) => readFile(join(place, name))));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
