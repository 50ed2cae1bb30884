import { expect, test } from 'vitest';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { openStore, type Message, type Session } from '../../../src/index.ts';
import { sessionRange } from '../../../src/store/key.ts';
import { openMemoryStore } from '../../../src/store/level/level-store.ts';
import { newDisk } from '../disk.ts';
import { until } from '../turn.ts';

const code = (wanted: string) => expect.objectContaining({ code: wanted }) as Error;
const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });

/** A session whose old turns became checkpoints; turn n names `limit<n>`. */
async function compressed(turns = 40): Promise<Session> {
  const store = await openStore(':memory:');
  const session = await store.open('s', { window: 2_000 });
  for (let n = 1; n <= turns; n += 1) {
    await session.append(user(`Look at part ${n}.`));
    await session.append(
      assistant(`Part ${n} sets limit${n} to ${n}00. ${`note ${n} `.repeat(40)}`),
    );
    await session.assemble();
  }
  await session.settled();
  return session;
}

const ids = (entries: readonly { readonly id: string }[]): readonly string[] =>
  entries.map(({ id }) => id);

test('an id, a range and a marker lead to their entries, byte for byte', async () => {
  const session = await compressed(3);
  expect(await session.expand('e2')).toEqual([await session.entry('e2')]);
  for (const ref of ['e2-e4', 'e2–e4', 'e2..e4', 'e2 to e4', 'e4-e2', '(e2–e4)'])
    expect(ids(await session.expand(ref)), ref).toEqual(['e2', 'e3', 'e4']);
  expect(ids(await session.expand('[… 900 tokens left out, e3 …]'))).toEqual(['e3']);
  expect(ids(await session.expand('[cleared: 900 tokens, e3]'))).toEqual(['e3']);
  expect(ids(await session.expand('e5-e99'))).toEqual(['e5', 'e6']);
  expect(ids(await session.expand('e1-e6', { limit: 2 }))).toEqual(['e1', 'e2']);
});

test('several references lead to the entries of each, once, in the order of the log', async () => {
  const session = await compressed(4);
  const found = await session.expand('e6, e2-e3 and e3');
  expect(ids(found)).toEqual(['e2', 'e3', 'e6']);
});

test('what people typed is left out behind a checkpoint, and not where it is asked for beside one', async () => {
  const session = await compressed();
  const { id, from } = session.state.checkpoints[0]!;
  const human = `e${Number(from.slice(1)) - 1}`;
  expect(ids(await session.expand(id))).not.toContain('e3');
  expect(ids(await session.expand(`${id}, e3`))).toContain('e3');
  expect((await session.entry(human)).role).toBe('user');
});

test('a frame leads to itself and its own entries, not to those of its children', async () => {
  const session = await compressed(1);
  const { id } = await session.push({ title: 'Inner' });
  await session.append(user('inside'));
  await session.pop({ status: 'completed', results: 'Done' });
  await session.append(user('outside'));
  expect(ids(await session.expand(id))).toEqual([id, 'e3']);
  expect(ids(await session.expand('f0'))).toEqual(['f0', 'e1', 'e2', 'e4']);
});

test('a checkpoint leads to every entry that it stands for', async () => {
  const session = await compressed();
  expect(session.state.checkpoints.length).toBeGreaterThan(1);
  for (const { id, from, to, entries } of session.state.checkpoints) {
    const found = await session.expand(id);
    expect(found).toHaveLength(entries);
    const ends = [found[0]!.id, found.at(-1)!.id].map((entry) => Number(entry.slice(1)));
    expect(ends[0]).toBeGreaterThanOrEqual(Number(from.slice(1)));
    expect(ends[1]).toBeLessThanOrEqual(Number(to.slice(1)));
    for (const { id: entry } of found) {
      const place = session.where(entry);
      expect(place).toMatchObject({ place: 'checkpoint', checkpoint: id });
    }
  }
});

test('a checkpoint that was merged into another is found in the journal', async () => {
  const session = await compressed(80);
  const shown = session.state.checkpoints.map(({ id }) => id);
  expect(shown).not.toContain('c1');
  const found = await session.expand('c1');
  expect(found[0]!.id).toBe('e2');
});

test('what leads nowhere is refused by name', async () => {
  const session = await compressed(2);
  await expect(session.expand('e99')).rejects.toThrow(code('ENTRY_NOT_FOUND'));
  await expect(session.expand('f9')).rejects.toThrow(code('FRAME_NOT_FOUND'));
  for (const ref of ['c0', 'c99'])
    await expect(session.expand(ref)).rejects.toThrow(code('CHECKPOINT_NOT_FOUND'));
  for (const ref of ['', 'nothing', 'e42f', 'se2', 'src/e2/a.ts'])
    await expect(session.expand(ref), ref).rejects.toThrow(code('OPTION_INVALID'));
});

test('a sentence of a summary leads to the entry that it was made of', async () => {
  const session = await compressed();
  const [, checkpoint] = session.state.checkpoints;
  const inside = ids(await session.expand(checkpoint!.id));
  const n = Number(inside.find((id) => Number(id.slice(1)) % 2 === 0)!.slice(1)) / 2;
  const [source] = await session.trace({ text: `Part ${n} sets limit${n} to ${n}00.` });
  expect(source!.entry).toBe(`e${n * 2}`);
  const hits = await session.trace({ text: 'part limit note', checkpoint: checkpoint!.id });
  expect(hits.length).toBeGreaterThan(0);
  for (const { entry } of hits) expect(inside).toContain(entry);
  const all = await session.trace({ checkpoint: checkpoint!.id });
  for (const { entry } of all) expect(inside).toContain(entry);
  await expect(session.trace({ checkpoint: 'c99' })).rejects.toThrow(code('CHECKPOINT_NOT_FOUND'));
});

test('a store finds what was said in any of its sessions, rare words first', async () => {
  await using store = await openStore(':memory:');
  for (const id of ['a', 'b', 'c']) {
    const session = await store.open(id, { window: 4_000 });
    await session.append([user(`common word in ${id}`), assistant(`common only`)]);
    if (id === 'b') await session.append(user('common and rare'));
    if (id !== 'c') await session.close();
  }
  const [first, ...rest] = await store.recall('common rare', { limit: 100, tokens: 10_000 });
  expect(first).toMatchObject({ session: 'b', entry: 'e3', text: 'common and rare', whole: true });
  expect(rest).toHaveLength(6);
  const only = await store.recall('common', { session: 'c' });
  expect(new Set(only.map(({ session }) => session))).toEqual(new Set(['c']));
  await expect(store.recall('x', { session: 'nobody' })).rejects.toThrow(code('SESSION_NOT_FOUND'));
});

test('segments are written behind the appends; another process reads only what came after', async () => {
  const rows = await openMemoryStore();
  const disk = await newDisk(rows);
  const store = await openOver(disk.mount());
  const session = await store.open('s', { window: 200_000 });
  await session.append(user('begin'));
  for (let batch = 0; batch < 11; batch += 1)
    await session.append(
      Array.from({ length: 100 }, (_, n) => assistant(`word${batch * 100 + n + 2} common`)),
    );
  await until(() => (disk.writes.get('search') ?? 0) > 0, 20_000);
  await store.close();
  const keys: string[] = [];
  for await (const [key] of rows.range('search', sessionRange('s'))) keys.push(key);
  expect(keys.filter((key) => key.includes(':s/'))).toEqual(['s:s/000000000001']);

  disk.reset();
  const again = await openOver(disk.mount());
  const other = await again.open('s');
  expect(disk.reads.get('search') ?? 0).toBe(0);
  const before = disk.reads.get('entry') ?? 0;
  const [hit] = await other.recall('word7');
  expect(hit!.entry).toBe('e7');
  expect((disk.reads.get('entry') ?? 0) - before).toBeLessThan(1_101 - 1_024 + 20);
  await again.close();
});

test('a killed process loses nothing that search should find', async () => {
  const disk = await newDisk();
  const session = await (await openOver(disk.mount())).open('s', { window: 200_000 });
  await session.append(user('the needle'));
  const other = await (await openOver(disk.mount())).open('s');
  const hits = await other.recall('needle');
  expect(hits.map(({ entry }) => entry)).toEqual(['e1']);
});
