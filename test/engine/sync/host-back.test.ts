import { expect, test } from 'vitest';
import { openStore, type Message, type Session, type Synced } from '../../../src/index.ts';

// Sequences of what hosts do: back to a branch that was left, with its head dropped or
// summarized meanwhile; another wording of the first prompt; a summary after a summary.

const person = (content: string): Message => ({ role: 'user', content });
const model = (content: string): Message => ({ role: 'assistant', content });
const turns = (count: number): Message[] =>
  Array.from({ length: count }, (_, n) => [
    person(`question ${n + 1}`),
    model(`answer ${n + 1}`),
  ]).flat();
const call = (id: string, given: Record<string, unknown> | string = { a: 1, b: 2 }): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ id, name: 'bash', arguments: given }],
});
const result = (id: string, content = `what ${id} gave`): Message => ({
  role: 'tool',
  toolCallId: id,
  content,
});
const summary = person('Summary: two questions were asked and answered');
const work = [
  person('do one'),
  call('c1'),
  result('c1'),
  model('done one'),
  person('do two'),
  call('c2'),
  result('c2'),
  call('c3'),
  result('c3'),
  model('done two'),
];

/** A session that was given these lists one after another, and what was said of the last. */
async function given(...lists: readonly (readonly Message[])[]): Promise<[Session, Synced]> {
  const store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  let synced: Synced | undefined;
  for (const list of lists) synced = await session.sync(list);
  return [session, synced!];
}

async function shown(session: Session): Promise<string> {
  const { messages } = await session.assemble();
  return messages.flatMap(({ entry }) => entry ?? []).join(' ');
}

const entries = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, n) => `e${first + n}`);

const all = turns(6);
const edited = [...all.slice(0, 6), person('question 4 b'), model('b4')];

test('a branch that was left is taken again although its head was dropped meanwhile', async () => {
  const [session, synced] = await given(all, edited, all.slice(4));
  const lost = entries(1, 4);
  expect(synced).toEqual({ relation: 'fork', appended: [], lost, forkedAt: 'e13' });
  expect(await shown(session)).toBe(entries(1, 12).join(' '));
  expect(await session.sync(all.slice(4))).toEqual({ relation: 'same', appended: [], lost: [] });
  expect(await session.sync([...edited, person('On.')])).toMatchObject({ appended: ['e15'] });
  expect(await shown(session)).toBe([...entries(1, 6), 'e13', 'e14', 'e15'].join(' '));
});

test('a branch that was left is taken again with a summary in place of its head, which is kept once', async () => {
  const list = [summary, ...all.slice(6)];
  const [session, synced] = await given(all, edited, list);
  const lost = entries(1, 6);
  expect(synced).toEqual({ relation: 'fork', appended: ['e15'], lost, forkedAt: 'e13' });
  expect(await shown(session)).toBe([...entries(1, 12), 'e15'].join(' '));
  const other = [summary, ...edited.slice(6), person('On.')];
  expect(await session.sync(other)).toMatchObject({ relation: 'fork', appended: ['e16'] });
  expect(await shown(session)).toBe([...entries(1, 6), 'e13', 'e14', 'e15', 'e16'].join(' '));
  expect(await session.sync(list)).toMatchObject({ relation: 'fork', appended: [] });
});

test('an answer that was thrown away and comes back is no second one', async () => {
  const retried = [...all.slice(0, 11), model('other 6')];
  const [session, synced] = await given(all, retried, all.slice(4));
  expect(synced).toMatchObject({ relation: 'fork', appended: [], forkedAt: 'e13' });
  expect(await shown(session)).toBe(entries(1, 12).join(' '));
  expect(await session.sync(retried.slice(6))).toMatchObject({ appended: [], forkedAt: 'e12' });
});

/** Short messages, which people and models say twice: `s1 u2 a3`, s for a summary of the host's own. */
const brief = (line: string): Message[] =>
  line.split(' ').map((word) => {
    if (word[0] === 'a') return model(`answer ${word}`);
    return person(`${word[0] === 's' ? 'Summary' : 'prompt'} ${word}`);
  });

test.each([
  [
    'after an answer that was lost before',
    'u1 a2 u3 a4 | a2 u3 a4 u5 | u1 a2 u3 a4 u6 | a2 u3 a7 | a2 u3 a8 | a2 u3 a7 u9',
  ],
  [
    'to before a summary that came late',
    'u1 a2 u3 a4 | s5 a2 u3 a4 u6 a7 | u1 a2 u3 a8 | u1 a2 u3 a8 u9 | u1 a2 u3 a4 u10',
  ],
  [
    'without the head, and makes an early answer anew',
    'u1 a2 u3 a4 | a2 u3 a4 u5 | a2 u3 a4 u5 a6 | u1 a2 u7 | a2 u3 a8',
  ],
  [
    'with an answer that was dropped meanwhile',
    'u1 a2 u3 a4 u5 | u3 a4 u5 a6 | u1 a2 a7 | u1 a2 a7 u8 | u1 a2 u3 a4 u5 a9 | u3 a4 u5 a6 u10',
  ],
  [
    'to a list with a summary among its entries',
    'u1 a2 u3 a4 u5 a6 u7 | s8 u5 a6 u7 a9 u10 a11 | u1 a2 u3 a12 | s8 u5 a6 u7 a9 u10 a13',
  ],
])('a host that goes back %s says nothing twice', async (_, lines) => {
  const lists = lines.split(' | ').map(brief);
  const [session] = await given(...lists);
  const log: unknown[] = [];
  for await (const { content } of session.log()) log.push(content);
  expect(log).toEqual([...new Set(lists.flat().map(({ content }) => content))]);
});

test('part of a branch that was left comes back, and what is new after it', async () => {
  const list = [...all.slice(2, 9), model('another answer 5')];
  const [session, synced] = await given(all, edited, list);
  expect(synced).toMatchObject({ relation: 'fork', appended: ['e15'], forkedAt: 'e13' });
  expect(session.where('e10').place).toBe('left');
  expect(await shown(session)).toBe([...entries(1, 9), 'e15'].join(' '));
});

test('turns taken back and sent again come back as they were', async () => {
  const [session, synced] = await given(all, all.slice(0, 6), all);
  expect(synced).toMatchObject({ appended: [], lost: [] });
  expect(await shown(session)).toBe(entries(1, 12).join(' '));
});

test('a short prompt that was said on another branch as well is said anew', async () => {
  const list = [...turns(2), person('go on'), model('ok'), person('more'), model('fine')];
  const [session, synced] = await given(list, turns(2), [...turns(2), person('more')]);
  expect(synced).toEqual({ relation: 'append', appended: ['e9'], lost: [] });
  expect(await shown(session)).toBe([...entries(1, 4), 'e9'].join(' '));
});

test('a prompt edited behind a summary is another branch', async () => {
  for (const kept of [3, 4]) {
    const h = turns(5);
    const edit = [summary, ...h.slice(kept, 4), person('question 3, but better')];
    const [session, synced] = await given(h, [summary, ...h.slice(kept)], edit);
    expect(synced).toEqual({ relation: 'fork', appended: ['e12'], lost: [], forkedAt: 'e5' });
    expect(await shown(session)).toBe('e1 e2 e3 e4 e11 e12');
  }
});

test('the answer that a summary left of a run of one prompt is known, and the summary is machine text', async () => {
  const run = [person('Build it'), ...work.slice(1, 3), model('Built.')];
  const [session, synced] = await given(run, [summary, run.at(-1)!]);
  expect(synced).toEqual({ relation: 'cut', appended: ['e5'], lost: ['e1', 'e2', 'e3'] });
  expect(await session.entry('e5')).toMatchObject({ origin: 'machine' });
});

test('a summary that begins as another one did is kept, too', async () => {
  const h = [person('go on'), model('done with it'), person('more'), model('done again')];
  const first = person('Summary: the parser was written');
  const second = person('Summary: the printer was fixed');
  const [session, synced] = await given([first, ...h], h, [second, ...h]);
  expect(synced).toEqual({ relation: 'append', appended: ['e6'], lost: [] });
  expect(await session.entry('e6')).toMatchObject({ ...second, origin: 'machine' });
});

test('turns with calls that stand in another order are not appended anew', async () => {
  for (const list of [[...work.slice(4), ...work.slice(0, 4)], work.toReversed()]) {
    const [, synced] = await given(work, list);
    expect(synced).toMatchObject({ appended: [], lost: [] });
  }
});

test('a marker that is longer than the result it stands for is no text of its own', async () => {
  const list = [...work.slice(0, 2), result('c1', 'ok'), ...work.slice(3)];
  const cleared = list.with(2, result('c1', '[Old tool result content cleared]'));
  const [, synced] = await given(list, cleared);
  expect(synced).toEqual({ relation: 'cut', appended: [], lost: ['e3'] });
});

test('the order of keys, arguments as JSON text and space at the ends are no edit', async () => {
  const nested = work.with(1, call('c1', { a: 1, b: { d: 2, c: [1] } }));
  const same = [
    nested.with(1, call('c1', { b: { c: [1], d: 2 }, a: 1 })),
    nested.with(1, call('c1', '{ "b": {"c": [1], "d": 2}, "a": 1 }')),
    nested.with(3, model('done one \n')),
    nested.with(9, model(' done two')),
  ];
  for (const list of same) {
    const [session, synced] = await given(nested, list);
    expect(synced).toEqual({ relation: 'same', appended: [], lost: [] });
    expect(await session.sync([...list, person('On.')])).toMatchObject({ appended: ['e11'] });
  }
  const [, other] = await given(nested, same[0]!.with(1, call('c1', { a: 2 })));
  expect(other).toMatchObject({ relation: 'cut', lost: ['e2'] });
});

test('a call that a host edited in the middle is machine text, and known from then on', async () => {
  const list = work.with(1, call('c1', { a: 7 }));
  const [session, synced] = await given(work, list);
  expect(synced).toEqual({ relation: 'cut', appended: ['e11'], lost: ['e2'] });
  expect(await session.entry('e11')).toMatchObject({
    role: 'user',
    origin: 'machine',
    content: 'bash {"a":7}',
  });
  expect(await session.sync(list.slice(1))).toMatchObject({ appended: [], lost: ['e1'] });
});

test('another wording of the first prompt is another branch, however long the first one went', async () => {
  const [session, synced] = await given(all, [person('question 1 but better')]);
  expect(synced).toEqual({ relation: 'fork', appended: ['e13'], lost: [], forkedAt: 'e1' });
  expect(await shown(session)).toBe('e13');
  expect(await session.sync(all)).toMatchObject({ relation: 'fork', appended: [] });
  expect(await shown(session)).toBe(entries(1, 12).join(' '));
});

test('another prompt than the first is a new conversation: what was said before is lost to the host', async () => {
  for (const prompt of ['question 7', 'Paint the fence', 'Answer 1 is the question']) {
    const [session, synced] = await given(all, [person(prompt)]);
    expect(synced).toMatchObject({ relation: 'cut', appended: ['e13'], lost: entries(1, 12) });
    expect(JSON.stringify((await session.assemble()).messages)).toContain('Recovered context');
  }
});

test('a completed session takes no other branch, and stays as it is', async () => {
  const [session] = await given(turns(3), [...turns(2), person('Other.')], turns(3));
  await session.pop({ status: 'completed', results: 'Done.' });
  const { seq } = session.state;
  const lists = [turns(2), [...turns(2), person('New.')], [...turns(2), person('Other.')]];
  for (const list of lists)
    await expect(session.sync(list)).rejects.toMatchObject({ code: 'SESSION_COMPLETED' });
  expect(session.state).toMatchObject({ phase: 'completed', seq });
  expect(await session.sync(turns(3))).toMatchObject({ relation: 'same' });
  await session.undo();
  expect(await session.sync(lists[1]!)).toMatchObject({ relation: 'fork', appended: ['e8'] });
});

test('an answer made anew in the middle is another branch, with the head dropped at once, too', async () => {
  const anew = [...all.slice(0, 7), model('another answer 4')];
  for (const dropped of [0, 2, 4]) {
    const [session, synced] = await given(all, anew.slice(dropped));
    const lost = entries(1, dropped);
    expect(synced).toEqual({ relation: 'fork', appended: ['e13'], lost, forkedAt: 'e8' });
    expect(await shown(session)).toBe([...entries(1, 7), 'e13'].join(' '));
  }
  const [, summed] = await given(all, [summary, ...anew.slice(2)]);
  const lost = entries(1, 2);
  expect(summed).toEqual({ relation: 'fork', appended: ['e13', 'e14'], lost, forkedAt: 'e8' });
});
