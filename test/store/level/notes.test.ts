import { readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openStore, salvageStore } from '../../../src/index.ts';
import { readNoted } from '../../../src/store/guard.ts';
import { newNotes } from '../../../src/store/level/notes.ts';
import { copyOf, filesIn, newLocation } from '../folder.ts';

const total = 40;

/** A store as a kill leaves it, once how far its session came was noted, or half a second after it was written to. */
async function killed(durability: 'power' | 'process'): Promise<string> {
  const location = await newLocation();
  await using store = await openStore(location, { durability });
  const session = await store.open('s', { window: 8_192 });
  for (let n = 1; n <= total; n += 1)
    await session.append({ role: 'user', content: `${n} ${'words '.repeat(50)}` });
  const isNoted = async (): Promise<void> =>
    expect((await readNoted(location)).heads?.get('s')).toEqual([total + 1, total]);
  await (durability === 'power' ? vi.waitFor(isNoted, { timeout: 20_000 }) : sleep(500));
  return await copyOf(location);
}

test('an end that a killed store lost is told as far as it was noted, and its ids are not given again', async () => {
  const location = await killed('power');
  expect((await readNoted(location)).heads?.get('s')).toEqual([total + 1, total]);
  await expect(openAll(await copyOf(location))).resolves.toBe(total);
  const [log = ''] = await filesIn(location, /\.log$/);
  const { length } = await readFile(join(location, log));
  await truncate(join(location, log), length >> 1);
  const store = await openStore(location);
  await expect(store.open('s')).rejects.toMatchObject({
    code: 'RECORD_DAMAGED',
    detail: { session: 's', noted: total + 1 },
  });
  for await (const { isSound, entries } of store.verify()) {
    expect(isSound).toBe(false);
    expect(entries.lost.at(-1)).toMatchObject({ to: `e${total}`, reason: 'missing' });
  }
  await store.close();
  const copy = await newLocation();
  await salvageStore(location, copy);
  await using whole = await openStore(copy);
  const { id } = await (await whole.open('s')).append({ role: 'user', content: 'Go on.' });
  expect(id).toBe(`e${total + 1}`);
});

test('what was not synced is not missed', async () => {
  const location = await killed('process');
  expect((await readNoted(location)).heads?.has('s')).toBe(false);
});

test('notes come one after the other, at most one for many changes, and none behind the last', async () => {
  let running = 0;
  let notes = 0;
  const { soon, now, end } = newNotes(async () => {
    expect((running += 1)).toBe(1);
    await sleep(5);
    running -= 1;
    notes += 1;
  });
  for (let n = 0; n < 1_000; n += 1) soon();
  await Promise.all([now(), now()]);
  await vi.waitFor(() => expect(notes).toBe(3));
  soon();
  await end();
  soon();
  await sleep(300);
  expect(notes).toBe(4);
});

async function openAll(location: string): Promise<number> {
  await using store = await openStore(location);
  return (await store.open('s')).state.entries;
}
