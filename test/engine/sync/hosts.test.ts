import { expect, test } from 'vitest';
import { openStore, type Message, type Session } from '../../../src/index.ts';
import { prose } from '../../../src/testing/made-text.ts';

// What hosts do to their own lists, as pi, Claude Code and an AI SDK loop do it: they
// put a summary in place of what was, empty old results, keep the newest few.

const person = (content: string): Message => ({ role: 'user', content });
const model = (content: string): Message => ({ role: 'assistant', content });
const talk = (turns: number): Message[] =>
  Array.from({ length: turns }, (_, n): Message[] => [
    person(`Step ${n}: ${prose(40, n)}`),
    model(`Done ${n}. ${prose(40, n + 500)}`),
  ]).flat();
const work = (n: number): Message[] => [
  {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: `c${n}`, name: 'read', arguments: { path: `src/${n}.ts` } }],
  },
  { role: 'tool', toolCallId: `c${n}`, content: prose(200, n) },
];

async function session(): Promise<Session> {
  const store = await openStore(':memory:');
  return store.open('s', { window: 16_000 });
}

async function log(s: Session): Promise<string[]> {
  const found: string[] = [];
  for await (const { content } of s.log()) found.push(content as string);
  return found;
}

test('a summary that a host put in place of the head is kept, as machine text, once', async () => {
  const s = await session();
  await s.sync(talk(4));
  const summary = person('Summary: four steps were done.');
  const list = [summary, ...talk(4).slice(4)];
  expect(await s.sync(list)).toEqual({
    relation: 'cut',
    appended: ['e9'],
    lost: ['e1', 'e2', 'e3', 'e4'],
  });
  expect(await s.entry('e9')).toMatchObject({ content: summary.content, origin: 'machine' });
  expect(await s.sync(list)).toEqual({ relation: 'same', appended: [], lost: [] });
  list.push(person('Go on.'), model('I do.'));
  expect(await s.sync(list)).toEqual({ relation: 'append', appended: ['e10', 'e11'], lost: [] });
  const dropped = [summary, ...list.slice(3)];
  expect(await s.sync(dropped)).toEqual({ relation: 'cut', appended: [], lost: ['e5', 'e6'] });
  const second = person('Summary: all of it was done.');
  expect(await s.sync([second, ...list.slice(5), person('More.')])).toEqual({
    relation: 'cut',
    appended: ['e12', 'e13'],
    lost: ['e7', 'e8', 'e9'],
  });
});

test('a fork after a summary took the place of the head is still a fork', async () => {
  const s = await session();
  await s.sync(talk(5));
  const list = [person('Summary: steps were done.'), ...talk(5).slice(6)];
  await s.sync(list);
  expect(await s.sync([...list.slice(0, 3), person('Other.')])).toEqual({
    relation: 'fork',
    appended: ['e12'],
    lost: [],
    forkedAt: 'e9',
  });
  expect(s.where('e11').place).toBe('verbatim');
  expect(s.where('e10').place).toBe('left');
});

test('a conversation begun anew with a summary and a prompt is all lost, and told once', async () => {
  const s = await session();
  await s.sync(talk(3));
  const list = [person('The session goes on from: three steps.'), person('What now?')];
  expect(await s.sync(list)).toMatchObject({ relation: 'cut', appended: ['e7', 'e8'] });
  list.push(model('Step four.'));
  expect(await s.sync(list)).toEqual({ relation: 'append', appended: ['e9'], lost: [] });
});

test('results cleared turn by turn are told one by one, and a fork after that leaves only its branch', async () => {
  const s = await session();
  const list: Message[] = [person('Read all.'), ...work(1), ...work(2), ...work(3), person('And?')];
  await s.sync(list);
  const clear = (at: number): void => {
    list[at] = { ...(list[at] as Message & { role: 'tool' }), content: '[Old result cleared]' };
  };
  clear(2);
  expect(await s.sync(list)).toEqual({ relation: 'cut', appended: [], lost: ['e3'] });
  clear(4);
  list.push(model('All read.'));
  expect(await s.sync(list)).toEqual({ relation: 'cut', appended: ['e9'], lost: ['e5'] });
  expect(await s.sync([...list.slice(0, 7), person('Or?')])).toEqual({
    relation: 'fork',
    appended: ['e10'],
    lost: [],
    forkedAt: 'e8',
  });
});

test('results cleared that name no call are told by their place', async () => {
  const s = await session();
  const calls: Message = {
    role: 'assistant',
    content: '',
    toolCalls: [
      { name: 'read', arguments: {} },
      { name: 'read', arguments: {} },
    ],
  };
  const result = (content: string): Message => ({ role: 'tool', content });
  const end = [model('Both read.'), person('Good.')];
  await s.sync([person('Read.'), calls, result(prose(99, 1)), result(prose(99, 2)), ...end]);
  const numbers: unknown[] = [];
  s.on('truncation.suspected', (fact) => void numbers.push(fact.numbers));
  const list = [person('Read.'), calls, result('[gone]'), result('[gone]'), ...end, model('Yes.')];
  expect(await s.sync(list)).toEqual({ relation: 'cut', appended: ['e7'], lost: ['e3', 'e4'] });
  expect(numbers).toEqual([{ lost: 2, cleared: 2 }]);
});

test('a text that a host edited in the middle is kept', async () => {
  const s = await session();
  await s.sync(talk(3));
  const list = talk(3).with(2, person('Never mind that step.'));
  expect(await s.sync(list)).toEqual({ relation: 'cut', appended: ['e7'], lost: ['e3'] });
  expect(await s.entry('e7')).toMatchObject({ origin: 'machine', content: list[2]!.content });
  expect(await s.sync([...list, person('Go on.')])).toMatchObject({ appended: ['e8'], lost: [] });
  expect(await s.sync(list.slice(2))).toMatchObject({ appended: [], lost: ['e1', 'e2', 'e8'] });
});

test('repeats do not confuse it: what is said again is new', async () => {
  const s = await session();
  await s.sync([person('go'), model('x'), person('ok')]);
  expect(await s.sync([person('ok'), person('ok')])).toEqual({
    relation: 'cut',
    appended: ['e4'],
    lost: ['e1', 'e2'],
  });
  expect(await log(s)).toEqual(['go', 'x', 'ok', 'ok']);
  expect(await s.sync([person('ok'), person('go')])).toMatchObject({ appended: ['e5'] });
});

test('a list that was emptied and comes back is not appended anew', async () => {
  const s = await session();
  const list = [person('go'), model('x'), person('ok'), model('y')];
  await s.sync(list);
  expect(await s.sync([])).toEqual({
    relation: 'cut',
    appended: [],
    lost: ['e1', 'e2', 'e3', 'e4'],
  });
  expect(await s.sync([])).toEqual({ relation: 'same', appended: [], lost: [] });
  expect(await s.sync(list)).toEqual({ relation: 'same', appended: [], lost: [] });
  expect(await s.sync([...list, person('go')])).toMatchObject({ appended: ['e5'] });
  await s.sync([]);
  expect(await s.sync([person('go')])).toMatchObject({ relation: 'append', appended: ['e6'] });
});

test('a list in another order is not appended anew', async () => {
  const s = await session();
  const list = talk(3);
  await s.sync(list);
  expect(await s.sync([...list.slice(2), ...list.slice(0, 2)])).toEqual({
    relation: 'same',
    appended: [],
    lost: [],
  });
  expect(await s.sync(list.toReversed())).toEqual({ relation: 'same', appended: [], lost: [] });
  expect(await s.sync([...list, person('On.')])).toMatchObject({ appended: ['e7'], lost: [] });
});

test('an assistant message with its calls that a host reworded waits for no result', async () => {
  const s = await session();
  await s.sync([person('Read.'), ...work(1), model('Read it.'), person('Good.')]);
  const [call] = work(1) as [Message & { role: 'assistant' }, Message];
  const list = [person('Read.'), { ...call, content: 'I will read the file now.' }];
  const after = [...list, work(1)[1]!, model('Read it.'), person('Good.')];
  expect(await s.sync(after)).toMatchObject({ relation: 'cut', appended: ['e6'], lost: ['e2'] });
  expect((await s.assemble()).openCalls).toEqual([]);
  expect(await s.sync([...after, model('Yes.')])).toMatchObject({ appended: ['e7'], lost: [] });
});

test('what is no list of messages is refused by name, and nothing happens', async () => {
  const s = await session();
  await s.sync(talk(1));
  const { seq } = s.state;
  for (const given of [null, undefined, 'text', {}])
    await expect(s.sync(given as never)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  for (const given of [[null], ['text'], [{ role: 'user' }]])
    await expect(s.sync(given as never)).rejects.toMatchObject({ code: 'MESSAGE_INVALID' });
  for (const given of [null, undefined, 7, { tokens: 1 }, { window: '8k' }, { messages: -1 }])
    await expect(s.report(given as never)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  for (const given of [{ assembly: 7 }, { usage: null }, { window: Number.NaN }])
    await expect(s.report(given as never)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  expect(s.state.seq).toBe(seq);
});
