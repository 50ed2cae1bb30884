import assert from 'node:assert/strict';
import { entryKey, journalKey, seqRange, sessionKey, sessionRange } from '../../store/key.ts';
import { kinds, type KeyRange } from '../../store/store.ts';
import { all, put, rejects, type StoreCheck } from './check.ts';

/** The tests of one store after another. */
export const storeChecks = (): Readonly<Record<string, StoreCheck>> => ({
  ...reading,
  ...writing,
  ...ranges,
  ...closed,
  ...erased,
});

const erased: Record<string, StoreCheck> = {
  'a session that is erased is gone whole, and no other one': async (store) => {
    const rows = (session: string) =>
      kinds.map((kind) => put(kind, kind === 'session' ? session : entryKey(session, 1), session));
    await store.commit([...rows('s'), ...rows('s-1'), ...rows('t')]);
    const { rows: deleted } = await store.erase('s');
    assert.equal(deleted, kinds.length - 1);
    for (const kind of kinds) {
      const left = (await all(store, kind, {})).map(([, value]) => value);
      assert.deepEqual(left, kind === 'meta' ? left : ['s-1', 't'], kind);
    }
    assert.deepEqual((await store.erase('s')).rows, 0);
  },
  'a session that was erased begins anew': async (store) => {
    const step = (seq: number, owner: object, born = 1) =>
      store.commit([put('journal', journalKey('s', seq + 1), { seq })], {
        expect: { session: 's', seq, born, owner },
      });
    const owner = {};
    await step(0, owner);
    await step(1, owner);
    await store.erase('s');
    await rejects('CONFLICT', step(2, {}));
    await step(0, {}, 2);
    await rejects('CONFLICT', step(1, {}));
    assert.equal((await all(store, 'journal', {})).length, 1);
  },
};

const reading: Record<string, StoreCheck> = {
  'a key that was never written is undefined': async (store) => {
    assert.equal(await store.get('entry', 'missing'), undefined);
    assert.deepEqual(await store.getMany('entry', ['one', 'two']), [undefined, undefined]);
    assert.deepEqual(await store.getMany('entry', []), []);
  },
  'values come back equal, whatever JSON can hold': async (store) => {
    const values = [
      null,
      true,
      0,
      -1.5e300,
      '',
      'ü \u{1f525} \ud800 \u0000 "\\',
      [],
      [[]],
      { '': {} },
    ];
    await store.commit(values.map((value, index) => put('entry', entryKey('s', index), value)));
    const keys = values.map((_, index) => entryKey('s', index));
    assert.deepEqual(await store.getMany('entry', keys), values);
    for (const [index, value] of values.entries()) {
      assert.deepEqual(await store.get('entry', entryKey('s', index)), value);
    }
  },
  'a value of a million characters comes back': async (store) => {
    const value = { text: 'long '.repeat(200_000) };
    await store.commit([put('text', 'a', value)]);
    assert.deepEqual(await store.get('text', 'a'), value);
  },
  'each kind has keys of its own': async (store) => {
    await store.commit(kinds.map((kind) => put(kind, 'same', kind)));
    for (const kind of kinds) assert.equal(await store.get(kind, 'same'), kind);
    await store.commit([{ type: 'del', kind: 'text', key: 'same' }]);
    assert.equal(await store.get('text', 'same'), undefined);
    assert.equal(await store.get('state', 'same'), 'state');
  },
  'many keys are answered in the order they were asked for': async (store) => {
    await store.commit([put('entry', 'a', 1), put('entry', 'b', 2)]);
    const answers = await store.getMany('entry', ['b', 'none', 'a', 'b']);
    assert.deepEqual(answers, [2, undefined, 1, 2]);
  },
};

const writing: Record<string, StoreCheck> = {
  'changes of one commit apply in their order': async (store) => {
    await store.commit([
      put('entry', 'a', 1),
      { type: 'del', kind: 'entry', key: 'a' },
      put('entry', 'b', 1),
      put('entry', 'b', 2),
    ]);
    assert.deepEqual(await store.getMany('entry', ['a', 'b']), [undefined, 2]);
  },
  'commits apply in the order of their calls, awaited or not': async (store) => {
    const calls = Array.from({ length: 200 }, (_, n) =>
      store.commit([put('entry', 'last', n), put('journal', journalKey('s', n), n)]),
    );
    await Promise.all(calls);
    assert.equal(await store.get('entry', 'last'), 199);
    assert.equal((await all(store, 'journal', {})).length, 200);
  },
  'a commit of nothing resolves, after those before it': async (store) => {
    const before = store.commit([put('entry', 'a', 1)]);
    await store.commit([]);
    assert.equal(await store.get('entry', 'a'), 1);
    await before;
  },
  'a value that changes after the call is kept as it was': async (store) => {
    const value = { words: 'before' };
    const call = store.commit([put('entry', 'a', value)]);
    value.words = 'after';
    await call;
    assert.deepEqual(await store.get('entry', 'a'), { words: 'before' });
  },
  'a commit with a value that is no JSON writes nothing and hurts nobody': async (store) => {
    const call = store.commit([put('entry', 'a', 1), put('entry', 'b', undefined)]);
    await assert.rejects(call, TypeError);
    assert.equal(await store.get('entry', 'a'), undefined);
    await store.commit([put('entry', 'a', 2)]);
    assert.equal(await store.get('entry', 'a'), 2);
  },
};

const ranges: Record<string, StoreCheck> = {
  'a range honors its bounds, its direction and its limit': async (store) => {
    await store.commit(['b', 'a', 'd', 'c'].map((key) => put('entry', key, key)));
    const cases: [KeyRange, string][] = [
      [{}, 'abcd'],
      [{ gte: 'b' }, 'bcd'],
      [{ gt: 'b' }, 'cd'],
      [{ lt: 'c' }, 'ab'],
      [{ lte: 'c' }, 'abc'],
      [{ gt: 'a', lte: 'c', reverse: true }, 'cb'],
      [{ reverse: true, limit: 2 }, 'dc'],
      [{ limit: 0 }, ''],
      [{ gt: 'd' }, ''],
    ];
    for (const [range, expected] of cases) {
      const found = await all(store, 'entry', range);
      assert.equal(found.map(([key]) => key).join(''), expected, JSON.stringify(range));
      for (const [key, value] of found) assert.equal(value, key);
    }
  },
  'a range of many rows comes whole, in order, either way': async (store) => {
    const total = 3_000;
    const changes = Array.from({ length: total }, (_, n) => put('journal', journalKey('s', n), n));
    await store.commit(changes);
    const up = (await all(store, 'journal', sessionRange('s'))).map(([, n]) => n);
    const down = (await all(store, 'journal', sessionRange('s', { reverse: true }))).map(
      ([, n]) => n,
    );
    assert.deepEqual(
      up,
      Array.from({ length: total }, (_, n) => n),
    );
    assert.deepEqual(down, up.toReversed());
    const middle = await all(store, 'journal', seqRange('s', { after: 10, before: 2_000 }));
    assert.equal(middle.length, 1_989);
    assert.deepEqual(middle[0], [journalKey('s', 11), 11]);
  },
  'the range of a session holds nothing of its neighbors': async (store) => {
    const sessions = ['a', 'a-', 'a.b', 'a0', 'aa', 'A', 'a_'];
    await store.commit(sessions.flatMap((id) => [put('entry', entryKey(id, 1), id)]));
    await store.commit(sessions.map((id) => put('session', sessionKey(id), id)));
    for (const id of sessions) {
      const found = await all(store, 'entry', sessionRange(id));
      assert.deepEqual(found, [[entryKey(id, 1), id]]);
    }
  },
  'a reader may leave early': async (store) => {
    await store.commit(Array.from({ length: 500 }, (_, n) => put('entry', entryKey('s', n), n)));
    for await (const [, value] of store.range('entry', {})) if (value === 20) break;
    await store.commit([put('entry', 'a', 1)]);
  },
  'an aborted range rejects with the reason of its signal': async (store) => {
    await store.commit(Array.from({ length: 50 }, (_, n) => put('entry', entryKey('s', n), n)));
    const before = all(store, 'entry', { signal: AbortSignal.abort('no more') });
    assert.equal(await before.catch((error: unknown) => error), 'no more');
    const controller = new AbortController();
    const seen: unknown[] = [];
    const during = (async () => {
      for await (const [, value] of store.range('entry', { signal: controller.signal })) {
        seen.push(value);
        if (value === 5) controller.abort(new RangeError('enough'));
      }
    })();
    await assert.rejects(during, new RangeError('enough'));
    assert.deepEqual(seen, [0, 1, 2, 3, 4, 5]);
  },
};

const closed: Record<string, StoreCheck> = {
  'a closed store refuses every call but close': async (store) => {
    await store.commit([put('entry', 'a', 1)]);
    await store.close();
    await store.close();
    await rejects('STORE_CLOSED', store.get('entry', 'a'));
    await rejects('STORE_CLOSED', store.getMany('entry', ['a']));
    await rejects('STORE_CLOSED', all(store, 'entry', {}));
    await rejects('STORE_CLOSED', store.commit([put('entry', 'a', 2)]));
    await rejects('STORE_CLOSED', store.commit([]));
  },
  'closing waits for commits under way and takes no new ones': async (store) => {
    const done: unknown[] = [];
    const large = 'several groups '.repeat(100_000);
    const commits = [1, 2, 3].map(async (n) => {
      await store.commit([put('text', `${n}`, large)]);
      done.push(n);
    });
    const close = store.close().then(() => done.push('close'));
    await rejects('STORE_CLOSED', store.commit([put('entry', 'b', 1)]));
    await Promise.all([...commits, close]);
    assert.deepEqual(done, [1, 2, 3, 'close']);
  },
  'a read that is under way when the store closes is still answered': async (store) => {
    await store.commit([put('entry', 'a', 1)]);
    const reads = [store.get('entry', 'a'), store.getMany('entry', ['a'])];
    await store.close();
    assert.deepEqual(await Promise.all(reads), [1, [1]]);
  },
  'a range that is open when the store closes ends with an error': async (store) => {
    await store.commit(Array.from({ length: 500 }, (_, n) => put('entry', entryKey('s', n), n)));
    const reader = store.range('entry', {})[Symbol.asyncIterator]();
    await reader.next();
    await store.close();
    const rest = (async () => {
      while ((await reader.next()).done !== true);
    })();
    await rejects('STORE_CLOSED', rest);
  },
};
