import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openStore, type Hit, type Message, type Session } from '../../../src/index.ts';
import { entryText } from '../../../src/core/messages/message-text.ts';
import { termsIn } from '../../../src/core/search/terms.ts';
import { draws } from '../../draws.ts';

const window = 4_000;
const user = (content: string): Message => ({ role: 'user', content });
const machine = (content: string): Message => ({ role: 'user', content, origin: 'machine' });
const assistant = (content: string): Message => ({ role: 'assistant', content });
const call = (id: string, name: string, given: Record<string, unknown>): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ id, name, arguments: given }],
});
const result = (toolCallId: string, content: string): Message => ({
  role: 'tool',
  toolCallId,
  content,
});
const code = (wanted: string) => expect.objectContaining({ code: wanted }) as Error;

async function told(messages: readonly Message[]): Promise<Session> {
  const store = await openStore(':memory:');
  const session = await store.open('s', { window });
  await session.append(messages);
  return session;
}

const ids = (hits: readonly Hit[]): readonly string[] => hits.map(({ entry }) => entry);

test('what was said is found by a word of it, whole and word for word', async () => {
  const session = await told([
    user('Build the app.'),
    assistant('The refresh token lives in a cookie.'),
    user('Fine.'),
  ]);
  const [hit, ...more] = await session.recall('refresh tokens');
  expect(more).toEqual([]);
  expect(hit).toMatchObject({
    entry: 'e2',
    frame: 'f0',
    role: 'assistant',
    text: 'The refresh token lives in a cookie.',
    whole: true,
    tokens: 8,
  });
  expect(hit!.at).toBe((await session.entry('e2')).at);
});

test.each([
  ['an identifier by a part of it', 'token', 'const refreshToken = 1'],
  ['an identifier by all of it', 'refreshToken', 'const refreshToken = 1'],
  ['a name with underscores by a part', 'retries', 'MAX_RETRIES = 3'],
  ['a path by its file', 'parser.ts', 'see /home/me/app/src/parser.ts'],
  ['an absolute path by a relative one', 'src/parser.ts', 'see /home/me/app/src/parser.ts'],
  ['a dotted name by a member', 'recall', 'await session.recall(query)'],
  ['an error code', 'TS2345', 'error TS2345: Argument of type'],
  ['a system error', 'ENOENT', 'Error: ENOENT: no such file'],
  ['a version', '10.0.3', 'level 10.0.3 came out'],
  ['another form of the word', 'compressing', 'It compressed the log.'],
  ['a capital or none', 'COOKIE', 'a cookie'],
  ['writing without spaces', '東京', '明日は東京都へ行く'],
  ['letters beyond ASCII', 'übergröße', 'Die Übergröße passt'],
])('%s is found', async (_, query, said) => {
  const session = await told([user('Nothing here.'), user(said), user('Nor here.')]);
  expect(ids(await session.recall(query))).toEqual(['e2']);
});

test('calls are found by their arguments and results by their text, each filtered by tool', async () => {
  const session = await told([
    user('Look.'),
    call('a', 'bash', { command: 'grep -n\nneedle src' }),
    result('a', 'needle in line 3'),
    call('b', 'read', { path: 'src/needle.ts' }),
    result('b', 'export const needle = 1'),
  ]);
  expect([...ids(await session.recall('needle'))].sort()).toEqual(['e2', 'e3', 'e4', 'e5']);
  expect([...ids(await session.recall('needle', { tool: 'bash' }))].sort()).toEqual(['e2', 'e3']);
  const only = await session.recall('needle', { tool: 'read', role: 'tool' });
  expect(ids(only)).toEqual(['e5']);
  expect(await session.recall('needle', { tool: 'constructor' })).toEqual([]);
});

test('role, turns, time and frame narrow a search', async () => {
  const store = await openStore(':memory:');
  const session = await store.open('s', { window });
  await session.append(user('apple one'), { at: 1_000 });
  await session.append(machine('apple two'), { at: 2_000 });
  await session.append(assistant('apple three'), { at: 3_000 });
  const { id: frame } = await session.push({ title: 'Inner' });
  await session.append(user('apple four'), { at: 4_000 });
  const found = async (options: Parameters<Session['recall']>[1]) =>
    [...ids(await session.recall('apple', options))].sort();
  expect(await found({ role: 'user' })).toEqual(['e1', 'e2', 'e4']);
  expect(await found({ role: 'person' })).toEqual(['e1', 'e4']);
  expect(await found({ role: 'machine' })).toEqual(['e2']);
  expect(await found({ turns: { from: 2 } })).toEqual(['e4']);
  expect(await found({ turns: [1, 1] })).toEqual(['e1', 'e2', 'e3']);
  expect(await found({ time: { from: 2_000, to: 3_000 } })).toEqual(['e2', 'e3']);
  expect(await found({ frame })).toEqual(['e4']);
  expect(await found({ frame: 'f0', role: 'assistant' })).toEqual(['e3']);
  await expect(found({ frame: 'f9' })).rejects.toThrow(code('FRAME_NOT_FOUND'));
  await expect(found({ role: 'system' as never })).rejects.toThrow(code('OPTION_INVALID'));
  await expect(found({ limit: -1 })).rejects.toThrow(code('OPTION_INVALID'));
});

test('the texts of all hits keep to the budget, and a long entry shows the place that answers', async () => {
  const filler = Array.from({ length: 900 }, (_, n) => `line ${n} of nothing much`).join('\n');
  const long = `${filler}\nthe needle is here\n${filler}`;
  const session = await told([user(long), user(long), user('a short needle')]);
  const hits = await session.recall('needle', { tokens: 300 });
  expect(hits.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(300);
  expect(ids(hits)).toHaveLength(3);
  for (const { text, entry } of hits) {
    expect(text).toContain('needle');
    expect((await session.entry(entry)).content).toContain(text);
  }
  expect(hits.filter(({ whole }) => whole).map(({ entry }) => entry)).toEqual(['e3']);
  expect(await session.recall('needle', { limit: 1 })).toHaveLength(1);
  expect(await session.recall('needle', { tokens: 0 })).toEqual([]);
});

test('a search looks behind ids and ranges only, where they are given', async () => {
  const session = await told(['ant', 'bee ant', 'ant', 'cat', 'ant'].map(user));
  const within = async (within: string): Promise<readonly string[]> =>
    [...ids(await session.recall('ant', { within }))].sort();
  expect(await within('e2-e4')).toEqual(['e2', 'e3']);
  expect(await within('e5, e1–e2')).toEqual(['e1', 'e2', 'e5']);
  expect(await within('f0')).toEqual(['e1', 'e2', 'e3', 'e5']);
  expect(
    ids(await session.recall('ant', { within: 'e1-e2', frame: 'f0', role: 'person' })),
  ).toEqual(expect.arrayContaining(['e1', 'e2']));
  await expect(within('e9')).rejects.toThrow(code('ENTRY_NOT_FOUND'));
  await expect(within('somewhere')).rejects.toThrow(code('OPTION_INVALID'));
});

test('results that say nearly the same are one hit, which names the others; what is said is never', async () => {
  const lines = (time: string): string =>
    `mix dialyzer checks the project\nlib/auth.ex:58 the pattern can never match the type\n${'a warning of the tool '.repeat(9)}\ndone in ${time}`;
  const session = await told([
    call('a', 'bash', { command: 'mix dialyzer' }),
    result('a', lines('11 s')),
    call('b', 'bash', { command: 'mix dialyzer' }),
    result('b', lines('14 s')),
    assistant('The pattern can never match, so I drop the clause.'),
    assistant('The pattern can never match, so I drop the clause.'),
  ]);
  const hits = await session.recall('pattern never match', { tokens: 2_000 });
  const [folded, ...rest] = hits.filter(({ role }) => role === 'tool');
  expect(rest).toEqual([]);
  expect([folded!.entry, ...folded!.same].sort()).toEqual(['e2', 'e4']);
  expect(ids(hits.filter(({ role }) => role === 'assistant'))).toHaveLength(2);
});

test('nothing is found for stop words, signs, or what nobody said', async () => {
  const session = await told([user('Build the app, and then the rest.')]);
  for (const query of ['', 'the and', '?!', 'unheard'])
    expect(await session.recall(query)).toEqual([]);
});

const word = fc.constantFrom('ant', 'beeHive', 'cat_nap', 'src/dog.ts', 'eel', 'the', 'fox');
const saying = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));

test('on small logs a search gives what a scan gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(saying, { minLength: 1, maxLength: 30 }),
      fc.array(word, { minLength: 1, maxLength: 4 }),
      async (said, query) => {
        const session = await told(
          said.map((text, index) => (index % 2 ? assistant(text) : user(text))),
        );
        const wanted = new Set(termsIn(query.join(' ')));
        const scanned: string[] = [];
        for await (const entry of session.log())
          if (termsIn(entryText(entry).text).some((term) => wanted.has(term)))
            scanned.push(entry.id);
        const hits = await session.recall(query.join(' '), { limit: 100, tokens: 100_000 });
        expect([...ids(hits)].sort()).toEqual(scanned.sort());
        const scores = hits.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      },
    ),
    { numRuns: draws(400) },
  );
});

test('what cannot be asked for is refused by name, and nothing is read', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_192 });
  await session.append({ role: 'user', content: 'The needle lies in the hay' });
  const asked: readonly (readonly [() => Promise<unknown>, string, unknown])[] = [
    [() => session.recall(undefined as never), 'query', undefined],
    [() => session.recall({} as never), 'query', {}],
    [() => session.recall('needle', null as never), 'options', null],
    [() => session.recall('needle', { limit: -1 }), 'limit', -1],
    [() => session.recall('needle', { limit: '5' as never }), 'limit', '5'],
    [() => session.recall('needle', { tokens: Number.NaN }), 'tokens', Number.NaN],
    [() => session.recall('needle', { role: 'robot' as never }), 'role', 'robot'],
    [() => session.recall('needle', { frame: 3 as never }), 'frame', 3],
    [() => session.recall('needle', { tool: 3 as never }), 'tool', 3],
    [() => session.recall('needle', { turns: [9, 3] }), 'turns', '[9,3]'],
    [() => session.recall('needle', { turns: { from: 9, to: 3 } }), 'turns', '{"from":9,"to":3}'],
    [() => session.recall('needle', { turns: 3 as never }), 'turns', 3],
    [() => session.recall('needle', { time: ['now', 3] as never }), 'time', '["now",3]'],
    [() => session.trace('x' as never), 'given', 'x'],
    [() => session.trace({} as never), 'given', '{}'],
    [() => session.trace({ text: 5 } as never), 'text', 5],
    [() => session.trace({ checkpoint: 5 } as never), 'checkpoint', 5],
    [() => session.trace({ text: 'x' }, { limit: -1 }), 'limit', -1],
    [() => session.expand(undefined as never), 'ref', undefined],
    [() => session.expand(5 as never), 'ref', 5],
    [() => session.expand('e1', { limit: -1 }), 'limit', -1],
    [() => store.recall(5 as never), 'query', 5],
    [() => store.recall('needle', { limit: -1 }), 'limit', -1],
    [() => store.recall('needle', 'all' as never), 'options', 'all'],
  ];
  for (const [ask, option, value] of asked) {
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'OPTION_INVALID', detail: { option, value } });
    expect((error as Error).message).toContain(
      `"${option}" ${value === undefined ? 'is missing' : 'cannot be'}`,
    );
  }
  const unknown = { maximum: 3 } as never;
  for (const ask of [
    () => session.recall('needle', unknown),
    () => session.trace({ text: 'needle' }, unknown),
    () => session.expand('e1', unknown),
    () => store.recall('needle', unknown),
  ])
    await expect(ask()).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      detail: { option: 'maximum' },
    });
  await expect(store.recall('needle', { session: 5 as never })).rejects.toMatchObject({
    code: 'OPTION_INVALID',
  });
});

test('a hit names the request that it was said for', async () => {
  const session = await told([
    assistant('ant before'),
    user('first'),
    assistant('ant one'),
    machine('a note'),
    assistant('ant two'),
    user('ant?'),
  ]);
  const hits = await session.recall('ant');
  const requests = Object.fromEntries(hits.map(({ entry, request }) => [entry, request]));
  expect(requests).toEqual({ e1: undefined, e3: 'e2', e5: 'e2', e6: 'e2' });
});

test('words between quotes are found where they stand so, others by themselves, whatever else is asked for', async () => {
  const filler = 'the rename of a part that nobody will ever name. '.repeat(80);
  const session = await told([
    user('Never rename part 1.'),
    assistant('I rename it, never mind.'),
    assistant(`${filler}We never\nrename it. ${filler}`),
    call('c', 'write', { text: 'so never\nrename' }),
    assistant('Renamed: part 2.'),
  ]);
  expect(ids(await session.recall('"never rename"')).toSorted()).toEqual(['e1', 'e3', 'e4']);
  const long = (await session.recall('"never rename"', { tokens: 200 })).find(
    ({ entry }) => entry === 'e3',
  )!;
  expect(long.text).toContain('never\nrename it');
  expect(long.whole).toBe(false);
  expect(ids(await session.recall('"never rename" part', { limit: 1 }))).toEqual(['e1']);
  expect(ids(await session.recall('"never rename"', { role: 'person' }))).toEqual(['e1']);
  expect(ids(await session.recall('"rename never"'))).toEqual([]);
  expect(ids(await session.recall('rename "never'))).toHaveLength(5);
});

test('a phrase is found among many entries that say its words apart, in a session and in a store', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window });
  const apart = Array.from({ length: 90 }, (_, n) => assistant(`rename ${n}: rename it, never`));
  await session.append([user('Go.'), assistant(`${'so '.repeat(40)} never rename`), ...apart]);
  const query = '"never rename"';
  expect(ids(await session.recall(query))).toEqual(['e2']);
  expect(ids(await store.recall(query))).toEqual(['e2']);
  expect(await store.recall('"rename rename"')).toEqual([]);
});
