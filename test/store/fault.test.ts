import { expect, test } from 'vitest';
import { journalKey, sessionKey, sessionRange } from '../../src/store/key.ts';
import { openStoreOver } from '../../src/store/format.ts';
import type { RecordStore } from '../../src/store/store.ts';
import {
  crashImages,
  type Fault,
  FaultyLevel,
  materialize,
  powerLossImages,
} from './faulty-level.ts';

// Each step writes a journal record, two entries and the head in one commit, so that a torn batch shows.

const steps = 12;

function step(store: RecordStore, seq: number): Promise<void> {
  return store.commit([
    { type: 'put', kind: 'journal', key: journalKey('s', seq), value: { seq } },
    { type: 'put', kind: 'entry', key: journalKey('s', 2 * seq), value: `${seq}, one` },
    { type: 'put', kind: 'entry', key: journalKey('s', 2 * seq + 1), value: `${seq}, two` },
    { type: 'put', kind: 'session', key: sessionKey('s'), value: { head: seq } },
  ]);
}

/** How many steps the store holds; fails if one is torn or missing below the head. */
async function wholeSteps(store: RecordStore): Promise<number> {
  const head = (await store.get('session', sessionKey('s'))) as { head: number } | undefined;
  const count = head === undefined ? 0 : head.head + 1;
  const journal: unknown[] = [];
  for await (const [, value] of store.range('journal', sessionRange('s'))) journal.push(value);
  const entries: unknown[] = [];
  for await (const [, value] of store.range('entry', sessionRange('s'))) entries.push(value);
  const numbers = Array.from({ length: count }, (_, seq) => seq);
  expect(journal).toEqual(numbers.map((seq) => ({ seq })));
  expect(entries).toEqual(numbers.flatMap((seq) => [`${seq}, one`, `${seq}, two`]));
  return count;
}

async function open(options: {
  sync: boolean;
  fault?: Fault;
}): Promise<[RecordStore, FaultyLevel]> {
  const db = new FaultyLevel(options.fault);
  await db.open();
  const { sync } = options;
  return [await openStoreOver(db, { location: 'faulty', sync }), db];
}

const faults = Array.from({ length: steps }, (_, n) => n + 1).flatMap((at) => [
  { at, mode: 'before' } as const,
  { at, mode: 'after' } as const,
]);

test.each(faults)(
  'a write that fails ($mode effect, number $at) stops all writing and tears nothing',
  async (fault) => {
    const [store, db] = await open({ sync: true, fault });
    let acknowledged = 0;
    const refusals: unknown[] = [];
    for (let seq = 0; seq < steps; seq += 1) {
      await step(store, seq).then(
        () => (acknowledged += 1),
        (error: unknown) => refusals.push(error),
      );
    }
    expect(acknowledged).toBe(fault.at - 1);
    expect(refusals).toHaveLength(steps - acknowledged);
    const unavailable = {
      code: 'STORE_UNAVAILABLE',
      retryable: false,
      detail: { location: store.location },
      cause: { code: 'LEVEL_IO_ERROR' },
    };
    for (const error of refusals) expect(error).toMatchObject(unavailable);
    expect(db.attempts).toBe(fault.at + 1);
    expect(await wholeSteps(store)).toBe(acknowledged + (fault.mode === 'after' ? 1 : 0));
    await store.close();
  },
);

test('a failing first write refuses the store', async () => {
  const db = new FaultyLevel({ at: 0, mode: 'before' });
  await db.open();
  const opening = openStoreOver(db, { location: 'faulty', sync: true });
  await expect(opening).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(db.status).toBe('closed');
});

test('any crash point opens, holds whole steps, and all that were acknowledged', async () => {
  const [store, db] = await open({ sync: true });
  const acknowledged: number[] = [];
  for (let seq = 0; seq < steps; seq += 4) {
    await Promise.all([0, 1, 2, 3].map((n) => step(store, seq + n)));
    acknowledged[db.journal.length] = seq + 4;
  }
  await store.close();
  expect(db.journal).toHaveLength(1 + steps / 4);
  for (const image of crashImages(db.journal)) {
    const after = await openStoreOver(await materialize(image), { location: 'image', sync: true });
    const due = Math.max(0, ...acknowledged.slice(0, image.length + 1).filter(Boolean));
    expect(await wholeSteps(after)).toBeGreaterThanOrEqual(due);
    await after.close();
  }
});

test('with power durability each batch is synced, so a loss of power is no worse than a crash', async () => {
  const [store, db] = await open({ sync: true });
  for (let seq = 0; seq < steps; seq += 1) await step(store, seq);
  await store.close();
  expect(db.journal.every((write) => write.sync)).toBe(true);
  expect([...powerLossImages(db.journal)]).toEqual([...crashImages(db.journal)]);
});

test('with process durability no batch is synced, and a crash loses nothing', async () => {
  const [store, db] = await open({ sync: false });
  for (let seq = 0; seq < steps; seq += 1) await step(store, seq);
  await store.close();
  expect(db.journal.some((write) => write.sync)).toBe(false);
  const after = await openStoreOver(await materialize(db.journal), {
    location: 'image',
    sync: false,
  });
  expect(await wholeSteps(after)).toBe(steps);
  await after.close();
});
