import { expect, test } from 'vitest';
import { openStore, type Message, type Session } from '../../../src/index.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { replayed } from '../replayed.ts';
import { prose } from '../../../src/testing/made-text.ts';
import { newDisk } from '../disk.ts';

const person = (content: string): Message => ({ role: 'user', content });
const model = (content: string): Message => ({ role: 'assistant', content });
const talk = (turns: number, size = 40): Message[] =>
  Array.from({ length: turns }, (_, n): Message[] => [
    person(`Step ${n}: ${prose(size, n)}`),
    model(`Done ${n}. ${prose(size, n + 500)}`),
  ]).flat();

const other = person('Take another way here.');

async function working(session: Session): Promise<unknown[]> {
  const { messages } = await session.assemble();
  return messages.filter(({ entry }) => entry !== undefined).map(({ content }) => content);
}
const said = (list: readonly Message[]): unknown[] => list.map(({ content }) => content);

test('after a fork the assembly holds the branch that the host has, the old one is behind one breadcrumb', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  await session.sync(talk(4));
  const branch = [...talk(4).slice(0, 4), other];
  expect(await session.sync(branch)).toEqual({
    relation: 'fork',
    appended: ['e9'],
    lost: [],
    forkedAt: 'e5',
  });
  expect(await working(session)).toEqual(said(branch));
  expect(session.where('e6')).toEqual({
    place: 'left',
    entry: 'e6',
    frame: 'f0',
    from: 'e5',
    to: 'e8',
  });
  const { messages } = await session.assemble();
  const breadcrumbs = JSON.stringify(messages).match(/<left [^>]*>/g);
  expect(breadcrumbs).toEqual(['<left by=\\"fork\\" entries=\\"e5–e8\\"/>']);
  const on = [...branch, model('Gladly.')];
  expect(await session.sync(on)).toMatchObject({ relation: 'append', appended: ['e10'] });
  expect(await working(session)).toEqual(said(on));
});

test('recall, trace and the log still find the old branch, and a view before the fork shows it', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  const old = [
    ...talk(2),
    person('Use the zebrafish parser.'),
    model('The zebrafish parser it is.'),
  ];
  await session.sync(old);
  const { seq } = session.state;
  await session.sync([...talk(2), other]);
  expect((await session.recall('zebrafish')).map(({ entry }) => entry).toSorted()).toEqual([
    'e5',
    'e6',
  ]);
  expect((await session.entry('e5')).content).toBe('Use the zebrafish parser.');
  const before = await (await session.at({ seq })).assemble();
  expect(before.messages.map(({ content }) => content)).toEqual(said(old));
});

test('a host that goes back to a branch that it left finds it as it was, and nothing is appended twice', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  const old = talk(4);
  await session.sync(old);
  const branch = [...old.slice(0, 4), other, model('Gladly.')];
  await session.sync(branch);
  const back = [...old, person('On we go.')];
  expect(await session.sync(back)).toMatchObject({ relation: 'fork', appended: ['e11'] });
  expect(await working(session)).toEqual(said(back));
  expect(session.where('e9').place).toBe('left');
  expect(await session.sync([...branch, person('Or here.')])).toMatchObject({ appended: ['e12'] });
  expect(await working(session)).toEqual(said([...branch, person('Or here.')]));
  const middle = [...old.slice(0, 6), person('A third way.')];
  expect(await session.sync(middle)).toMatchObject({ relation: 'fork', appended: ['e13'] });
  expect(await working(session)).toEqual(said(middle));
  const places = Array.from({ length: 13 }, (_, n) => session.where(`e${n + 1}`).place);
  expect(places.map((place) => (place === 'verbatim' ? '+' : '-')).join('')).toBe('++++++------+');
});

test('a retry leaves the answer that was thrown away, and a turn taken back leaves the turn', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  await session.sync(talk(3));
  expect(await session.sync(talk(3).slice(0, 5))).toEqual({
    relation: 'fork',
    appended: [],
    lost: [],
    forkedAt: 'e6',
  });
  const anew = [...talk(3).slice(0, 5), model('Another answer.')];
  expect(await session.sync(anew)).toMatchObject({ relation: 'append', appended: ['e7'] });
  expect(await working(session)).toEqual(said(anew));
  expect(await session.sync(talk(3).slice(0, 2))).toMatchObject({
    relation: 'fork',
    lost: [],
    forkedAt: 'e3',
  });
  expect(await working(session)).toEqual(said(talk(1)));
});

test('a fork within what a checkpoint covers goes back to before it', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 4_000, reserve: 0 });
  const list: Message[] = [];
  for (let turn = 1; session.state.compressions < 2; turn += 1) {
    list.push(person(`Do part ${turn}. ${prose(60, turn)}`), model(`Did it. ${prose(200, turn)}`));
    await session.sync(list);
  }
  expect(session.where('e4').place).toBe('checkpoint');
  const branch = [...list.slice(0, 4), other];
  expect(await session.sync(branch)).toMatchObject({ relation: 'fork', forkedAt: 'e5' });
  expect(session.state.checkpoints).toEqual([]);
  expect(await working(session)).toEqual(said(branch));
  expect(session.where('e4').place).toBe('verbatim');
});

test('a fork in a list that came in at once makes room for what stays', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 4_000, reserve: 0 });
  const list = talk(60, 100);
  await session.sync(list);
  const branch = [...list.slice(0, 100), other];
  expect(await session.sync(branch)).toMatchObject({ relation: 'fork', forkedAt: 'e101' });
  const { budget, messages } = await session.assemble();
  expect(budget.total).toBeLessThanOrEqual(budget.limit);
  expect(messages.at(-1)?.content).toBe(other.content);
  expect(session.where('e101').place).toBe('left');
  expect(session.where('e50').place).not.toBe('left');
});

test('frames and goals of the branch that was left are not on the new one', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  const list = talk(2);
  await session.sync(list);
  await session.goal.set('Move the tokens');
  await session.append(person('Do it in a frame.'));
  const { id } = await session.push({ title: 'Parser' });
  await session.append(model('[DECISION] Use zebras - LOCKED'));
  await session.sync([...list, other]);
  expect(session.state.active).toBe('f0');
  expect(session.state.goal).toMatchObject({ description: 'Move the tokens', decisions: [] });
  expect(session.where('e6')).toMatchObject({ place: 'left', frame: id });
  expect(await working(session)).toEqual(said([...list, other]));
});

test('what is taken back after a fork was done before it, and the old branch stays left', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  await session.sync(talk(1));
  await session.goal.set('First');
  await session.sync(talk(2));
  await session.goal.set('Second');
  await session.sync(talk(3));
  await session.sync([...talk(1), other]);
  expect(session.state).toMatchObject({ undo: 'goal', redo: null });
  expect(session.state.goal?.description).toBe('First');
  expect(await session.undo()).toMatchObject({ what: 'goal', left: 0 });
  expect(session.state.goal).toBeNull();
  expect(await working(session)).toEqual(said([...talk(1), other]));
  expect(session.where('e5')).toMatchObject({ place: 'left', from: 'e3', to: 'e6' });
  await session.redo();
  expect(session.state.goal?.description).toBe('First');
  expect(await working(session)).toEqual(said([...talk(1), other]));
  expect(session.where('e5')).toMatchObject({ place: 'left', from: 'e3', to: 'e6' });
});

test('a snapshot of the branch that was left brings that branch back, and leaves the new one', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  await session.sync(talk(2));
  const snapshot = await session.snapshots.create('old');
  await session.sync(talk(3));
  const branch = [...talk(1), other, model('Gladly.')];
  await session.sync(branch);
  const before = await working(session);
  await session.snapshots.restore(snapshot.id);
  expect(await working(session)).toEqual(said(talk(2)));
  await session.undo();
  expect(await working(session)).toEqual(before);
  const kept = await session.snapshots.restore(snapshot.id, { keep: true });
  expect(kept).toMatchObject({ left: 2 });
  expect(await working(session)).toEqual(said(talk(3)));
  expect(session.where('e7').place).toBe('left');
  expect(await session.sync(talk(3))).toMatchObject({ appended: [], lost: [] });
  expect(await session.sync([...branch, person('On.')])).toMatchObject({ appended: ['e9'] });
  expect(await working(session)).toEqual(said([...branch, person('On.')]));
});

test('a host that goes on after a snapshot was restored is where it was, and what was left stays left', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  await session.sync(talk(2));
  const { id } = await session.snapshots.create('old');
  await session.sync(talk(3));
  await session.snapshots.restore(id);
  expect(await working(session)).toEqual(said(talk(2)));
  expect(await session.sync(talk(3))).toMatchObject({ relation: 'same', appended: [], lost: [] });
  expect(await session.sync([...talk(3), person('On.')])).toMatchObject({ appended: ['e7'] });
  expect(await working(session)).toEqual([...said(talk(2)), 'On.']);
  expect(session.where('e6').place).toBe('left');
});

test('a call that is open where the branch was left takes its result on the new one', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  const call: Message = {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'c1', name: 'bash', arguments: {} }],
  };
  const result: Message = { role: 'tool', toolCallId: 'c1', content: 'ok' };
  await session.sync([person('Go'), call, result, model('Done')]);
  await session.sync([person('Go'), call]);
  expect((await session.assemble()).openCalls).toEqual([{ id: 'c1', name: 'bash' }]);
  await session.sync([person('Go'), call, { ...result, content: 'failed' }]);
  expect(await working(session)).toEqual(['Go', '', 'failed']);
});

test('what a fork left is so after a restart, and deciding the journal again gives the same', async () => {
  const records = (await newDisk()).mount();
  const store = await openOver(records);
  let session = await store.open('s', { window: 4_000, reserve: 0 });
  const list = talk(12, 120);
  for (let n = 1; n <= list.length; n += 1) await session.sync(list.slice(0, n));
  await session.sync([...list.slice(0, 9), other]);
  await session.sync([...list.slice(0, 5), other, model('Gladly.')]);
  await session.sync([...list, person('Back again.')]);
  const shown = await working(session);
  await session.close();
  session = await store.open('s');
  expect(await working(session)).toEqual(shown);
  expect(session.where('e25').place).toBe('left');
  expect(await replayed(records, 's')).toMatchObject({ diverged: null });
  await store.close();
});
