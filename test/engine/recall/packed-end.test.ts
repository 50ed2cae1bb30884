import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { fail } from '../../../src/core/values/error.ts';
import type { SessionHeader } from '../../../src/engine/journal/sessions/session-header.ts';
import type { Session, StoreHit } from '../../../src/index.ts';
import { framesKey, sessionRange } from '../../../src/store/key.ts';
import { openMemoryStore } from '../../../src/store/level/level-store.ts';
import { kinds, type RecordStore } from '../../../src/store/store.ts';
import { newDisk } from '../disk.ts';
import { draws } from '../../draws.ts';

// A session that is let go of packs the end of its log, and notes whether its frames say anything. None of that
// may be seen but by a clock.

const words = ['ant', 'bee', 'cat', 'dog', 'eel'] as const;

/** Text that is long enough to be packed alone. */
const long = (word: string, n: number): string =>
  Array.from({ length: 2_400 }, (_, at) => (at % 300 === n ? `${word} ` : `w${at % 50} `)).join('');

/** The same rows as if nobody had ever let go of a session. */
async function plain(records: RecordStore): Promise<RecordStore> {
  const copy = await openMemoryStore();
  for (const kind of kinds.filter((one) => one !== 'search' && one !== 'meta'))
    for await (const [key, row] of records.range(kind, {})) {
      const { rest: _, ...header } = row as SessionHeader;
      const value = kind === 'session' ? header : row;
      await copy.commit([{ type: 'put', kind, key, value }]);
    }
  return copy;
}

const over = (records: RecordStore) => openOver({ ...records, close: async () => undefined }, {});

async function hitsIn(records: RecordStore, query: string): Promise<readonly StoreHit[]> {
  await using store = await over(records);
  return store.recall(query, { limit: 50, tokens: 2_000 });
}

async function packed(records: RecordStore): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const [key] of records.range('search', sessionRange('s'))) keys.push(key);
  return keys;
}

const word = fc.constantFrom(...words);
const moves = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ type: fc.constant('say' as const), word }) },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('let go' as const) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('frame' as const), word }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('redact' as const), of: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('undo' as const) }) },
  ),
  { minLength: 3, maxLength: 12 },
);

test('a search gives the same with and without what was packed, whatever happened to the session', async () => {
  await fc.assert(
    fc.asyncProperty(moves, async (taken) => {
      const records = await openMemoryStore();
      await using store = await over(records);
      let session: Session = await store.open('s', { window: 64_000 });
      for (const [n, move] of taken.entries()) {
        const { entries } = session.state;
        if (move.type === 'say')
          await session.append({ role: 'user', content: long(move.word, n) });
        if (move.type === 'frame') {
          await session.push({ title: 'Part', criteria: `count each ${move.word}` });
          await session.pop({ status: 'completed', results: `counted a ${move.word}` });
        }
        if (move.type === 'redact' && entries > 0)
          await session.redact(`e${1 + (move.of % entries)}`);
        if (move.type === 'undo' && (await session.steps()).undo.length > 0) await session.undo();
        if (move.type !== 'let go') continue;
        await session.close();
        const [query, without] = [`${words[n % words.length]!} count`, await plain(records)];
        expect(await hitsIn(records, query)).toEqual(await hitsIn(without, query));
        session = await store.open('s');
        expect(await store.recall(query, { limit: 50, tokens: 2_000 })).toEqual(
          await hitsIn(without, query),
        );
      }
    }),
    { numRuns: draws(100) },
  );
});

test('a session that was let go of is searched without its log, nor its journal where no frame says anything', async () => {
  const disk = await newDisk(await openMemoryStore());
  const records = disk.mount();
  const store = await over(records);
  const session = await store.open('s', { window: 64_000 });
  for (const [n, one] of words.entries())
    await session.append({ role: 'user', content: long(one, n) });
  await session.close();
  disk.reset();
  expect(await hitsIn(records, 'cat')).toMatchObject([{ entry: 'e3' }]);
  expect(disk.reads.get('entry')).toBeLessThan(4);
  expect(disk.reads.get('journal')).toBe(1);
});

test('frames are packed with their session, and read from its journal once it has gone on', async () => {
  const disk = await newDisk(await openMemoryStore());
  const records = disk.mount();
  const store = await over(records);
  const session = await store.open('s', { window: 64_000 });
  await session.append({ role: 'user', content: long('cat', 1) });
  await session.push({ title: 'Part', criteria: 'find the walrus' });
  await session.close();
  disk.reset();
  expect(await hitsIn(records, 'cat')).toMatchObject([{ entry: 'e1' }]);
  // To find the last record; the state is read where a frame is found.
  expect(disk.reads.get('journal')).toBe(1);
  expect(await hitsIn(records, 'walrus')).toMatchObject([{ entry: 'f1' }]);
  expect(disk.reads.get('journal')).toBeGreaterThan(2);

  const again = await store.open('s');
  await again.push({ title: 'Other', criteria: 'find the giraffe' });
  await again.pop({ status: 'completed', results: 'the walrus left' });
  expect(await hitsIn(records, 'giraffe')).toMatchObject([{ entry: 'f2' }]);
  expect((await hitsIn(records, 'walrus')).map(({ entry }) => entry).sort()).toEqual(['f1', 'f2']);
});

test('a row of frames that is damaged costs no hit', async () => {
  const records = await openMemoryStore();
  await using store = await over(records);
  const session = await store.open('s', { window: 64_000 });
  await session.push({ title: 'Part', criteria: 'find the walrus' });
  await session.close();
  const damaged: RecordStore = {
    ...records,
    get: (kind, key) =>
      key === framesKey('s')
        ? Promise.reject(fail('RECORD_DAMAGED', 'It is damaged', { kind, key }))
        : records.get(kind, key),
  };
  expect(await hitsIn(damaged, 'walrus')).toMatchObject([{ entry: 'f1' }]);
});

test('what was packed goes with its session, and a redacted word out of it', async () => {
  const records = await openMemoryStore();
  const store = await over(records);
  const session = await store.open('s', { window: 64_000 });
  await session.append({ role: 'user', content: long('ant', 1) });
  const { id } = await session.append({ role: 'user', content: long('hunter2', 2) });
  await session.push({ title: 'Part', criteria: 'never say hunter2' });
  await session.close();
  const rows = async (): Promise<string> => {
    const found: unknown[] = [];
    for await (const row of records.range('search', {})) found.push(row);
    return JSON.stringify(found);
  };
  expect(await rows()).toContain('hunter2');
  expect(await packed(records)).toContain(framesKey('s'));
  const again = await store.open('s');
  await again.redact(id);
  expect(await rows()).not.toContain('hunter2');
  await again.close();
  expect(await packed(records)).not.toEqual([]);
  expect(await rows()).not.toContain('hunter2');
  await store.delete('s');
  expect(await packed(records)).toEqual([]);
});
