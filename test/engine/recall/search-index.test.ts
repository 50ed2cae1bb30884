import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fail } from '../../../src/core/values/error.ts';
import { bestEntries, countTerms, weightsOf } from '../../../src/core/search/rank.ts';
import { SearchIndex } from '../../../src/engine/recall/search-index.ts';
import {
  detailKey,
  entryKey,
  postingKey,
  segmentKey,
  sessionRange,
} from '../../../src/store/key.ts';
import { openMemoryStore } from '../../../src/store/level/level-store.ts';
import { bucketOf } from '../../../src/store/search/search-segment.ts';
import type { Change, RecordStore } from '../../../src/store/store.ts';
import { draws } from '../../draws.ts';

const created = 1_000;
const never = new AbortController().signal;

const rowsOf = (said: readonly string[], session = 's'): Change[] =>
  said.map((content, index) => ({
    type: 'put',
    kind: 'entry',
    key: entryKey(session, index + 1),
    value: { frame: 'f0', at: index, tokens: 1, message: { role: 'user', content } },
  }));

async function logOf(said: readonly string[]): Promise<RecordStore> {
  const store = await openMemoryStore();
  await store.commit(rowsOf(said));
  return store;
}

const indexOf = (store: RecordStore, entries = 4, session = 's'): SearchIndex =>
  new SearchIndex(store, { session, created }, { entries, text: 1_000_000 });

/** Positions and scores of what an index finds. */
async function found(index: SearchIndex, terms: readonly string[], upTo: number) {
  const searched = await index.find(terms, upTo);
  const tally = countTerms(searched, terms.length);
  const { extent } = tally;
  return bestEntries(searched, { weights: weightsOf(tally), extent, limit: 1_000 });
}

async function keysOf(store: RecordStore, session = 's'): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const [key] of store.range('search', sessionRange(session))) keys.push(key);
  return keys;
}

/** The terms that begin with one of some letters. */
async function termsOf(index: SearchIndex, heads: string): Promise<readonly string[]> {
  const terms = new Set<string>();
  await index.eachTerm(heads, (term) => terms.add(term));
  return [...terms].sort();
}

const segmentsOf = (keys: readonly string[]): number =>
  keys.filter((key) => key.includes(':s/')).length;

const animal = fc.constantFrom('ant', 'bee', 'cat', 'dog', 'eel');
const logs = fc.array(fc.array(animal, { maxLength: 6 }), { minLength: 1, maxLength: 40 });

test('a log gives the same in segments of any size as in memory, in one process or in another', async () => {
  await fc.assert(
    fc.asyncProperty(
      logs,
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 6 }),
      async (said, size, stops) => {
        const texts = said.map((words) => words.join(' '));
        const whole = await found(indexOf(await logOf(texts), 1_000), ['ant', 'dog'], texts.length);
        const store = await logOf(texts);
        let index = indexOf(store, size);
        for (const stop of stops) {
          const upTo = Math.min(stop, texts.length);
          if (stop % 2 === 0) await index.pack(upTo, never);
          else await (stop % 5 === 0 ? index.complete(upTo, never) : index.find(['bee'], upTo));
          if (stop % 3 === 0) index = indexOf(store, size);
        }
        expect(await found(index, ['ant', 'dog'], texts.length)).toEqual(whole);
        const times: number[] = [];
        for (const { segment } of await index.find(['ant'], texts.length))
          times.push(...(await index.detail(segment)).at);
        expect(times).toEqual(texts.map((_, n) => n));
        expect(await termsOf(index, 'abcde')).toEqual([...new Set(said.flat())].sort());
      },
    ),
    { numRuns: draws(400) },
  );
});

const nine = ['ant', 'bee', 'cat', 'ant', 'bee', 'cat', 'ant', 'bee', 'cat'];

test('segments are written when they are complete, and what follows them stays in memory', async () => {
  const store = await logOf(nine);
  await indexOf(store).complete(9, never);
  const keys = await keysOf(store);
  expect(segmentsOf(keys)).toBe(2);
  expect(keys).toContain('s:s/000000000001');
  expect(keys).toContain('s:d/000000000005');
  expect((await found(indexOf(store), ['ant'], 9)).map(({ n }) => n)).toEqual([7, 4, 1]);
});

test('sixteen small segments become a large one, and nothing is left of them', async () => {
  const said = Array.from({ length: 70 }, (_, n) => `word${n} ${nine[n % 9]}`);
  const store = await logOf(said);
  const whole = await found(indexOf(await logOf(said), 1_000), ['ant', 'word64'], 70);
  const index = indexOf(store);
  await index.complete(70, never);
  const keys = await keysOf(store);
  expect(keys.filter((key) => key.includes(':s/'))).toEqual([
    's:s/000000000001m',
    's:s/000000000065',
  ]);
  const starts = new Set(keys.map((key) => key.slice(key.indexOf('/') + 1)));
  expect([...starts].sort()).toEqual(['000000000001m', '000000000065']);
  expect((await termsOf(index, 'w')).length).toBe(70);
  expect(await found(index, ['ant', 'word64'], 70)).toEqual(whole);
  expect(await found(indexOf(store), ['ant', 'word64'], 70)).toEqual(whole);
});

test('a crash while segments are merged loses nothing, whatever it left behind', async () => {
  const said = Array.from({ length: 70 }, (_, n) => `word${n} ${nine[n % 9]}`);
  const whole = await found(indexOf(await logOf(said), 1_000), ['ant', 'word64'], 70);
  for (let left = 14; left < 72; left += 3) {
    const store = await logOf(said);
    let commits = left;
    const failing: RecordStore = {
      ...store,
      commit: (changes) =>
        commits-- > 0 ? store.commit(changes) : Promise.reject(new Error('full')),
    };
    await indexOf(failing)
      .complete(70, never)
      .catch(() => undefined);
    expect(await found(indexOf(store), ['ant', 'word64'], 70)).toEqual(whole);
  }
});

test('a crash between the batches of a segment loses nothing, and what it left counts for nothing', async () => {
  const said = Array.from({ length: 60 }, (_, n) =>
    Array.from(
      { length: 400 },
      (_, word) => `word${(n * 7 + word) % 9_000}x${n} ${nine[n % 9]}`,
    ).join(' '),
  );
  const whole = await found(indexOf(await logOf(said), 1_000), ['ant', 'word64x5'], 60);
  const batches: number[] = [];
  for (let left = 0; left < 40; left += 1) {
    const store = await logOf(said);
    let commits = 0;
    const failing: RecordStore = {
      ...store,
      commit: async (changes, options) => {
        if (commits === left) throw new Error('power cut');
        commits += 1;
        await store.commit(changes, options);
      },
    };
    const isCut = await indexOf(failing, 50)
      .complete(60, never)
      .then(
        () => false,
        () => true,
      );
    if (!isCut) break;
    batches.push(left);
    expect(segmentsOf(await keysOf(store))).toBe(0);
    expect(await found(indexOf(store, 50), ['ant', 'word64x5'], 60)).toEqual(whole);
  }
  expect(batches.length).toBeGreaterThan(2);
});

test('a segment that did not reach the disk is made again from the log', async () => {
  const store = await logOf(nine);
  let left = 1;
  const failing: RecordStore = {
    ...store,
    commit: (changes) => (left-- > 0 ? store.commit(changes) : Promise.reject(new Error('full'))),
  };
  await expect(indexOf(failing).complete(9, never)).rejects.toThrow('full');
  expect(segmentsOf(await keysOf(store))).toBe(1);
  expect((await found(indexOf(store), ['ant'], 9)).map(({ n }) => n)).toEqual([7, 4, 1]);
  expect(segmentsOf(await keysOf(store))).toBe(2);
});

test('an index whose reading was broken off goes on where it stopped', async () => {
  const store = await logOf(nine);
  const stop = new AbortController();
  stop.abort();
  const index = indexOf(store);
  await index.complete(9, stop.signal);
  await expect(index.find(['ant'], 9, stop.signal)).rejects.toBe(stop.signal.reason);
  expect((await found(index, ['ant'], 9)).map(({ n }) => n)).toEqual([7, 4, 1]);
});

test('what another version wrote, or was written for another session of that id, is made again', async () => {
  for (const change of [{ version: 0 }, { created: 5 }]) {
    const store = await logOf(nine);
    await indexOf(store).complete(9, never);
    const key = segmentKey('s', { first: 1, isMerged: false });
    const row = (await store.get('search', key)) as object;
    await store.commit([{ type: 'put', kind: 'search', key, value: { ...row, ...change } }]);
    const stale = postingKey('s', { first: 99, isMerged: false, bucket: 7 });
    await store.commit([{ type: 'put', kind: 'search', key: stale, value: '|old=AB|' }]);
    expect((await found(indexOf(store), ['ant'], 9)).map(({ n }) => n)).toEqual([7, 4, 1]);
    expect(await keysOf(store)).not.toContain(stale);
  }
});

test('a damaged row is made again while somebody searches', async () => {
  const store = await logOf(nine);
  await indexOf(store).complete(9, never);
  const small = { isMerged: false };
  const damaged = postingKey('s', { first: 5, ...small, bucket: bucketOf('ant', small) });
  let isDamaged = true;
  const broken: RecordStore = {
    ...store,
    async getMany(kind, keys) {
      if (keys.includes(damaged) && isDamaged)
        throw fail('RECORD_DAMAGED', 'flipped', { kind, key: damaged });
      return store.getMany(kind, keys);
    },
    async commit(changes) {
      if (changes.some(({ type, key }) => type === 'del' && key === damaged)) isDamaged = false;
      await store.commit(changes);
    },
  };
  expect((await found(indexOf(broken), ['ant'], 9)).map(({ n }) => n)).toEqual([7, 4, 1]);
  expect(isDamaged).toBe(false);
});

test('a damaged row that only filters read is made again, too', async () => {
  const store = await logOf(nine);
  await indexOf(store).complete(9, never);
  const damaged = detailKey('s', { first: 5, isMerged: false });
  let isDamaged = true;
  const broken: RecordStore = {
    ...store,
    async get(kind, key) {
      if (key === damaged && isDamaged) throw fail('RECORD_DAMAGED', 'flipped', { kind, key });
      return store.get(kind, key);
    },
    async commit(changes) {
      if (changes.some(({ type, key }) => type === 'del' && key === damaged)) isDamaged = false;
      await store.commit(changes);
    },
  };
  const index = indexOf(broken);
  const { roles } = await index.whole(async () => {
    const searched = await index.find(['ant'], 9);
    const { first, last } = searched.find(({ segment }) => segment.first === 5)!.segment;
    return index.detail({ first, last });
  });
  expect(roles.length).toBeGreaterThan(0);
  expect(isDamaged).toBe(false);
});

test('an index that says more than the log has is made again', async () => {
  const store = await logOf(nine);
  await indexOf(store).complete(9, never);
  expect((await found(indexOf(store), ['ant'], 3)).map(({ n }) => n)).toEqual([1]);
});

/** A store that counts the entries which are read of it. */
function counted(store: RecordStore) {
  const read = { entries: 0 };
  const range: RecordStore['range'] = async function* range(kind, bounds) {
    for await (const row of store.range(kind, bounds)) {
      if (kind === 'entry') read.entries += 1;
      yield row;
    }
  };
  return { read, store: { ...store, range } };
}

test('a packed end is not read from the log again, and the next end goes into the same segment', async () => {
  const store = await logOf(nine);
  const whole = await found(indexOf(await logOf(nine), 1_000), ['ant', 'cat'], 9);
  await indexOf(store, 24).pack(3, never);
  expect(segmentsOf(await keysOf(store))).toBe(1);
  const before = counted(store);
  expect((await found(indexOf(before.store, 24), ['ant'], 9)).map(({ n }) => n)).toEqual([7, 4, 1]);
  expect(before.read.entries).toBe(6);
  await indexOf(store, 24).pack(9, never);
  expect((await keysOf(store)).filter((key) => key.includes(':s/'))).toEqual(['s:s/000000000001']);
  const after = counted(store);
  const index = indexOf(after.store, 24);
  expect(await found(index, ['ant', 'cat'], 9)).toEqual(whole);
  expect(after.read.entries).toBe(0);
  expect((await index.find(['ant'], 9))[0]!.segment).toMatchObject({ first: 1, last: 9 });
});

test('the request before an entry is found whatever segment it is in', async () => {
  const store = await logOf(nine);
  const machine = { role: 'user', origin: 'machine', content: 'ant' };
  for (const n of [1, 4, 5, 6, 7, 8])
    await store.commit([
      {
        type: 'put',
        kind: 'entry',
        key: entryKey('s', n),
        value: { frame: 'f0', at: n, tokens: 1, message: machine },
      },
    ]);
  for (const size of [1, 2, 4, 1_000]) {
    const index = indexOf(store, size);
    await index.find(['ant'], 9);
    const before = [1, 2, 3, 4, 8, 9].map((n) => index.humanBefore(n));
    expect(await Promise.all(before)).toEqual([undefined, undefined, 2, 3, 3, 3]);
  }
});

test('an end of a few entries is left in the log, and a segment that is complete is not gone on with', async () => {
  const store = await logOf(nine);
  await indexOf(store, 1_000).pack(9, never);
  expect(await keysOf(store)).toEqual([]);
  const index = indexOf(store, 32);
  await index.pack(1, never);
  await index.pack(4, never);
  const { last } = (await index.find(['ant'], 4))[0]!.segment;
  expect(last).toBe(1);
  const full = indexOf(store, 4);
  await full.pack(9, never);
  expect(segmentsOf(await keysOf(store))).toBeGreaterThan(1);
});

test('a packed end that says what is to be forgotten is deleted, and made again without it', async () => {
  const store = await logOf(nine);
  await indexOf(store, 24).pack(6, never);
  const index = indexOf(store, 24);
  await index.pack(9, never);
  await store.commit(rowsOf(['gone']).map((row) => ({ ...row, key: entryKey('s', 4) })));
  await index.forgetFrom(4);
  expect(await keysOf(store)).toEqual([]);
  await index.pack(9, never);
  expect((await found(indexOf(store, 24), ['ant'], 9)).map(({ n }) => n)).toEqual([7, 1]);
});

test('an end that could not be packed leaves the index as it was', async () => {
  const store = await logOf(nine);
  await indexOf(store, 24).pack(3, never);
  const before = await keysOf(store);
  const failing = { ...store, commit: () => Promise.reject(new Error('full')) };
  await expect(indexOf(failing, 24).pack(9, never)).rejects.toThrow('full');
  expect(await keysOf(store)).toEqual(before);
  const stop = new AbortController();
  stop.abort();
  await indexOf(store, 24).pack(9, stop.signal);
  expect(await keysOf(store)).toEqual(before);
  expect((await found(indexOf(store, 24), ['ant'], 9)).map(({ n }) => n)).toEqual([7, 4, 1]);
});

test('where others write too, no end is packed: all make the same segments', async () => {
  const store = await logOf(nine);
  await indexOf({ ...store, isShared: true }, 24).pack(9, never);
  expect(await keysOf(store)).toEqual([]);
});

test('sessions share no row of the index', async () => {
  const store = await logOf(nine);
  await store.commit(rowsOf(nine, 's2'));
  await indexOf(store).complete(9, never);
  await indexOf(store, 4, 's2').complete(9, never);
  const mine = await keysOf(store);
  await store.commit(mine.map((key) => ({ type: 'del', kind: 'search', key })));
  expect(await keysOf(store)).toEqual([]);
  expect(segmentsOf(await keysOf(store, 's2'))).toBe(2);
});
