import { expect, test } from 'vitest';
import { fail } from '../../../src/core/values/error.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import type { SessionFact } from '../../../src/index.ts';
import type { RecordStore } from '../../../src/store/store.ts';
import { openMemoryStore } from '../../../src/store/level/level-store.ts';

/** A store whose disk can be filled. */
async function newFullableStore(): Promise<RecordStore & { isFull: boolean }> {
  const rows = await openMemoryStore();
  const store = {
    isFull: false,
    location: rows.location,
    get: rows.get.bind(rows),
    getMany: rows.getMany.bind(rows),
    range: rows.range.bind(rows),
    rows: rows.rows.bind(rows),
    erase: rows.erase.bind(rows),
    close: rows.close.bind(rows),
    async commit(...given: Parameters<RecordStore['commit']>) {
      if (store.isFull) throw fail('STORE_UNAVAILABLE', 'The disk is full', { location: 'disk' });
      return rows.commit(...given);
    },
  };
  return store;
}

const refused = expect.objectContaining({ code: 'STORE_UNAVAILABLE' });

test('a snapshot that a full disk does not take is told as failed, and is none', async () => {
  const records = await newFullableStore();
  const store = await openOver(records);
  const session = await store.open('s', { window: 8_000 });
  await session.append({ role: 'user', content: 'Build it' });
  const heard: SessionFact[] = [];
  session.on('*', (fact) => void heard.push(fact));
  records.isFull = true;
  await expect(session.snapshots.create('before')).rejects.toEqual(refused);
  expect(heard).toMatchObject([
    { type: 'snapshot.failed', snapshot: 's1', by: 'person', reason: 'The disk is full' },
  ]);
  records.isFull = false;
  const again = await openOver(records).then((store) => store.open('s'));
  expect(again.snapshots.list()).toEqual([]);
});

test('so is one that the engine made as the window filled', async () => {
  const records = await newFullableStore();
  const store = await openOver(records);
  const session = await store.open('s', { window: 2_000, reserve: 0 });
  const heard: SessionFact[] = [];
  session.on('snapshot.failed', (fact) => void heard.push(fact));
  records.isFull = true;
  const content = 'A long request, word after word. '.repeat(60);
  const said = Array.from({ length: 6 }, () => ({ role: 'assistant' as const, content }));
  const messages = [{ role: 'user' as const, content: 'Go' }, ...said];
  await expect(session.append(messages)).rejects.toEqual(refused);
  expect(heard[0]).toMatchObject({ by: 'threshold', reason: 'The disk is full' });
});
