import fc from 'fast-check';
import { Level } from 'level';
import { beforeAll, expect, test } from 'vitest';
import { draws } from '../../draws.ts';
import { openStore, repairStore, type SessionCheck } from '../../../src/index.ts';
import { copyOf, newLocation } from '../../store/folder.ts';

// A store that lost rows is repaired: from then on it is sound, what is gone is named, and no later repair does anything.

let made: string;
let keys: readonly string[];

beforeAll(async () => {
  made = await newLocation();
  const store = await openStore(made);
  for (const id of ['one', 'two']) {
    const session = await store.open(id, { window: 2_000 });
    for (let n = 1; n <= 600; n += 1) {
      const { length } = String(n);
      if (n % 90 === 0) await session.push({ title: 'Aside', criteria: 'done' });
      if (n % 90 === 40 && n > 90) await session.pop({ status: 'completed', results: 'Done.' });
      await session.append(
        {
          role: n % 7 === 0 ? 'user' : 'assistant',
          content: `said ${n} ${'on '.repeat(40 + length)}`,
        },
        { key: `key ${n}` },
      );
    }
  }
  await store.close();
  const db = new Level(await copyOf(made));
  keys = (await db.keys().all()).filter((key) => !key.startsWith('!meta!'));
  await db.close();
}, 60_000);

/** A copy in which rows are gone or changed, as if the store were in good order. */
async function harmed(harms: readonly Harm[]): Promise<string> {
  const location = await copyOf(made);
  const db = new Level(location);
  for (const { at, isGone, run } of harms)
    for (const key of keys.slice(Math.floor(at * keys.length)).slice(0, run))
      if (isGone) await db.del(key);
      else await db.put(key, `${(await db.get(key)) ?? ''}~`);
  await db.close();
  return location;
}

interface Harm {
  readonly at: number;
  readonly isGone: boolean;
  readonly run: number;
}

async function checks(location: string): Promise<readonly SessionCheck[]> {
  await using store = await openStore(location, { readOnly: true });
  const found: SessionCheck[] = [];
  for await (const check of store.verify()) found.push(check);
  return found;
}

/** A new entry's id, for each session. */
async function next(location: string): Promise<readonly string[]> {
  await using store = await openStore(location);
  const ids: string[] = [];
  for (const id of ['one', 'two']) {
    const session = await store.open(id);
    ids.push((await session.append({ role: 'user', content: 'Go on.' })).id);
  }
  return ids;
}

const harm = fc.record({
  at: fc.double({ min: 0, max: 0.9999, noNaN: true }),
  isGone: fc.boolean(),
  run: fc.integer({ min: 1, max: 30 }),
});

test('a store that lost rows is sound after a repair, and a second one changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(harm, { minLength: 1, maxLength: 4 }), async (harms) => {
      const location = await harmed(harms);
      const first = await repairStore(location);
      expect(first.sessions.map(({ isSound }) => isSound)).toEqual([true, true]);
      const lost = first.salvage?.sessions.flatMap(({ entries }) => entries.lost) ?? [];
      const known = first.sessions.flatMap((one) => one.known?.entries ?? []);
      expect(known.length > 0).toBe(lost.length > 0);
      const found = await checks(location);
      expect(found).toEqual(first.sessions);
      const second = await repairStore(location);
      expect(second).toMatchObject({ aside: null, salvage: null, sessions: found });
      expect(await next(location)).toEqual(['e601', 'e601']);
    }),
    { numRuns: draws(8) },
  );
}, 120_000);

test('what is lost after a repair is told apart from what was known to be gone', async () => {
  const row = (kind: string, n: number): string => `!${kind}!one:${String(n).padStart(12, '0')}`;
  const without = async (location: string, ...gone: readonly string[]): Promise<void> => {
    const db = new Level(location);
    await db.batch(gone.map((key) => ({ type: 'del', key })));
    await db.close();
  };
  // Without a copy of the state behind the record, nothing but a new beginning could be opened.
  expect(keys.filter((key) => key.startsWith('!state!one:'))).not.toEqual([]);
  const location = await copyOf(made);
  await without(location, row('entry', 11), row('entry', 12), row('journal', 9));
  const [before] = await checks(location);
  expect(before).toMatchObject({ isSound: false, journal: { lost: [{ from: 9, to: 9 }] } });
  expect(before).not.toHaveProperty('known');
  await repairStore(location);
  const gone = { entries: [{ from: 'e11', to: 'e12' }], journal: [{ from: 9, to: 9 }] };
  expect(await checks(location)).toMatchObject([{ isSound: true, known: gone }, { isSound: true }]);
  await without(location, row('entry', 10), row('entry', 13));
  const [after] = await checks(location);
  expect(after).toMatchObject({ isSound: false, known: gone });
  expect(after!.entries.lost).toMatchObject([{ from: 'e10' }, { from: 'e13' }]);
  await repairStore(location);
  expect(await checks(location)).toMatchObject([
    { isSound: true, known: { entries: [{ from: 'e10', to: 'e13' }] } },
    { isSound: true },
  ]);
});
