import { spawnSync } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore, type Message, type Session, type StoreOptions } from '../../src/index.ts';
import { digest } from './digest.ts';
import { below, pick, type Random } from '../random.ts';

/** A store in good order, and what was said in it. */
export interface Original {
  readonly name: string;
  readonly folder: string;
  /** Whether it was closed; else it is as a kill left it. */
  readonly isClosed: boolean;
  /** By session, digests of the entries in order: the first is that of `e1`. */
  readonly sessions: ReadonlyMap<string, readonly string[]>;
}

/** How a store is made: openings one after the other, in which each session gets so many entries. */
interface Recipe {
  readonly name: string;
  readonly isClosed: boolean;
  readonly openings: number;
  readonly entries: number;
  readonly durability: NonNullable<StoreOptions['durability']>;
}

const recipes: readonly Recipe[] = [
  { name: 'closed, a log', isClosed: true, openings: 1, entries: 60, durability: 'power' },
  {
    name: 'closed, tables and a log',
    isClosed: true,
    openings: 3,
    entries: 120,
    durability: 'power',
  },
  { name: 'closed, many tables', isClosed: true, openings: 9, entries: 40, durability: 'power' },
  { name: 'killed', isClosed: false, openings: 2, entries: 60, durability: 'power' },
  { name: 'killed, not synced', isClosed: false, openings: 2, entries: 60, durability: 'process' },
];

const words = 'read write table index lock frame token parse commit deploy budget window'.split(
  ' ',
);

/** Makes a store by each recipe. */
export async function makeOriginals(folder: string, random: Random): Promise<readonly Original[]> {
  const originals: Original[] = [];
  for (const recipe of recipes)
    originals.push(await make(recipe, { folder, random, ids: ['first', 'second'] }));
  return originals;
}

/** Makes another store, of tables and a log, with sessions of the same names. */
export async function makeOther(folder: string, random: Random): Promise<Original> {
  return make(recipes[1]!, { folder, random, ids: ['first', 'second'] });
}

async function make(
  recipe: Recipe,
  given: { readonly folder: string; readonly random: Random; readonly ids: readonly string[] },
): Promise<Original> {
  const { folder, random, ids } = given;
  const { name, isClosed, openings, entries, durability } = recipe;
  const place = join(folder, name.replaceAll(/\W+/g, '-'));
  const sessions = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (let opening = 1; opening <= openings; opening += 1) {
    const store = await openStore(place, { durability });
    for (const [id, said] of sessions) {
      const session = await store.open(id, { window: 6_000 });
      await say(session, said, { count: entries, random });
    }
    if (opening === openings && !isClosed) await copyKilled(place, `${place}-killed`);
    await store.close();
  }
  return { name, folder: isClosed ? place : `${place}-killed`, isClosed, sessions };
}

/** Copies the folder of an open store as that of a process which is no more. */
async function copyKilled(place: string, killed: string): Promise<void> {
  await cp(place, killed, { recursive: true, filter: (path) => !path.endsWith('.tmp') });
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  await writeFile(join(killed, 'owner.json'), JSON.stringify({ pid }));
}

/** Appends to a session, under a key for each entry; pushes and pops a frame now and then. */
async function say(
  session: Session,
  said: string[],
  { count, random }: { readonly count: number; readonly random: Random },
): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    const message = messageOf(said.length + 1, random);
    if (said.length % 25 === 10)
      await session.push({ title: `Part ${said.length}`, criteria: 'done' });
    if (said.length % 25 === 20) await session.pop({ status: 'completed', results: 'Done.' });
    await session.append(message, { key: `key ${said.length + 1}` });
    said.push(digest(message.content as string));
  }
}

function messageOf(n: number, random: Random): Message {
  const length = random() < 0.03 ? 6_000 : 5 + below(random, 120);
  const text = Array.from({ length }, () => pick(random, words)).join(' ');
  return { role: random() < 0.3 ? 'user' : 'assistant', content: `${n}: ${text}` };
}
