import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isEngineError } from '../../src/core/values/error.ts';
import { openStoreOver } from '../../src/store/format.ts';
import { entryKey, sessionRange } from '../../src/store/key.ts';
import type { Change, RecordStore } from '../../src/store/store.ts';
import { UnsteadyLevel } from './unsteady-level.ts';

// A store whose driver goes wrong now and then: whatever is asked is answered right, or refused with a code.

const runs = Number(process.env['FAULT_RUNS'] ?? 20);

type Step =
  | {
      readonly do: 'commit';
      readonly rows: readonly (readonly [n: number, value: string | null])[];
    }
  | { readonly do: 'get'; readonly n: number }
  | { readonly do: 'many'; readonly all: readonly number[] }
  | { readonly do: 'range'; readonly reverse: boolean };

const n = fc.nat(40);
const value = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9_000 }).map((times) => 'é'.repeat(times)) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('commit' as const),
    rows: fc.array(fc.tuple(n, fc.option(value)), { minLength: 1, maxLength: 8 }),
  }),
  fc.record({ do: fc.constant('get' as const), n }),
  fc.record({ do: fc.constant('many' as const), all: fc.array(n, { maxLength: 9 }) }),
  fc.record({ do: fc.constant('range' as const), reverse: fc.boolean() }),
);

type Rows = ReadonlyMap<string, string>;

test('a store over a driver that goes wrong answers right, or with a code', async () => {
  let mishaps = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
      fc.nat(),
      async (steps, seed) => {
        const db = new UnsteadyLevel({ seed, reads: 4, writes: 8 });
        await db.open();
        let known: readonly Rows[] = [new Map()];
        let store = await sound(db);
        for (const one of steps) {
          db.calm = false;
          known = await take(store, one, known);
          db.calm = true;
          if (known.length === 1) continue;
          // A write failed: it is there whole, or not at all, and the store takes no other.
          await expect(store.commit([])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
          store = await sound(db);
          const found = await rowsOf(store);
          expect(known).toContainEqual(found);
          known = [found];
        }
        expect(await rowsOf(store)).toEqual(known[0]);
        mishaps += db.mishaps.length;
      },
    ),
    { numRuns: runs },
  );
  expect(mishaps).toBeGreaterThan(runs);
});

const sound = (db: UnsteadyLevel): Promise<RecordStore> =>
  openStoreOver(db, { location: 'unsteady', sync: false });

/** Does a step; gives what the store may hold after it. */
async function take(
  store: RecordStore,
  one: Step,
  known: readonly Rows[],
): Promise<readonly Rows[]> {
  const rows = known[0]!;
  const right = (at: number): string | undefined => rows.get(entryKey('s', at));
  try {
    if (one.do === 'get') expect(await store.get('text', entryKey('s', one.n))).toBe(right(one.n));
    if (one.do === 'many')
      expect(
        await store.getMany(
          'text',
          one.all.map((at) => entryKey('s', at)),
        ),
      ).toEqual(one.all.map(right));
    if (one.do === 'range') expect(await rowsOf(store, one.reverse)).toEqual(rows);
    if (one.do !== 'commit') return known;
  } catch (error) {
    if (!isEngineError(error)) throw error;
    expect(['RECORD_DAMAGED', 'STORE_UNAVAILABLE']).toContain(error.code);
    return known;
  }
  const after = new Map(rows);
  for (const [at, text] of one.rows)
    if (text === null) after.delete(entryKey('s', at));
    else after.set(entryKey('s', at), text);
  try {
    await store.commit(one.rows.map(([at, text]) => toChange(at, text)));
    return [after];
  } catch (error) {
    if (!isEngineError(error, 'STORE_UNAVAILABLE')) throw error;
    return [rows, after];
  }
}

function toChange(at: number, text: string | null): Change {
  const place = { kind: 'text', key: entryKey('s', at) } as const;
  return text === null ? { type: 'del', ...place } : { type: 'put', ...place, value: text };
}

async function rowsOf(store: RecordStore, reverse = false): Promise<Rows> {
  const rows: [string, string][] = [];
  for await (const [key, text] of store.range('text', sessionRange('s', { reverse })))
    rows.push([key, text as string]);
  return new Map(reverse ? rows.toReversed() : rows);
}

test('a record that comes back without its end is damage at every length, and never a value', async () => {
  const db = new UnsteadyLevel({ seed: 1, reads: 9, writes: 9 });
  await db.open();
  const store = await sound(db);
  const damaged = { code: 'RECORD_DAMAGED', detail: { kind: 'text', key: 'k' } };
  for (const body of [
    '',
    '7',
    'a text with é and 👩',
    { deep: [1, { two: null }] },
    'long '.repeat(2_000),
  ]) {
    await store.commit([{ type: 'put', kind: 'text', key: 'k', value: body }]);
    const text = (await db.sublevel('text').get('k'))!;
    const cuts = Array.from({ length: Math.min(text.length, 400) }, (_, at) => at);
    for (const length of [...cuts, text.length - 1]) {
      await db.sublevel('text').put('k', text.slice(0, length));
      await expect(store.get('text', 'k')).rejects.toMatchObject(damaged);
    }
    await db.sublevel('text').put('k', text);
    expect(await store.get('text', 'k')).toEqual(body);
  }
});
