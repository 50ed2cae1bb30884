import { expect, test } from 'vitest';
import {
  listSessions,
  type SessionSummary,
} from '../../../../src/engine/journal/sessions/list-sessions.ts';
import { outboxKey } from '../../../../src/store/key.ts';
import { openMemoryStore } from '../../../../src/store/level/level-store.ts';
import type { Change } from '../../../../src/store/store.ts';
import { newDisk } from '../../disk.ts';

// Ids of which one begins with another: the order of their rows is not theirs.
const ids = Array.from({ length: 90 }, (_, n) => `s${n % 9}`)
  .map((id, n) => (n < 9 ? id : `${id}${n % 2 === 0 ? '-' : '.'}${n}`))
  .sort();
const owed = (id: string): number => ids.indexOf(id) % 4;

async function filled() {
  const store = await openMemoryStore();
  const changes = ids.flatMap((id): Change[] => [
    { type: 'put', kind: 'session', key: id, value: { created: 1, window: 8_000 } },
    ...Array.from(
      { length: owed(id) },
      (_, n) =>
        ({ type: 'put', kind: 'outbox', key: outboxKey(id, `${n}`), value: 'effect' }) as const,
    ),
  ]);
  await store.commit(changes);
  return newDisk(store);
}

async function listed(
  list: AsyncIterable<readonly SessionSummary[]>,
): Promise<(readonly [string, number])[]> {
  const found: (readonly [string, number])[] = [];
  for await (const page of list) for (const { id, pending } of page) found.push([id, pending]);
  return found;
}

test('each session of a list has the number of its pending effects, from either end, and for any page', async () => {
  const store = (await filled()).mount();
  const all = ids.map((id) => [id, owed(id)] as const);
  expect(await listed(listSessions(store, {}))).toEqual(all);
  expect(await listed(listSessions(store, { reverse: true }))).toEqual(all.toReversed());
  for (const limit of [0, 1, 63, 64, 65, 89, 90, 1_000])
    expect(await listed(listSessions(store, { limit }))).toEqual(all.slice(0, limit));
  const after = ids[70]!;
  expect(await listed(listSessions(store, { after }))).toEqual(all.slice(71));
});

test('what is owed is read in one walk for a page of sessions', async () => {
  const disk = await filled();
  await listed(listSessions(disk.mount(), { limit: 20 }));
  expect(disk.reads.get('session')).toBeLessThanOrEqual(20);
  expect(disk.reads.get('outbox')).toBeLessThan(90 * 4);
});
