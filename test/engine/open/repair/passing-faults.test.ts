import { expect, test } from 'vitest';
import { openOver } from '../../../../src/engine/open/open-store.ts';
import { cutSession } from '../../../../src/engine/open/repair/salvage-session.ts';
import { newestSoundState } from '../../../../src/engine/open/repair/sound-state.ts';
import { load } from '../../../../src/engine/journal/load.ts';
import { newCopies } from '../../../../src/engine/journal/state-copies.ts';
import { verifySession } from '../../../../src/engine/journal/verify-session.ts';
import { journalKey } from '../../../../src/store/key.ts';
import type { RecordStore } from '../../../../src/store/store.ts';
import { failingOnce, newDisk, passing, type Disk } from '../../disk.ts';

const said = 40;

/** A disk with a session of forty entries. */
async function saidDisk(): Promise<Disk> {
  const disk = await newDisk();
  const store = await openOver(disk.mount());
  const session = await store.open('s', { window: 2_000 });
  for (let n = 1; n <= said; n += 1)
    await session.append({ role: 'assistant', content: `said ${n} ${'and more '.repeat(40)}` });
  await store.close();
  return disk;
}

const rowsOf = async (records: RecordStore): Promise<number> => {
  let count = 0;
  for await (const _ of records.rows()) count += 1;
  return count;
};

test.each(['journal', 'entry', 'state'] as const)(
  'a session of which %s rows cannot be read for a moment is neither cut nor called damaged',
  async (kind) => {
    const disk = await saidDisk();
    const rows = await rowsOf(disk.mount());
    for (const nth of [1, 2, 3, 4]) {
      const work = async (act: (store: RecordStore) => Promise<unknown>): Promise<unknown> =>
        act(failingOnce(disk.mount(), { kind, nth })).catch((error: unknown) => error);
      expect([null, passing]).toContain(await work((store) => cutSession(store, 's')));
      const check = await work((store) => verifySession(store, 's'));
      expect(check === passing || (check as { isSound: boolean }).isSound).toBe(true);
      expect(await rowsOf(disk.mount())).toBe(rows);
    }
  },
);

test('what cannot be read for a moment does not end the search for a sound state early', async () => {
  const disk = await saidDisk();
  const journal = failingOnce(disk.mount(), { kind: 'journal', nth: 1 });
  await expect(newestSoundState(journal, 's')).rejects.toBe(passing);
});

test('a session of which a record is lost for good is cut', async () => {
  const disk = await saidDisk();
  const records = disk.mount();
  await records.commit([{ type: 'del', kind: 'journal', key: journalKey('s', said) }]);
  for await (const [key] of records.range('state', {}))
    await records.commit([{ type: 'del', kind: 'state', key }]);
  expect(await cutSession(records, 's')).toMatchObject({ after: said - 1 });
});

test('a copy of the state by other machines does not stand in for a journal that cannot be read for a moment', async () => {
  const disk = await saidDisk();
  const records = disk.mount();
  const { state } = (await load(records, 's'))!;
  await records.commit(newCopies().next(state));
  for await (const [key, value] of records.range('state', {})) {
    const row = value as { readonly copy: object };
    const copy = { ...row.copy, machines: {} };
    await records.commit([{ type: 'put', kind: 'state', key, value: { ...row, copy } }]);
  }
  await expect(load(failingOnce(records, { kind: 'journal', nth: 1 }), 's')).rejects.toBe(passing);
  await records.commit([{ type: 'del', kind: 'journal', key: journalKey('s', 1) }]);
  expect((await load(records, 's'))!.state.seq).toBe(state.seq);
});
