import { SimulatedClock } from 'xstate';
import { expect, test } from 'vitest';
import { textOf } from '../../../src/core/messages/message.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { openStore, type Assembly, type Message, type Session } from '../../../src/index.ts';
import { newDisk } from '../disk.ts';
import { newFolder } from '../../store/folder.ts';

const person = (content: string): Message => ({ role: 'user', content });
const model = (content: string): Message => ({ role: 'assistant', content });
const words = (count: number, at: number): string =>
  Array.from({ length: count }, (_, n) =>
    n % 9 === 4 ? `src/part${at + n}.ts` : `w${(at * 31 + n * 7) % 997}`,
  ).join(' ');
const shown = async (session: Session): Promise<Assembly['messages']> =>
  (await session.assemble()).messages;

/** Talks until the session has compressed so many times. */
async function talk(session: Session, compressions: number): Promise<void> {
  for (let turn = session.state.turn + 1; session.state.compressions < compressions; turn += 1) {
    await session.append(person(`Do part ${turn}. ${words(30, turn)}`));
    await session.append(model(`Did part ${turn}. ${words(90, turn)}`));
  }
}

test('an undone compression shows its entries word for word again, with what came with it', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 4_000, reserve: 0, trigger: 0.8 });
  await talk(session, 1);
  expect(session.state.undo).toBe('compression');
  const { entries, epoch } = session.state;
  expect(await session.undo()).toMatchObject({ what: 'compression', left: 0 });
  expect(session.state).toMatchObject({
    checkpoints: [],
    entries,
    undo: null,
    redo: 'compression',
  });
  expect(session.state.epoch).toBeGreaterThan(epoch);
  const working = (await shown(session)).filter(({ section }) => section === 'working');
  expect(working.map(({ entry }) => entry)).toEqual(
    Array.from({ length: entries }, (_, n) => `e${n + 1}`),
  );
  expect(session.where('e1').place).toBe('verbatim');
});

test('an undone compression comes back when its entries no longer fit, and not before', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 4_000, reserve: 0, trigger: 0.8 });
  await talk(session, 1);
  await session.undo();
  await session.assemble();
  await session.configure({ trigger: 0.5 });
  expect(session.state.compressions).toBe(1);
  while (session.state.compressions === 1) {
    expect(session.state.redo).toBe('compression');
    const { total, limit } = session.state.budget;
    expect(limit - total).toBeGreaterThanOrEqual(0);
    await session.append(model(words(20, session.state.entries)));
    const grown = total + 140 > limit;
    expect(session.state.compressions === 1 || grown).toBe(true);
  }
  expect(session.state.redo).toBeNull();
});

test('a snapshot from long ago is restored, and what was said since is compressed to fit', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 2_000, reserve: 0 });
  await session.goal.set('First');
  const { id } = await session.snapshots.create('start');
  await session.goal.set('Second');
  await talk(session, 8);
  const { entries } = session.state;
  const before = await shown(session);
  const kept = await session.snapshots.restore(id, { keep: true });
  expect(kept).toMatchObject({ what: 'restore', compressed: true });
  expect(session.state.goal?.description).toBe('First');
  const { budget } = await session.assemble();
  expect(budget.total).toBeLessThanOrEqual(budget.limit);
  expect(session.where(`e${entries}`).place).toBe('verbatim');
  expect(session.state.undo).toBe('restore');
  await session.undo();
  expect(await shown(session)).toEqual(before);
  await session.redo();
  expect(session.state.goal?.description).toBe('First');
});

test('a restored snapshot takes what came after it out of the prompt, behind one breadcrumb that opens', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  await session.append(person('Build it'));
  await session.append(model('Wrote src/parser.ts'));
  const before = await shown(session);
  const { id } = await session.snapshots.create('before');
  await session.append(person('Now rewrite it in Rust'));
  await session.append(model('Rewrote all of it'));
  await session.push({ title: 'Crates' });
  await session.append(model('Picked serde'));
  const after = await shown(session);
  expect(await session.snapshots.restore(id)).toMatchObject({ what: 'restore', left: 3 });
  const restored = await shown(session);
  expect(restored.filter(({ section }) => section !== 'frames')).toEqual(before);
  const crumb = textOf(restored.find(({ section }) => section === 'frames')!.content);
  expect(crumb).toContain('<left by="restore" entries="e3–e5"/>');
  expect((await session.expand('e3–e5')).map(({ content }) => content)).toEqual([
    'Now rewrite it in Rust',
    'Rewrote all of it',
    'Picked serde',
  ]);
  expect(session.where('e3').place).toBe('left');
  await session.append(person('Add tests instead'));
  expect((await shown(session)).flatMap(({ entry }) => entry ?? [])).toEqual(['e1', 'e2', 'e6']);
  await session.undo();
  expect(session.state.active).toBe('f1');
  expect(session.where('e3').place).toBe('verbatim');
  await session.redo();
  expect(session.where('e3').place).toBe('left');
  expect(session.where('e6').place).toBe('verbatim');
  await session.undo();
  await session.snapshots.restore(id, { keep: true });
  const kept = (await shown(session)).flatMap(({ entry }) => entry ?? []);
  expect(kept).toEqual(['e1', 'e2', 'e3', 'e4', 'e6']);
  expect(after).not.toEqual(restored);
});

test('what a rewind does to fit is no step of its own', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 2_000, reserve: 0 });
  await session.goal.set('First');
  await session.goal.set('Second');
  for (let n = 0; n < 40; n += 1) await session.append(person(words(90, n)));
  expect(session.state).toMatchObject({ undo: 'goal', redo: null });
  await session.undo();
  const { budget } = await session.assemble();
  expect(budget.total).toBeLessThanOrEqual(budget.limit);
  expect(session.state).toMatchObject({ undo: 'goal', redo: 'goal' });
  await session.redo();
  expect(session.state.goal?.description).toBe('Second');
});

test('a step is taken back with a giant that came in with it', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 2_000, reserve: 0 });
  for (let turn = 1; session.state.budget.working < 1_500; turn += 1)
    await session.append([person(`Do part ${turn}`), model(words(40, turn))]);
  await session.append(model(words(900, 7)));
  expect(session.state.undo).toBe('compression');
  expect(await session.undo()).toMatchObject({ what: 'compression', compressed: false });
  const entries = (await shown(session)).filter(({ section }) => section === 'working');
  expect(entries.map(({ entry }) => entry)).toEqual(entries.map((_, n) => `e${n + 1}`));
  expect(entries.at(-1)?.kind).toBe('shortened');
});

test('a snapshot has the size of what it leads to', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 2_000, reserve: 0 });
  await talk(session, 3);
  await session.append(model(words(900, 7)));
  const list = session.snapshots.list();
  expect(list.length).toBeGreaterThan(3);
  for (const { seq, tokens, said, entries, turn } of list) {
    const { state } = await session.at({ seq });
    const { budget } = state;
    expect([state.entries, state.turn, state.tokens]).toEqual([entries, turn, said]);
    expect([budget.total, budget.total <= budget.limit]).toEqual([tokens, true]);
  }
});

test('an undone pop enters the frame again, and what was said since stays in the parent', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  await session.append(person('Build it'));
  const { id } = await session.push({ title: 'Parser' });
  await session.append(model('Wrote src/parser.ts'));
  await session.pop({ status: 'completed', results: 'Parser works' });
  await session.append(model('On to the printer, src/printer.ts'));
  expect(await session.undo()).toMatchObject({ what: 'pop', left: 0 });
  expect(session.state.active).toBe(id);
  expect(session.where('e2').place).toBe('verbatim');
  expect(session.where('e3')).toMatchObject({ place: 'partial', frame: 'f0', to: 'e3' });
  const tree = (await shown(session)).find(({ section }) => section === 'frames')?.content;
  expect(tree).toContain('src/printer.ts');
  await session.redo();
  expect(session.state.active).toBe('f0');
  expect(session.where('e3').place).toBe('verbatim');
  expect(session.frames.tree().children[0]).toMatchObject({ id, status: 'completed' });
});

test('what was said in an undone frame is behind one breadcrumb, and its id is not given again', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  await session.append(person('Build it'));
  const { id } = await session.push({ title: 'Parser' });
  await session.append(model('Wrote half of it'));
  await session.append(model('Wrote the rest'));
  expect(await session.undo()).toMatchObject({ what: 'push', left: 2 });
  expect(session.where('e3')).toEqual({
    place: 'left',
    entry: 'e3',
    frame: id,
    from: 'e2',
    to: 'e3',
  });
  const tree = (await shown(session)).find(({ section }) => section === 'frames')?.content;
  expect(tree).toContain('<left by="undo" entries="e2–e3"/>');
  expect(session.frames.tree().children).toEqual([]);
  await expect(session.frames.invalidate(id)).rejects.toMatchObject({ code: 'FRAME_STATUS' });
  const again = await session.push({ title: 'Printer' });
  expect(again.id).not.toBe(id);
  const log: string[] = [];
  for await (const entry of session.log({ frame: id })) log.push(entry.id);
  expect(log).toEqual(['e2', 'e3']);
});

test('what a person said last stands behind the entries it came after, though its frame is gone', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  await session.goal.set('An app');
  await session.append(person('Build it'));
  await session.append(model('Which part first?'));
  await session.push({ title: 'Parser' });
  await session.append(person('The parser'));
  await session.append(model('Wrote half of it'));
  const order = async (): Promise<readonly (string | undefined)[]> =>
    (await shown(session)).flatMap(({ entry }) => entry ?? []);
  expect(await session.undo()).toMatchObject({ what: 'push', left: 1 });
  expect(await order()).toEqual(['e1', 'e2', 'e3']);
  const [last, note] = (await shown(session)).slice(-2);
  expect(last).toMatchObject({ entry: 'e3', section: 'human', kind: 'entry' });
  expect(note!.content).toBe('[That was said in work that was taken back since.]');
  expect(session.where('e3').place).toBe('verbatim');
  const before = await shown(session);
  await session.append(model('Another way, then'));
  expect((await shown(session)).slice(0, before.length)).toEqual(before);
  expect(await order()).toEqual(['e1', 'e2', 'e3', 'e5']);
  expect(await session.undo()).toMatchObject({ what: 'goal', left: 0 });
  expect(await order()).toEqual(['e1', 'e2', 'e3', 'e5']);
});

test('a request of a frame that was popped stands where it was said, but parts no call from its result', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  await session.append(person('Build it'));
  const call = { id: 'c1', name: 'delegate', arguments: {} };
  await session.append({ role: 'assistant', content: '', toolCalls: [call] });
  await session.push({ title: 'Parser' });
  await session.append(person('The parser'));
  await session.pop({ status: 'completed', results: 'Parser works' });
  const order = async (): Promise<readonly (string | undefined)[]> =>
    (await shown(session)).flatMap(({ entry }) => entry ?? []);
  expect(await order()).toEqual(['e3', 'e1', 'e2']);
  await session.append({ role: 'tool', toolCallId: 'c1', content: 'done' });
  expect(await order()).toEqual(['e3', 'e1', 'e2', 'e4']);
  await session.push({ title: 'Printer' });
  await session.append(person('Now the printer'));
  await session.pop({ status: 'completed', results: 'Printer works' });
  expect(await order()).toEqual(['e1', 'e2', 'e4', 'e5']);
});

test.each([
  ['completed', 'which was completed since'],
  ['failed', 'which has failed since'],
  ['blocked', 'which was blocked since'],
  ['invalidated', 'which was invalidated since'],
] as const)(
  'behind a request of a frame that is %s stands what became of it',
  async (status, became) => {
    await using store = await openStore(':memory:');
    const session = await store.open('s', { window: 8_000 });
    await session.append(person('Build it'));
    await session.push({ title: 'Parser' });
    await session.append(person('Also the printer'));
    await session.append(model('It is there'));
    if (status === 'invalidated') await session.frames.invalidate('f1', 'Not wanted');
    else await session.pop({ status, results: 'Both' });
    const [request, note] = (await shown(session)).slice(-2);
    expect(request).toMatchObject({ entry: 'e2', content: 'Also the printer' });
    expect(note).toMatchObject({ section: 'human', kind: 'made' });
    expect(note!.content).toBe(
      `[That was said in the work of f1, ${became}: what its results leave open is still asked.]`,
    );
    if (status !== 'blocked') return;
    await session.frames.start('f1');
    expect((await shown(session)).map(({ content }) => content)).not.toContain(note!.content);
  },
);

test('what was recovered from documents is one step: goal, title and frames go and come together', async () => {
  const documents = await newFolder();
  await using first = await openStore(':memory:', { documents });
  const before = await first.open('s', { window: 8_000, title: 'Notes' });
  await before.goal.set('An app');
  await before.push({ title: 'Parser' });
  await before.writeDocument();
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000, recovery: 'confirm' });
  await session.recover({ from: documents });
  expect(session.state).toMatchObject({ undo: 'recovery', goal: { description: 'An app' } });
  const seen = await shown(session);
  expect(await session.undo()).toMatchObject({ what: 'recovery', left: 1 });
  expect(session.state).toMatchObject({ undo: null, redo: 'recovery', goal: null, recovery: null });
  expect(session.frames.tree()).toMatchObject({ title: 's', children: [] });
  await session.redo();
  expect(session.frames.tree()).toMatchObject({ title: 'Notes', children: [{ title: 'Parser' }] });
  expect(await shown(session)).toEqual(seen);
});

test('a frame that is gone stands in no tree, only behind the breadcrumb, and its title is found', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  await session.append(person('Build it'));
  const { id } = await session.push({ title: 'Parser' });
  await session.append(model('Wrote half of it'));
  expect(session.frames.left()).toEqual([]);
  await session.undo();
  const tree = (await shown(session)).find(({ section }) => section === 'frames')?.content;
  expect(tree).toContain('<left by="undo" entries="e2–e2"/>');
  expect(tree).not.toContain(id);
  expect(session.frames.tree().children).toEqual([]);
  const entries = { from: 'e2', to: 'e2' };
  expect(session.frames.left()).toEqual([{ id, title: 'Parser', parent: 'f0', entries }]);
  await session.redo();
  expect(session.frames.left()).toEqual([]);
});

test('a result of a call on a branch that was left comes in as machine text', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  await session.append(person('Build it'));
  await session.push({ title: 'Parser' });
  const call = { id: 'c1', name: 'bash', arguments: {} };
  await session.append({ role: 'assistant', content: '', toolCalls: [call] });
  await session.undo();
  await session.append({ role: 'tool', toolCallId: 'c1', content: 'ok' });
  expect((await session.entry('e3')).frame).toBe('f0');
  expect((await shown(session)).at(-1)).toMatchObject({ role: 'user', origin: 'machine' });
});

test('several steps are taken back and again, until something new is decided', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  await session.goal.set('First');
  await session.goal.set('Second');
  await session.push({ title: 'Parser' });
  const kinds = [await session.undo(), await session.undo(), await session.undo()];
  expect(kinds.map(({ what }) => what)).toEqual(['push', 'goal', 'goal']);
  expect(session.state).toMatchObject({ goal: null, undo: null, redo: 'goal' });
  await expect(session.undo()).rejects.toMatchObject({ code: 'UNDO_EMPTY' });
  await session.redo();
  expect(session.state.goal?.description).toBe('First');
  await session.append(person('Go on'));
  await session.redo();
  expect(session.state.goal?.description).toBe('Second');
  expect(session.where('e1').place).toBe('verbatim');
  await session.frames.plan({ title: 'Printer' });
  await expect(session.redo()).rejects.toMatchObject({ code: 'REDO_EMPTY' });
});

test('a rewind with a key is done once, also after the session was opened again', async () => {
  const disk = await newDisk();
  const clock = new SimulatedClock();
  let store = await openOver(disk.mount(), { clock });
  let session = await store.open('s', { window: 8_000 });
  for (const name of ['First', 'Second', 'Third']) await session.goal.set(name);
  const made = await session.undo({ key: 'k' });
  expect(await session.undo({ key: 'k' })).toEqual(made);
  await store.close();
  store = await openOver(disk.mount(), { clock });
  session = await store.open('s');
  expect(await session.undo({ key: 'k' })).toEqual(made);
  expect(session.state.goal?.description).toBe('Second');
  await session.redo({ key: 'k' });
  expect(session.state.goal?.description).toBe('Third');
  const { id } = await session.snapshots.create();
  await session.goal.set('Fourth');
  await session.snapshots.restore(id, { key: 'k' });
  await session.goal.set('Fifth');
  await session.snapshots.restore(id, { key: 'k' });
  expect(session.state.goal?.description).toBe('Fifth');
  await expect(session.undo({ keys: 'k' } as never)).rejects.toMatchObject({
    code: 'OPTION_INVALID',
  });
  await store.close();
});

test('a compression that makes a rewind fit says how long the prompt would have been, with what it shows from then on', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 4_000, reserve: 0 });
  while (session.state.budget.total < 2_300) await session.append(model(words(40, 1)));
  const { total } = session.state.budget;
  await session.push({ title: 'Detour' });
  await session.append(person(words(900, 3)));
  const heard: { readonly before: number; readonly after: number }[] = [];
  session.on('compression.finished', (fact) => void heard.push(fact));
  expect(await session.undo()).toMatchObject({ what: 'push', compressed: true });
  // What was said in the frame that is gone is shown before the entries of the frame that was parked.
  expect(heard).toEqual([expect.objectContaining({ after: session.state.budget.total })]);
  expect(heard[0]!.before).toBeGreaterThan(4_000);
  expect(heard[0]!.after).toBeGreaterThan(total);
});

test.each([
  [50, null],
  [70, 'CONTEXT_OVERFLOW'],
])(
  'a rewind to one unit of %i calls shows what a person said since, or is refused: %s',
  async (calls, code) => {
    await using store = await openStore(':memory:');
    const session = await store.open('s', { window: 2_000, reserve: 0 });
    const toolCalls = Array.from({ length: calls }, (_, n) => ({
      id: `k${n}`,
      name: 'look',
      arguments: '{}',
    }));
    await session.append({ role: 'assistant', content: '', toolCalls });
    await session.append(
      toolCalls.map(({ id }): Message => ({ role: 'tool', toolCallId: id, content: 'nothing' })),
    );
    await session.push({ title: 'Detour' });
    await session.append(person(words(900, 3)));
    const { entries } = session.state;
    const refused = await session.undo().then(
      () => null,
      (error: unknown) => (error as { code?: string }).code,
    );
    expect(refused).toBe(code);
    const said = (await shown(session)).filter(({ entry }) => entry === `e${entries}`);
    expect(said).toHaveLength(1);
  },
);

test('what could not fit is refused with the sizes, and nothing has changed', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 2_000, reserve: 0 });
  await talk(session, 1);
  for (let n = 0; n < 2; n += 1) await session.append(model(words(90, n)));
  expect(session.state.compressions).toBe(1);
  const before = session.state;
  await expect(session.undo()).rejects.toMatchObject({
    code: 'CONTEXT_OVERFLOW',
    detail: { limit: 2_000, parts: { working: expect.any(Number) } },
  });
  expect(session.state).toEqual(before);
});

test('snapshots are made, listed, shown, restored and deleted', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000, snapshots: 'manual' });
  const heard: string[] = [];
  session.on('*', ({ type }) => void heard.push(type));
  await session.append(person('Build it'));
  const made = await session.snapshots.create('before the parser');
  expect(made).toMatchObject({ id: 's1', title: 'before the parser', by: 'person', entries: 1 });
  const before = await shown(session);
  await session.push({ title: 'Parser' });
  await session.append(model('Wrote it'));
  expect(session.snapshots.list()).toEqual([made]);
  expect((await session.snapshots.show('s1')).state).toMatchObject({ entries: 1, active: 'f0' });
  expect(await session.snapshots.restore('s1')).toMatchObject({ what: 'restore', left: 1 });
  const after = await shown(session);
  expect(after.filter(({ section }) => section !== 'frames')).toEqual(before);
  await session.undo();
  expect(session.state.active).toBe('f1');
  expect(session.where('e2').place).toBe('verbatim');
  await session.snapshots.delete('s1');
  expect(session.snapshots.list()).toEqual([]);
  await expect(session.snapshots.restore('s1')).rejects.toMatchObject({
    code: 'SNAPSHOT_NOT_FOUND',
  });
  await session.settled();
  expect(heard.filter((type) => type.startsWith('snapshot.'))).toEqual([
    'snapshot.created',
    'snapshot.restored',
    'snapshot.deleted',
  ]);
});

test('snapshots are made as the window fills and before a compression, unless by hand', async () => {
  await using store = await openStore(':memory:');
  const auto = await store.open('auto', { window: 2_000, reserve: 0 });
  await talk(auto, 2);
  const made = auto.snapshots.list().map(({ by }) => by);
  expect(made).toEqual(['threshold', 'compression', 'threshold', 'compression']);
  const [, snapshot] = auto.snapshots.list();
  expect((await auto.snapshots.show(snapshot!.id)).state.compressions).toBe(0);
  const manual = await store.open('manual', { window: 2_000, reserve: 0, snapshots: 'manual' });
  await talk(manual, 2);
  expect(manual.snapshots.list()).toEqual([]);
});

test('a comparison names sections, entries and the facts that are gone', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 2_000, reserve: 0 });
  await talk(session, 2);
  const [first] = session.snapshots.list();
  const { sections, entries, facts, tokens } = await session.diff({ seq: first!.seq });
  expect(tokens[1]).toBe(session.state.budget.total);
  expect(sections.find(({ section }) => section === 'checkpoints')).toMatchObject({ before: 0 });
  expect(entries[0]).toMatchObject({ before: 'entry' });
  expect(entries.some(({ before, after }) => before === null && after === 'entry')).toBe(true);
  expect(facts.kept.length).toBeGreaterThan(0);
  expect(facts.lost.length).toBeGreaterThan(0);
  const text = JSON.stringify(await session.assemble());
  for (const { name } of facts.lost) expect(text).not.toContain(` ${name} `);
  const same = await session.diff({ seq: 5 }, await session.at({ seq: 5 }));
  expect(same).toMatchObject({ entries: [], facts: { lost: [], gained: [] } });
});

test('a decision that the goal shows is not lost, whatever its marker said', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 2_000, reserve: 0 });
  await session.goal.set('Ship it');
  await session.append(
    model(
      [
        '[DECISION] Use rotating tokens instead of sessions - LOCKED',
        '**[DECISION] We go with SQLite for the storage - LOCKED**',
        '[CHECKPOINT] The decision on the schema is written down - COMPLETED',
      ].join('\n'),
    ),
  );
  await talk(session, 2);
  expect(session.where('e1').place).toBe('checkpoint');
  const { facts } = await session.diff({ entry: 'e1' });
  expect(facts.lost.filter(({ kind }) => kind === 'decision')).toEqual([]);
});

test('an aged checkpoint is raised to its finer version where there is room', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 4_000, reserve: 0 });
  await talk(session, 2);
  const [old, recent] = session.state.checkpoints;
  expect([old!.age, recent!.age]).toEqual(['old', 'recent']);
  const raised = await session.raise(old!.id);
  expect(raised.age).toBe('recent');
  expect(raised.tokens).toBeGreaterThan(old!.tokens);
  expect(session.state.checkpoints[0]).toMatchObject({ id: old!.id, ...raised });
  await expect(session.raise(old!.id)).rejects.toMatchObject({ code: 'CHECKPOINT_FINEST' });
  await expect(session.raise('c99')).rejects.toMatchObject({ code: 'CHECKPOINT_NOT_FOUND' });
  await talk(session, 5);
  const merged = session.state.checkpoints[0]!;
  expect(merged.age).toBe('merged');
  expect((await session.raise(merged.id)).age).toBe('ancient');
});
