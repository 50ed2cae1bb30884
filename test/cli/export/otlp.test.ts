import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toExchange } from '../../../src/cli/paper/exchange-json.ts';
import { tracesFile, type TracesFile } from '../../../src/cli/export/forms/otlp.ts';
import { newSecrets, noSecrets } from '../../../src/cli/secrets/secrets.ts';
import { openStore } from '../../../src/index.ts';
import { flamestack, folder } from '../call.ts';
import { toldOf, toldSessions } from './record.ts';

type Span = TracesFile['resourceSpans'][0]['scopeSpans'][0]['spans'][0];

const spansOf = (file: TracesFile): readonly Span[] => file.resourceSpans[0]!.scopeSpans[0]!.spans;

/** The attributes of a span, each as the text of its value. */
const told = ({ attributes }: Span): Readonly<Record<string, string>> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      'arrayValue' in value
        ? JSON.stringify(value.arrayValue.values)
        : String(Object.values(value)[0]),
    ]),
  );

test('each span has an id of its own, and lies in that of its frame, up to the one of the session', () => {
  fc.assert(
    fc.property(toldSessions, (session) => {
      const spans = spansOf(tracesFile(session, null));
      const known = new Map(spans.map((span) => [span.spanId, span]));
      expect(known.size).toBe(spans.length);
      expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined)).toHaveLength(1);
      for (const span of spans) {
        expect(span.spanId).toMatch(/^[\da-f]{16}$/);
        expect(span.traceId).toMatch(/^[\da-f]{32}$/);
        expect(span.spanId + span.traceId).not.toMatch(/^0+$/);
        expect([undefined, 2]).toContain(span.status.code);
        expect([1, 2, 3, 4, 5]).toContain(span.kind);
        expect(span.startTimeUnixNano + span.endTimeUnixNano).toMatch(/^\d+$/);
        for (const { key, value } of span.attributes) {
          expect(key).not.toBe('');
          expect(Object.keys(value)).toHaveLength(1);
          if ('intValue' in value) expect(value.intValue).toMatch(/^-?\d+$/);
        }
        expect(span.traceId).toBe(spans[0]!.traceId);
        const [from, to] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)];
        expect(from <= to).toBe(true);
        if (span.parentSpanId === undefined) continue;
        const above = known.get(span.parentSpanId)!;
        expect(BigInt(above.startTimeUnixNano) <= from).toBe(true);
        expect(to <= BigInt(above.endTimeUnixNano)).toBe(true);
      }
      const named = (name: string) => spans.filter((span) => span.name.startsWith(name)).length;
      const said = (role: string) => session.entries.filter(({ entry }) => entry.role === role);
      expect([
        named('chat m'),
        named('execute_tool read'),
        named('frame'),
        named('compact'),
      ]).toEqual([
        said('assistant').length,
        said('tool').length,
        session.frames.length - 1,
        session.history.compressions.length,
      ]);
      expect(JSON.stringify(spansOf(tracesFile(session, null)))).toBe(JSON.stringify(spans));
    }),
  );
});

test('what was said stays out, and so do titles; with content it is there, a message by its parts', () => {
  const session = toldOf([
    { act: 'say', role: 'user', after: 0, tokens: 5 },
    { act: 'push' },
    { act: 'say', role: 'assistant', after: 500, tokens: 9 },
    { act: 'say', role: 'tool', after: 500, tokens: 9 },
    { act: 'say', role: 'assistant', after: 500, tokens: 9 },
  ]);
  const bare = JSON.stringify(tracesFile(session, null));
  expect(bare).not.toMatch(/said e\d|Frame f|Made/);
  const spans = spansOf(tracesFile(session, noSecrets));
  expect(spans.find(({ name }) => name === 'frame Frame f1')).toBeDefined();
  const chats = spans.filter(({ name }) => name.startsWith('chat')).map(told);
  expect(chats.map((chat) => JSON.parse(chat['gen_ai.input.messages']!) as unknown)).toEqual([
    [{ role: 'user', parts: [{ type: 'text', content: 'said e1' }] }],
    [{ role: 'tool', parts: [{ type: 'tool_call_response', response: 'said e3' }] }],
  ]);
  expect(JSON.parse(chats[1]!['gen_ai.output.messages']!)).toEqual([
    { role: 'assistant', parts: [{ type: 'text', content: 'said e4' }], finish_reason: '' },
  ]);
});

const key = `ghp_${'aB3cD4eF5gH6'.repeat(3)}`;

test('a session that was really sent has what the server counted, and says where it was compacted', async () => {
  const location = await folder();
  {
    await using store = await openStore(location);
    const options = { window: 2_048, model: 'llama3.2:3b', title: 'A half \ud800 title' };
    const session = await store.open('sent', options);
    for (let n = 0; n < 14; n += 1) {
      await session.append({ role: 'user', content: `Look at part ${n}. ${'word '.repeat(60)}` });
      const { id, budget } = await session.assemble();
      const cached = n > 0 && { cachedInputTokens: n };
      const usage = { inputTokens: budget.total, outputTokens: 40 + n, ...cached };
      const call = {
        id: `call-${n}`,
        name: 'read',
        arguments: { path: `src/${n}.ts`, token: key },
      };
      await session.append(
        { role: 'assistant', content: `Part ${n} \udc00`, toolCalls: [call], finish: 'tool_calls' },
        { assembly: id, usage },
      );
      await session.append({
        role: 'tool',
        toolCallId: `call-${n}`,
        isError: n === 3,
        content: `failed </script> ${key}`,
      });
    }
    await session.settled();
  }
  const { out, err } = await flamestack(`export --as otlp --store ${location}`);
  const spans = spansOf(JSON.parse(out) as TracesFile);
  const chats = spans.filter(({ kind }) => kind === 3).map((span) => ({ ...span, ...told(span) }));
  expect(chats[0]).toMatchObject({
    name: 'chat llama3.2:3b',
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'llama3.2:3b',
    'gen_ai.conversation.id': 'sent',
    'gen_ai.usage.output_tokens': '40',
    'gen_ai.response.finish_reasons': '[{"stringValue":"tool_calls"}]',
  });
  // A server that says nothing of a cache is not one that had nothing in it.
  const served = chats.map((chat) =>
    new Map(Object.entries(chat)).get('gen_ai.usage.cache_read.input_tokens'),
  );
  expect(served.slice(0, 3)).toEqual([undefined, '1', '2']);
  for (const chat of chats as unknown as Readonly<Record<string, string>>[]) {
    const parts = Object.entries(chat).filter(([name]) =>
      name.startsWith('flamestack.prompt.tokens'),
    );
    const sum = parts.reduce((all, [, size]) => all + Number(size), 0);
    expect(chat['gen_ai.usage.input_tokens']).toBe(String(sum));
  }
  const first = chats.findIndex((chat) => 'gen_ai.conversation.compacted' in chat);
  expect(first).toBeGreaterThan(1);
  for (const chat of chats.slice(first))
    expect(chat).toMatchObject({ 'gen_ai.conversation.compacted': 'true' });
  const failed = spans.filter(({ status }) => status.code === 2);
  expect(failed.map((span) => [span.name, told(span)['gen_ai.tool.call.id']])).toEqual([
    ['execute_tool read', 'call-3'],
  ]);
  expect(out).not.toMatch(/part|title|path/i);
  expect(err).toContain('No key-like string');
  const whole = await flamestack(`export --as otlp --with-content --store ${location}`);
  expect(whole.err).toContain('1 key-like string redacted (GitHub token)');
  expect(whole.out).not.toContain(key.slice(0, 14));
  expect(whole.out).not.toMatch(/\\ud[89a-f]/);
  const tool = spansOf(JSON.parse(whole.out) as TracesFile).find(({ name }) => /tool/.test(name))!;
  expect(JSON.parse(told(tool)['gen_ai.tool.call.arguments']!)).toEqual({
    path: 'src/0.ts',
    token: '[redacted GitHub token]',
  });
});

test('half a character is a sign of its own in what others read, and a whole one stays', () => {
  expect(JSON.parse(toExchange(['a\ud800', '\udc00b', '😀', String.raw`\ud800`, '\\']))).toEqual([
    'a\ufffd',
    '\ufffdb',
    '😀',
    String.raw`\ud800`,
    '\\',
  ]);
});

test('what a key is taken out of stays JSON', () => {
  const pem = `-----BEGIN PRIVATE KEY-----\nMIIabc${'aB3c'.repeat(9)}\n\\`;
  const session = toldOf([{ act: 'say', role: 'assistant', after: 0, tokens: 5 }]);
  const [only] = session.entries;
  const entry = { ...only!.entry, role: 'assistant' as const, content: pem };
  const spans = spansOf(tracesFile({ ...session, entries: [{ ...only!, entry }] }, newSecrets()));
  const text = told(spans.find(({ kind }) => kind === 3)!)['gen_ai.output.messages']!;
  expect(JSON.parse(text)).toMatchObject([{ parts: [{ content: '[redacted private key]\n\\' }] }]);
});

test('an answer is of its own model, by whom the host says or its name tells', () => {
  const session = toldOf([
    { act: 'say', role: 'assistant', after: 0, tokens: 5 },
    { act: 'say', role: 'assistant', after: 9, tokens: 5 },
    { act: 'say', role: 'assistant', after: 9, tokens: 5 },
  ]);
  const models = [{ name: 'claude-opus-4-6' }, { name: 'grok-4', provider: 'xai' }, undefined];
  const entries = session.entries.map((one, at) => ({
    ...one,
    entry: { ...one.entry, role: 'assistant' as const, model: models[at] },
  }));
  const chats = spansOf(tracesFile({ ...session, entries }, null)).filter(({ kind }) => kind === 3);
  expect(
    chats.map((span) => {
      const said = new Map(Object.entries(told(span)));
      const names = ['provider.name', 'request.model', 'response.model'];
      return [span.name, ...names.map((name) => said.get(`gen_ai.${name}`))];
    }),
  ).toEqual([
    ['chat claude-opus-4-6', 'anthropic', 'claude-opus-4-6', 'claude-opus-4-6'],
    ['chat grok-4', 'x_ai', 'grok-4', 'grok-4'],
    ['chat m', 'ollama', 'm', undefined],
  ]);
});

test('an imported session has the model of its answers where it is listed, shown and exported', async () => {
  const location = await folder();
  const lines = [
    { type: 'session', id: 'a', timestamp: '2026-01-02T03:04:05.000Z', cwd: '/w' },
    { type: 'message', message: { role: 'user', content: 'Go' } },
    {
      type: 'message',
      message: { role: 'assistant', content: 'Yes', model: 'gpt-5.5', provider: 'openai' },
    },
  ];
  const file = lines.map((line) => JSON.stringify(line)).join('\n');
  {
    await using store = await openStore(location);
    await store.import([file]);
  }
  const { out } = await flamestack(`export --as otlp --store ${location}`);
  const spans = spansOf(JSON.parse(out) as TracesFile);
  expect(spans.map(({ name }) => name)).toEqual(['invoke_agent pi', 'chat gpt-5.5']);
  expect(spans.map((span) => told(span)['gen_ai.request.model'])).toEqual(['gpt-5.5', 'gpt-5.5']);
  const by = { model: 'gpt-5.5', provider: 'openai' };
  const ls = await flamestack(`ls --json --store ${location}`);
  expect(JSON.parse(ls.out)).toMatchObject({ sessions: [by] });
  expect(JSON.parse((await flamestack(`show --json --store ${location}`)).out)).toMatchObject(by);
  expect((await flamestack(`show --store ${location}`)).out).toMatch(/ · gpt-5\.5 ──\n/);
  expect((await flamestack(`export --as md --store ${location}`)).out).toContain(
    'gpt-5.5 (openai)',
  );
});
