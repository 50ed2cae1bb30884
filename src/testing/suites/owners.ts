import assert from 'node:assert/strict';
import { isEngineError } from '../../core/values/error.ts';
import { entryKey, journalKey } from '../../store/key.ts';
import type { RecordKind, RecordStore } from '../../store/store.ts';
import { all, put, rejects } from './check.ts';

/** A test of two stores over the same records. */
type OwnerCheck = (one: RecordStore, other: RecordStore) => Promise<void>;
type DamageCheck = (
  store: RecordStore,
  damage: (kind: RecordKind, key: string) => Promise<void>,
) => Promise<void>;

const mine = 'mine';
const theirs = 'theirs';

/** Who commits; a new one is a state that was read anew. */
interface Owner {
  readonly name: string;
}

const owner = (name: string): Owner => ({ name });

/** Commits record `seq` of a session with its entry, decided on the one before. */
function write(
  store: RecordStore,
  by: Owner,
  { seq, session = 's' }: { readonly seq: number; readonly session?: string },
): Promise<void> {
  const changes = [
    put('journal', journalKey(session, seq), by.name),
    put('entry', entryKey(session, seq), by.name),
  ];
  return store.commit(changes, { expect: { session, seq: seq - 1, born: 1, owner: by } });
}

const journal = async (store: RecordStore): Promise<unknown[]> =>
  (await all(store, 'journal', {})).map(([, value]) => value);

/** What two owners of one session may do to each other. */
export const ownerChecks: Readonly<Record<string, OwnerCheck>> = {
  'of two owners the one with a stale head is refused, and writes nothing': async (one, other) => {
    const [me, them] = [owner(mine), owner(theirs)];
    await write(one, me, { seq: 1 });
    await write(other, them, { seq: 2 });
    await rejects('CONFLICT', write(one, me, { seq: 2 }));
    assert.deepEqual(await journal(one), [mine, theirs]);
    assert.equal(await one.get('entry', entryKey('s', 2)), theirs);
  },
  'who was refused stays so until the session is read anew': async (one, other) => {
    const [me, them] = [owner(mine), owner(theirs)];
    await write(other, them, { seq: 1 });
    await rejects('CONFLICT', write(one, me, { seq: 1 }));
    await rejects('CONFLICT', write(one, me, { seq: 2 }));
    await write(one, owner(mine), { seq: 2 });
    assert.deepEqual(await journal(other), [theirs, mine]);
  },
  'of two commits at once one is written, whole': async (one, other) => {
    for (let seq = 1; seq <= 20; seq += 1) {
      const both = [write(one, owner(mine), { seq }), write(other, owner(theirs), { seq })];
      const ends = await Promise.allSettled(both);
      const lost = ends.flatMap((end) =>
        end.status === 'rejected' ? [end.reason as unknown] : [],
      );
      assert.equal(lost.length, 1);
      assert.ok(isEngineError(lost[0], 'CONFLICT'));
      const winner = ends[0]!.status === 'fulfilled' ? mine : theirs;
      assert.equal(await one.get('journal', journalKey('s', seq)), winner);
      assert.equal(await other.get('entry', entryKey('s', seq)), winner);
    }
  },
  'all that was decided on a state that is not so is refused, and nobody else': async (
    one,
    other,
  ) => {
    await write(other, owner(theirs), { seq: 1 });
    const me = owner(mine);
    const calls = [1, 2, 3].map((seq) => write(one, me, { seq }));
    const neighbor = write(one, owner(mine), { seq: 1, session: 'neighbor' });
    for (const { status } of await Promise.allSettled(calls)) assert.equal(status, 'rejected');
    await neighbor;
    assert.deepEqual(await journal(one), [mine, theirs]);
    assert.equal(await one.get('entry', entryKey('s', 2)), undefined);
  },
  'steps that follow each other without a wait are all written': async (one, other) => {
    const me = owner(mine);
    await Promise.all(Array.from({ length: 50 }, (_, n) => write(one, me, { seq: n + 1 })));
    assert.equal((await journal(other)).length, 50);
    await write(other, owner(theirs), { seq: 51 });
  },
  'a step too far ahead is refused: one before it is missing': async (one) => {
    await write(one, owner(mine), { seq: 1 });
    await rejects('CONFLICT', write(one, owner(mine), { seq: 3 }));
  },
  'who reads while another writes sees each commit whole': async (one, other) => {
    const me = owner(mine);
    const over = new AbortController();
    const writing = (async () => {
      for (let seq = 1; seq <= 100; seq += 1) await write(one, me, { seq });
      over.abort();
    })();
    while (!over.signal.aborted) {
      const entries = await all(other, 'entry', {});
      const records = await journal(other);
      assert.ok(records.length >= entries.length);
      assert.deepEqual(
        entries.map(([key]) => key),
        entries.map((_, n) => entryKey('s', n + 1)),
      );
    }
    await writing;
  },
};

/** What damage of a record does. */
export const damageChecks: Readonly<Record<string, DamageCheck>> = {
  'a damaged record is named wherever it is read, and its neighbors are sound': async (
    store,
    damage,
  ) => {
    const [first, second] = [entryKey('s', 1), entryKey('s', 2)];
    await store.commit([put('entry', first, { words: 'sound' })]);
    await store.commit([put('entry', second, { words: 'sound' })]);
    await damage('entry', second);
    const isNamed = (error: unknown): boolean =>
      isEngineError(error, 'RECORD_DAMAGED') && error.detail['key'] === second;
    await assert.rejects(store.get('entry', second), isNamed);
    await assert.rejects(store.getMany('entry', [first, second]), isNamed);
    await assert.rejects(all(store, 'entry', {}), isNamed);
    assert.deepEqual(await store.get('entry', first), { words: 'sound' });
  },
};
