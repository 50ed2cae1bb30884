import type Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import { fromAnthropic, toAnthropic, usageOf, type Message } from '../../../../src/anthropic.ts';
import type { AnthropicBlock } from '../../../../src/core/formats/anthropic/anthropic-blocks.ts';
import { textOf } from '../../../../src/core/messages/message.ts';
import { aHistory, assemblyOf, callsIn } from '../wire-arbitrary.ts';

const thinking = { type: 'thinking', thinking: 'Look first.', signature: 'EuYB' };
const use = {
  type: 'tool_use',
  id: 'toolu_1',
  name: 'read',
  input: { path: 'a.ts', deep: [null] },
};

test('the client takes what is made, and gives what is read', () => {
  expectTypeOf<ReturnType<typeof toAnthropic>>().toExtend<
    Omit<Anthropic.MessageCreateParamsNonStreaming, 'model'>
  >();
  const one = (message: Anthropic.Message) => fromAnthropic(message);
  const all = (messages: Anthropic.MessageParam[]) => fromAnthropic(messages);
  expectTypeOf(one).returns.toExtend<Message>();
  expectTypeOf(all).returns.toExtend<readonly Message[]>();
  expectTypeOf<Anthropic.Usage>().toExtend<Parameters<typeof usageOf>[0]>();
});

test('results of a unit stand in one message behind it, images and documents in them', () => {
  const request = toAnthropic(
    assemblyOf([
      { role: 'system', content: 'Be careful' },
      { role: 'user', content: 'Read both' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id: 'a.1', name: 'read', arguments: { path: 'a' } },
          { id: 'a_1', name: 'read', arguments: 'b' },
        ],
      },
      { role: 'tool', toolCallId: 'a_1', content: '', isError: true },
      {
        role: 'tool',
        toolCallId: 'a.1',
        content: [
          { type: 'file', mediaType: 'image/png', data: 'data:image/png;base64,AAAA' },
          { type: 'file', mediaType: 'application/pdf', data: 'BBBB', name: 'a.pdf' },
          { type: 'file', mediaType: 'audio/mpeg', data: 'CCCC', name: 'a.mp3' },
        ],
      },
      { role: 'user', content: 'And?' },
      { role: 'assistant', content: ' ' },
    ]),
    { tools: [{ name: 'read', description: 'Reads', parameters: { properties: {} } }] },
  );
  expect(request).toEqual({
    system: [{ type: 'text', text: 'Be careful' }],
    max_tokens: 600,
    tools: [
      { name: 'read', description: 'Reads', input_schema: { properties: {}, type: 'object' } },
    ],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Read both' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a_1', name: 'read', input: { path: 'a' } },
          { type: 'tool_use', id: 'e3_2', name: 'read', input: { unparsed: 'b' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'e3_2',
            content: [{ type: 'text', text: '[no text]' }],
            is_error: true,
          },
          {
            type: 'tool_result',
            tool_use_id: 'a_1',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
              {
                type: 'document',
                source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' },
                title: 'a.pdf',
              },
              { type: 'text', text: '[file a.mp3, audio/mpeg]' },
            ],
          },
          { type: 'text', text: 'And?' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: '[no text]' }] },
    ],
  });
});

test('thinking goes back byte for byte, to Anthropic alone', () => {
  const blocks = [thinking, { type: 'redacted_thinking', data: 'x' }, use];
  const message = fromAnthropic({ role: 'assistant', content: blocks, stop_reason: 'tool_use' });
  expect(message).toEqual({
    role: 'assistant',
    content: '',
    thinking: 'Look first.',
    finish: 'tool_use',
    toolCalls: [{ id: 'toolu_1', name: 'read', arguments: { path: 'a.ts', deep: [null] } }],
    provider: { name: 'anthropic', raw: blocks },
  });
  const sent = (one: Message) =>
    toAnthropic(assemblyOf([{ role: 'user', content: 'Go' }, one])).messages[1]!.content;
  expect(JSON.stringify(sent(message))).toBe(JSON.stringify(blocks));
  expect(sent({ ...message, provider: { name: 'openai', raw: {} } })).toEqual([use]);
});

test('what our fields say is kept once', () => {
  const content = [{ type: 'text', text: 'Reading', citations: null }, use];
  expect(fromAnthropic({ role: 'assistant', content })).not.toHaveProperty('provider');
  expect(fromAnthropic({ role: 'assistant', content: 'Hi' })).toEqual({
    role: 'assistant',
    content: 'Hi',
  });
  expect(fromAnthropic({ role: 'assistant', content: [] })).toEqual({
    role: 'assistant',
    content: '',
  });
});

test('what our fields cannot say is named, and kept', () => {
  const blocks = [
    { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
    { type: 'web_search_tool_result', tool_use_id: 's', content: [{ url: 'https://a' }] },
    { type: 'text', text: 'Found', citations: [{ url: 'https://a' }] },
  ];
  const message = fromAnthropic({ role: 'assistant', content: blocks });
  expect(message.provider?.raw).toEqual(blocks);
  expect(textOf(message.content)).toBe(
    '[server tool use {"name":"web_search","input":{"query":"x"}}]\n' +
      '[web search tool result {"tool_use_id":"s","content":[{"url":"https://a"}]}]\nFound',
  );
});

test('a list of messages comes in whole, whoever said them', () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://a/b.png' } };
  expect(
    fromAnthropic([
      { role: 'user', content: [{ type: 'text', text: 'See' }, image] },
      { role: 'assistant', content: [use] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'text', is_error: true },
          { type: 'text', text: 'Go on', cache_control: { type: 'ephemeral' } },
        ],
      },
      { role: 'system', content: 'New rule' },
    ]),
  ).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'file', mediaType: 'image/*', data: 'https://a/b.png' },
      ],
    },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'toolu_1', name: 'read', arguments: use.input }],
    },
    { role: 'tool', toolCallId: 'toolu_1', content: 'text', isError: true },
    { role: 'user', content: 'Go on' },
    { role: 'user', content: '[system New rule]', origin: 'machine' },
  ]);
});

test('with thinking asked for, calls of the last turn that came without are told in words', () => {
  const call = (id: string) => ({ id, name: 'read', arguments: {} });
  const old: Message = { role: 'assistant', content: 'Well', toolCalls: [call('b')] };
  const own = fromAnthropic({ role: 'assistant', content: [thinking, use] });
  const messages: Message[] = [
    { role: 'user', content: 'Before' },
    { role: 'assistant', content: '', toolCalls: [call('a')] },
    { role: 'tool', toolCallId: 'a', content: 'A' },
    { role: 'user', content: 'Go' },
    old,
    { role: 'tool', toolCallId: 'b', content: 'B' },
    own,
    { role: 'tool', toolCallId: 'toolu_1', content: 'C' },
  ];
  const told = toAnthropic(assemblyOf(messages), { thinking: true }).messages;
  expect(told.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  expect(told[2]!.content.slice(1)).toEqual([
    { type: 'text', text: 'Go' },
    { type: 'text', text: '[you said] Well\n[you called read {}]' },
    { type: 'text', text: '[result of read]\nB' },
  ]);
  expect(told[3]!.content).toEqual([thinking, use]);
  const plain = toAnthropic(assemblyOf(messages)).messages;
  expect(plain.filter(({ role }) => role === 'assistant')).toHaveLength(3);
});

test('breakpoints stand behind the system prompt, the head, and near the end and at it', () => {
  const said = (n: number): Message => ({ role: n % 2 ? 'assistant' : 'user', content: `m${n}` });
  const { messages } = assemblyOf([
    { role: 'system', content: 'S' },
    ...Array.from({ length: 40 }, (_, n) => said(n)),
  ]);
  const assembly = {
    ...assemblyOf([]),
    messages: messages.map((one, n) => (n <= 2 ? { ...one, section: 'chronicle' as const } : one)),
  };
  const marked = (cache?: 'auto' | '1h') => {
    const { system, messages: sent } = toAnthropic(assembly, cache === undefined ? {} : { cache });
    return [...system!, ...sent.flatMap(({ content }) => content)].flatMap((block) =>
      'cache_control' in block ? [(block as { text: string }).text] : [],
    );
  };
  expect(marked()).toEqual([]);
  expect(marked('auto')).toEqual(['S', 'm0', 'm22', 'm38']);
  const { system } = toAnthropic(assembly, { cache: '1h' });
  expect(system![0]!.cache_control).toEqual({ type: 'ephemeral', ttl: '1h' });
});

test('the chronicle is in blocks that stay while it grows, with a breakpoint behind the last full one', () => {
  const line = (n: number): string => `- e${n} ${`said ${n} `.repeat(60)}`;
  const index = 'Files and commands, the most used first; e… show or name them:\n- a.ts (e1)';
  const sent = (lines: number, cache?: 'auto'): readonly AnthropicBlock[] => {
    const told = ['What happened:', ...Array.from({ length: lines }, (_, n) => line(n)), index];
    const { messages } = assemblyOf([
      { role: 'user', content: told.join('\n') },
      { role: 'user', content: 'Go on' },
    ]);
    const [chronicle, request] = messages;
    const assembly = {
      ...assemblyOf([]),
      messages: [{ ...chronicle!, section: 'chronicle' as const }, request!],
    };
    const given = cache === undefined ? {} : { cache };
    return toAnthropic(assembly, given).messages.flatMap(({ content }) => content);
  };
  const textsOf = (blocks: readonly AnthropicBlock[]) =>
    blocks.map((block) => (block as { text: string }).text);
  expect(sent(40)).toHaveLength(2);
  expect(textsOf(sent(40, 'auto')).slice(0, -1).join('')).toBe(textsOf(sent(40))[0]);
  const [shorter, longer] = [sent(40, 'auto'), sent(43, 'auto')].map(textsOf);
  expect(shorter!.length).toBeGreaterThan(4);
  expect(longer!.slice(0, shorter!.length - 2)).toEqual(shorter!.slice(0, -2));
  const marked = sent(40, 'auto').flatMap((block, at) => ('cache_control' in block ? [at] : []));
  expect(marked).toEqual([shorter!.length - 3, shorter!.length - 1]);
});

test('without a system prompt the tools have a breakpoint, and never a block of Anthropic', () => {
  const own = fromAnthropic({ role: 'assistant', content: [thinking] });
  const tools = [{ name: 'read', description: '', parameters: {} }];
  const given = assemblyOf([{ role: 'user', content: 'Go' }, own]);
  const request = toAnthropic(given, { tools, cache: 'auto' });
  expect(request.tools![0]).toHaveProperty('cache_control');
  expect(request.messages[0]!.content[0]).toHaveProperty('cache_control');
  expect(request.messages[1]!.content).toEqual([thinking]);
});

test('all of the prompt is input, whatever served it', () => {
  const usage = {
    input_tokens: 10,
    output_tokens: 5,
    cache_read_input_tokens: 80,
    cache_creation_input_tokens: 10,
  };
  const counted = {
    inputTokens: 100,
    outputTokens: 5,
    cachedInputTokens: 80,
    cacheWriteTokens: 10,
  };
  expect(usageOf({ usage })).toEqual(counted);
  expect(usageOf(usage)).toEqual(counted);
  expect(usageOf({ usage: null })).toEqual({});
});

/** What the Messages API refuses of a request; '' for nothing. */
function refusalOf(
  messages: readonly { role: string; content: readonly AnthropicBlock[] }[],
): string {
  const ids = new Set<string>();
  let open: string[] = [];
  let before = '';
  for (const { role, content } of messages) {
    if (role === before || content.length === 0) return `${role} twice, or empty`;
    before = role;
    const answered = content.flatMap((one) =>
      one.type === 'tool_result' ? [one.tool_use_id] : [],
    );
    if (!open.every((id) => answered.includes(id)) || !answered.every((id) => open.includes(id)))
      return `results ${answered.join()} for ${open.join()}`;
    open = [];
    for (const block of content) {
      if (block.type === 'text' && block.text.trim() === '') return 'blank text';
      if (block.type !== 'tool_use') continue;
      if (!/^[\w-]{1,64}$/.test(block.id) || ids.has(block.id)) return `id ${block.id}`;
      ids.add(block.id);
      open.push(block.id);
    }
  }
  return '';
}

test('any history is taken: roles alternate, ids are allowed and lead back to one call', () => {
  fc.assert(
    fc.property(aHistory, fc.boolean(), (history, cached) => {
      const given = assemblyOf(history);
      const request = toAnthropic(given, cached ? { cache: 'auto' } : {});
      expect(refusalOf(request.messages)).toBe('');
      const uses = request.messages
        .flatMap(({ content }) => content)
        .filter(({ type }) => type === 'tool_use');
      expect(uses).toHaveLength(callsIn(history).length);
      expect(JSON.stringify(request)).not.toContain('secret');
    }),
  );
});

test('what comes in goes out as it was', () => {
  const block = fc.oneof(
    fc.record({ type: fc.constant('text'), text: fc.constantFrom('a', ' b', 'c') }),
    fc.record({ type: fc.constant('thinking'), thinking: fc.string(), signature: fc.string() }),
    fc.record({ type: fc.constant('new_kind'), held: fc.jsonValue() }),
    fc.record({
      type: fc.constant('tool_use'),
      id: fc.uuid(),
      name: fc.constantFrom('read', 'write'),
      input: fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
    }),
  );
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 5 }), (content) => {
      const message = fromAnthropic({ role: 'assistant', content });
      const [, sent] = toAnthropic(assemblyOf([{ role: 'user', content: 'Go' }, message])).messages;
      expect(JSON.parse(JSON.stringify(sent!.content))).toEqual(
        JSON.parse(JSON.stringify(content)),
      );
    }),
  );
});

test('nothing that is not there is sent, and some room for an answer always', () => {
  const given = (reserve: number) => assemblyOf([], { window: 4_000, reserve });
  expect(toAnthropic(given(0))).toStrictEqual({ messages: [], max_tokens: 4_096 });
  expect(toAnthropic(given(1))).toStrictEqual({ messages: [], max_tokens: 1 });
  expect(toAnthropic(assemblyOf([{ role: 'system', content: ' ' }])).system).toEqual([
    { type: 'text', text: '[no text]' },
  ]);
});

const file = (mediaType: string, data: string, name?: string) => {
  return { type: 'file', mediaType, data, ...(name !== undefined && { name }) } as const;
};
const base64 = (media_type: string) => ({ type: 'base64', media_type, data: 'AAAA' });
const url = { type: 'url', url: 'https://a/b' };

test.each<readonly [ReturnType<typeof file>, object]>([
  [file('image/jpg', 'AAAA'), { type: 'image', source: base64('image/jpeg') }],
  [file('image/gif', 'AAAA', 'a.gif'), { type: 'image', source: base64('image/gif') }],
  [file('image/webp', 'AAAA'), { type: 'image', source: base64('image/webp') }],
  [file('image/bmp', 'AAAA'), { type: 'text', text: '[file image/bmp]' }],
  [file('image/bmp', url.url), { type: 'image', source: url }],
  [file('application/pdf', 'AAAA'), { type: 'document', source: base64('application/pdf') }],
  [file('application/pdf', url.url, 'T'), { type: 'document', source: url, title: 'T' }],
  [file('text/csv', url.url), { type: 'text', text: '[file https://a/b, text/csv]' }],
])('the file %j is sent', (part, block) => {
  const { messages } = toAnthropic(assemblyOf([{ role: 'user', content: [part] }]));
  expect(messages).toStrictEqual([{ role: 'user', content: [block] }]);
});

test('blank texts are left out beside others, and an answer of calls alone says none', () => {
  const sent = (...said: readonly Message[]) => toAnthropic(assemblyOf(said)).messages[0]!.content;
  const texts = ['a', ' ', ''].map((text) => ({ type: 'text', text }) as const);
  expect(sent({ role: 'user', content: texts })).toEqual([{ type: 'text', text: 'a' }]);
  expect(sent({ role: 'user', content: texts.slice(1) })).toEqual([
    { type: 'text', text: '[no text]' },
  ]);
  const toolCalls = [{ id: 'a', name: 'ls', arguments: {} }];
  const asked = { type: 'tool_use', id: 'a', name: 'ls', input: {} };
  expect(sent({ role: 'assistant', content: ' ', toolCalls })).toEqual([asked]);
  expect(sent({ role: 'assistant', content: ' a', toolCalls })).toEqual([
    { type: 'text', text: ' a' },
    asked,
  ]);
});

test('what was kept goes back only as blocks, and thinking is told by its kind', () => {
  const call = { id: 'a', name: 'ls', arguments: {} };
  const sent = (raw: unknown, isThinking = true) =>
    toAnthropic(
      assemblyOf([
        {
          role: 'assistant',
          content: 'Hi',
          toolCalls: [call],
          provider: { name: 'anthropic', raw },
        },
      ]),
      { thinking: isThinking },
    ).messages[0]!;
  const own = [
    { type: 'text', text: 'Hi' },
    { type: 'tool_use', id: 'a', name: 'ls', input: {} },
  ];
  for (const raw of [[], { type: 'thinking' }, 'thinking'])
    expect(sent(raw, false)).toEqual({ role: 'assistant', content: own });
  const kept = [{ type: 'redacted_thinking' }];
  expect(sent(kept)).toEqual({ role: 'assistant', content: kept });
  for (const type of ['thinking_of', 'no thinking', undefined])
    expect(sent([{ type }])).toMatchObject({ role: 'user' });
  expect(sent([{ type: 'text' }, { type: 'thinking' }])).toMatchObject({ role: 'user' });
  expect(sent('thinking')).toMatchObject({ role: 'user' });
});
