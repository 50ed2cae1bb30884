import { join } from 'node:path';
import { Level } from 'level';
import { beforeAll, expect, test } from 'vitest';
import { openStore } from '../../../src/engine/open/open-store.ts';
import { entryKey, journalKey, outboxKey } from '../../../src/store/key.ts';
import { copyOf, newFolder } from '../../store/folder.ts';
import { flamestack } from '../call.ts';

// A store of three sessions whose rows are harmed behind its back; each test harms a copy.

const total = 30;
let sound: string;

beforeAll(async () => {
  sound = join(await newFolder(), 'store');
  const store = await openStore(sound);
  for (const id of ['one', 'two', 'three']) {
    const session = await store.open(id, { window: 2_000 });
    for (let n = 1; n <= total; n += 1)
      await session.append({ role: 'assistant', content: `${id} ${n} ${'and more '.repeat(80)}` });
  }
  await store.close();
});

type Kind = 'meta' | 'session' | 'journal' | 'entry' | 'outbox';

/** A copy of the store with rows deleted (`null`) or changed. */
async function harmed(
  ...harms: readonly (readonly [kind: Kind, key: string, to: 'gone' | 'changed'])[]
): Promise<string> {
  const location = await copyOf(sound);
  const db = new Level(location);
  for (const [kind, key, to] of harms) {
    const rows = db.sublevel(kind);
    if (to === 'gone') await rows.del(key);
    else await rows.put(key, `${(await rows.get(key)) ?? '00000000 "effect"'}~`);
  }
  await db.close();
  return location;
}

const journalEnd = async (id: string): Promise<string> => {
  const db = new Level(await copyOf(sound));
  const [last = ''] = await db
    .sublevel('journal')
    .keys({ lt: `${id};`, reverse: true, limit: 1 })
    .all();
  await db.close();
  return last;
};

test('a sound store is told to be, and each session with what it has', async () => {
  const { exit, out, err } = await flamestack(`verify --store ${sound}`);
  expect(exit).toBe(0);
  expect(out).toMatch(/^one: sound \(30 entries, 3\d records\)\nthree: sound .*\ntwo: sound .*\n$/);
  expect(err).toContain('3 sessions checked, all sound.');
  const { sessions, isSound } = JSON.parse(
    (await flamestack(`verify two --json --store ${sound}`)).out,
  );
  expect(isSound).toBe(true);
  expect(sessions).toMatchObject([
    {
      id: 'two',
      isSound: true,
      entries: { sound: total, lost: [] },
      journal: { lost: [] },
      damaged: [],
    },
  ]);
});

test('what a repair could not bring back is known from then on, and no damage', async () => {
  const store = await harmed(
    ['entry', entryKey('one', 3), 'gone'],
    ['journal', journalKey('two', 5), 'gone'],
  );
  const { exit, out } = await flamestack(`repair --store ${store}`);
  expect(exit).toBe(4);
  expect(out).toContain('  lost entries: e3 (missing)\n');
  const verified = await flamestack(`verify --store ${store}`);
  expect(verified).toMatchObject({ exit: 0 });
  expect(verified.out).toMatch(/^one: sound \(.*\n {2}gone for good, entries: e3\nthree: sound/);
  expect(verified.err).toContain('3 sessions checked, all sound; of 1, what is gone is known.\n');
  expect(verified.err).not.toContain('flamestack repair');
  const again = await flamestack(`repair --store ${store}`);
  expect(again).toMatchObject({ exit: 0, out: 'one\n  gone for good, entries: e3\n' });
});

test('a check that somebody ends is no failure', async () => {
  const told = await flamestack(`verify --store ${sound}`, { signal: AbortSignal.abort(130) });
  expect(told).toEqual({ exit: 130, out: '', err: '' });
});

test('entries that are lost are named, and the check goes on past them', async () => {
  const store = await harmed(
    ['entry', entryKey('one', 3), 'gone'],
    ['entry', entryKey('one', 4), 'gone'],
    ['entry', entryKey('one', 6), 'changed'],
    ['journal', journalKey('two', 5), 'gone'],
  );
  const { exit, out, err } = await flamestack(`verify --store ${store}`);
  expect(exit).toBe(4);
  expect(out).toContain('one: DAMAGED (27 entries, ');
  expect(out).toContain('  lost entries: e3-e4 (missing), e6 (changed)\n');
  expect(out).toContain('  lost records of the journal: 5 (missing)\n');
  expect(out).toContain('three: sound');
  expect(err).toContain('3 sessions checked, 2 damaged.');
  expect(err).toContain(`flamestack repair --store ${store}\n`);
  expect(err).toContain(`flamestack salvage ${store} --to <new folder>`);
  const found = await flamestack(`verify one --json --store ${store}`);
  expect(found.exit).toBe(4);
  expect(JSON.parse(found.out)).toMatchObject({
    schema: 'flamestack.verify/1',
    isSound: false,
    sessions: [
      {
        id: 'one',
        entries: { lost: [{ from: 'e3', to: 'e4', reason: 'missing' }, { from: 'e6' }] },
      },
    ],
  });
});

test('export and log go on past lost entries, say which, and end with code 4', async () => {
  const store = await harmed(
    ['entry', entryKey('one', 3), 'gone'],
    ['entry', entryKey('one', 6), 'changed'],
  );
  for (const command of ['export', 'export --as md', 'log', 'log --reverse']) {
    const { exit, out, err } = await flamestack(`${command} one --store ${store}`);
    expect(exit).toBe(4);
    expect(out).toContain('one 30 and more');
    expect(out).toContain('one 5 and more');
    expect(err).toMatch(
      /left out of one: (e3 \(missing\), e6 \(changed\)|e6 \(changed\), e3 \(missing\))/,
    );
  }
  const { err } = await flamestack(`export one --json --store ${store}`);
  expect(JSON.parse(err)).toMatchObject({ session: 'one', lost: [{ from: 'e3' }, { from: 'e6' }] });
});

test('search and trace go on past lost entries, say which, and end with code 4', async () => {
  const store = await harmed(
    ['entry', entryKey('one', 3), 'gone'],
    ['entry', entryKey('one', 6), 'changed'],
  );
  for (const words of ['one 30 --session one', 'one 30']) {
    const { exit, out, err } = await flamestack(`search ${words} --store ${store}`);
    expect(exit).toBe(4);
    expect(out).toContain('one 30 and more');
    expect(err).toMatch(/left out.*: (one )?e3 \(missing\), (one )?e6 \(changed\)/);
  }
  const traced = await flamestack(`trace one 30 and more --session one --store ${store}`);
  expect(traced.exit).toBe(4);
  expect((await flamestack(`search two 30 --session two --store ${store}`)).exit).toBe(0);
});

test('ls lists what is sound, and names a session with a damaged newest record or header', async () => {
  const end = await journalEnd('one');
  const store = await harmed(['journal', end, 'changed'], ['session', 'two', 'changed']);
  const { exit, out, err } = await flamestack(`ls --store ${store}`);
  expect(exit).toBe(0);
  expect(out).toMatch(/damaged .* one$/m);
  expect(out).toMatch(/damaged .* two$/m);
  expect(out).toMatch(/^@1 .* 0 .* three$/m);
  expect(err).toContain(`one is damaged: Record "${end}" of the kind journal`);
  expect(err).toContain('flamestack verify one --store');
  const { sessions } = JSON.parse((await flamestack(`ls --json --store ${store}`)).out);
  expect(sessions).toHaveLength(3);
  expect((await flamestack(`show three --store ${store}`)).exit).toBe(0);
  const check = await flamestack(`verify --store ${store}`);
  expect(check.exit).toBe(4);
  expect(check.out).toContain('cannot be opened: Record');
  expect(check.out).toContain('session: two is changed');
});

test('a session of which no list knows is verified by its id', async () => {
  const store = await harmed(['session', 'two', 'gone']);
  expect((await flamestack(`verify two --store ${store}`)).out).toContain('two: ');
  expect((await flamestack(`verify four --store ${store}`)).exit).toBe(3);
});

test.each(['changed', 'gone'] as const)(
  'a store whose format row is %s opens, since its guard knows the format, and has it again',
  async (to) => {
    const store = await harmed(['meta', 'format', to]);
    expect((await flamestack(`ls --store ${store}`)).exit).toBe(0);
    await (await openStore(store)).close();
    const db = new Level(store);
    expect(await db.sublevel('meta').get('format')).toMatch(/\{"version":1,"id":\d+\}$/);
    await db.close();
  },
);

test('a damaged row of owed work keeps nothing from opening', async () => {
  const store = await harmed(['outbox', outboxKey('one', 'timer f0'), 'changed']);
  expect((await flamestack(`ls --store ${store}`)).exit).toBe(0);
  const { exit, out } = await flamestack(`verify one --store ${store}`);
  expect(exit).toBe(4);
  expect(out).toContain('outbox: one:timer%0020f0 is changed');
});
