import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { openOver } from '../../src/engine/open/open-store.ts';
import { readJournal } from '../../src/engine/journal/load.ts';
import { parseDocuments, type Fact, type Session } from '../../src/index.ts';
import type { RecordStore } from '../../src/store/store.ts';
import { newDisk } from '../engine/disk.ts';
import { newLocation } from '../store/folder.ts';

// Whichever write fails, and wherever between record and file: what was decided
// on stands in its file exactly once in the end, and nothing else does.

const file = '1970-01-01.md';

/** Rows that take `left` more batches. */
function mortal(inner: RecordStore, left: number): RecordStore {
  let batches = left;
  return {
    ...inner,
    async commit(changes) {
      batches -= 1;
      if (batches < 0) throw new Error('The power is gone');
      await inner.commit(changes);
    },
  };
}

async function play(session: Session): Promise<void> {
  await session.append({ role: 'user', content: 'Build it' });
  await Promise.all([
    session.push({ title: 'Parser' }),
    session.goal.set({ description: 'Ship it', decisions: [{ text: 'Tabs', locked: true }] }),
  ]);
  await session.settled();
  await session.pop({ status: 'completed', results: 'Done' });
  await session.writeDocument();
}

async function factsOf(store: RecordStore): Promise<Fact[]> {
  const facts: Fact[] = [];
  for await (const record of readJournal(store, 's', 0)) facts.push(...record.facts);
  return facts;
}

test('whichever write fails, every document that was decided on stands in its file once', async () => {
  let left = 2;
  for (; ; left += 1) {
    const disk = await newDisk();
    const folder = await newLocation();
    const store = await openOver(mortal(disk.mount(), left), {
      clock: new SimulatedClock(),
      documents: folder,
    });
    const session = await store.open('s', { window: 8_000 });
    const isOver = await play(session).then(
      () => true,
      () => false,
    );
    await store.close();

    const again = await openOver(disk.mount(), { clock: new SimulatedClock(), documents: folder });
    const reopened = await again.open('s');
    await reopened.settled();
    const facts = await factsOf(disk.mount());
    const requested = facts.flatMap((fact) =>
      fact.type === 'document.requested' ? [`s/${fact.key}`] : [],
    );
    const text = await readFile(join(folder, file), 'utf8').catch(() => '');
    expect(parseDocuments(text).map(({ id }) => id)).toEqual(requested);
    expect(facts.filter(({ type }) => type === 'document.failed')).toEqual([]);
    await again.close();
    if (isOver) break;
  }
  expect(left).toBeGreaterThan(10);
});
