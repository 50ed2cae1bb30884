import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formats } from '../../src/import/format-name.ts';
import { importerOf, importers } from '../../src/import/formats.ts';
import { memorySource } from '../../src/import/source/source.ts';
import { jsonl, stepsOf } from './told.ts';
import { draws } from '../draws.ts';

const samples = {
  flamestack: jsonl({ type: 'flamestack', version: 1 }),
  'claude-code': jsonl(
    { type: 'summary', summary: 's', leafUuid: 'l' },
    {
      parentUuid: null,
      isSidechain: false,
      sessionId: 's',
      uuid: 'a',
      type: 'user',
      message: { role: 'user', content: 'hi' },
    },
  ),
  pi: jsonl(
    { type: 'session', id: 'x', timestamp: '2026-01-01T00:00:00Z', cwd: '/' },
    { type: 'message', message: { role: 'user', content: [] } },
  ),
  codex: jsonl(
    { timestamp: 't', type: 'session_meta', payload: { id: 'x' } },
    {
      timestamp: 't',
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [] },
    },
  ),
  opencode: JSON.stringify({
    info: { id: 'ses_1', directory: '/' },
    messages: [{ info: { role: 'user', sessionID: 'ses_1' }, parts: [] }],
  }),
  'copilot-cli': jsonl(
    { type: 'session.start', data: { sessionId: 's', version: 1 }, id: 'a', parentId: null },
    { type: 'user.message', data: { content: 'hi' }, id: 'b', parentId: 'a' },
  ),
  'gemini-cli': JSON.stringify({
    sessionId: 's',
    projectHash: 'a0',
    messages: [{ id: 'm', type: 'user', content: 'hi' }],
  }),
  'swe-agent': JSON.stringify({
    environment: 'e',
    trajectory: [{ messages: [{ role: 'user', content: 'x' }], action: 'ls', response: '' }],
    history: [{ role: 'user', content: 'x' }],
  }),
  openai: JSON.stringify([{ role: 'user', content: 'hi' }]),
} as const;

const formatOf = async (text: string): Promise<string> =>
  (await importerOf(memorySource(text))).format;

test.each(Object.entries(samples))('%s is known by its content', async (format, text) => {
  expect(await formatOf(text)).toBe(format);
  expect(await formatOf(`\ufeff\r\n \n${text}\n`)).toBe(format);
  expect(await formatOf(`not json\n${text}`)).toBe(format === 'openai' ? 'openai' : format);
});

test('a first line beyond what is looked at is known by its fields before the cut', async () => {
  const huge = 'x'.repeat(100_000);
  const user = { role: 'user', content: huge };
  expect(await formatOf(JSON.stringify([user]))).toBe('openai');
  expect(await formatOf(JSON.stringify(user))).toBe('openai');
  expect(await formatOf(JSON.stringify({ messages: [user] }, null, 2))).toBe('openai');
  expect(await formatOf(JSON.stringify({ parentUuid: null, sessionId: 's', message: user }))).toBe(
    'claude-code',
  );
  const text = [{ type: 'input_text', text: huge }];
  const item = { type: 'message', role: 'user', content: text };
  expect(
    await formatOf(JSON.stringify({ timestamp: 't', type: 'response_item', payload: item })),
  ).toBe('codex');
  const part = { info: { sessionID: 's', role: 'user' }, parts: [{ type: 'text', text: huge }] };
  expect(await formatOf(JSON.stringify({ messages: [part], info: {} }))).toBe('opencode');
  const step = { action: 'ls', observation: huge, response: '' };
  expect(await formatOf(JSON.stringify({ trajectory: [step], history: [user] }, null, 2))).toBe(
    'swe-agent',
  );
  expect(await formatOf(JSON.stringify({ attempts: [{ trajectory: [step] }] }))).toBe('swe-agent');
});

test('bare items of the Responses API are a rollout, with or without a header', async () => {
  const header = { id: 'x', timestamp: 't', instructions: null };
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] };
  expect(await formatOf(jsonl(header, item))).toBe('codex');
  expect(await formatOf(jsonl(item))).toBe('codex');
  expect(await formatOf(jsonl({ type: 'function_call_output', call_id: 'c', output: '' }))).toBe(
    'codex',
  );
});

const issue = { id: 'a-1', title: 'x', status: 'open' };

test.each([
  ['an issue list', jsonl(issue, issue), 'JSON lines with "id", "title", "status"'],
  [
    'an export with messages of another shape',
    JSON.stringify({ info: {}, messages: [{ info: { role: 'user' }, parts: [] }] }),
    'a JSON object with "info", "messages"',
  ],
  [
    'a document on many lines',
    JSON.stringify(
      { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, [`g\u001b${'g'.repeat(90)}`]: 1 },
      null,
      2,
    ),
    'a JSON object with "a", "b", "c", "d", "e", "f" …',
  ],
  ['prose', '# Notes\n\nrole: user', 'text, and no JSON'],
  ['nothing', 'null\n', 'the JSON value null'],
  ['a number', '12', 'the JSON value 12'],
  ['a text', JSON.stringify('x'.repeat(90)), `the JSON value "${'x'.repeat(23)}…`],
  ['an array of issues', JSON.stringify([issue]), 'a JSON array, whose objects begin with "id"'],
  ['a database', 'SQLite format 3\0', 'an SQLite database'],
  ['a picture', '\0\ufffdPNG', 'no text'],
])('%s is not in a known format', async (_, text, like) => {
  await expect(importerOf(memorySource(text))).rejects.toMatchObject({
    code: 'IMPORT_FORMAT_UNKNOWN',
  });
  await expect(importerOf(memorySource(text))).rejects.toThrow(`it looks like ${like}`);
  await expect(importerOf(memorySource(text))).rejects.toMatchObject({
    message: expect.stringMatching(
      /flamestack.*claude-code.*pi.*codex.*opencode.*copilot-cli.*gemini-cli.*swe-agent.*openai/,
    ) as string,
  });
});

test.each(['', '\n', ' \r\n\t\n', '\ufeff', '[]', ' [\n]\n'])(
  '%j is empty, whatever the format',
  async (text) => {
    await expect(importerOf(memorySource(text))).rejects.toMatchObject({
      code: 'IMPORT_EMPTY',
      message: 'The input is empty',
    });
    await expect(importerOf(memorySource(text), 'pi')).rejects.toMatchObject({
      code: 'IMPORT_EMPTY',
    });
  },
);

test('formats names the importers in their order', () => {
  expect(importers.map(({ format }) => format)).toEqual(formats);
});

test('a format that is named is taken, and one that there is not is refused', async () => {
  expect((await importerOf(memorySource('prose'), 'pi')).format).toBe('pi');
  await expect(importerOf(memorySource('prose'), 'word')).rejects.toMatchObject({
    code: 'IMPORT_FORMAT_UNKNOWN',
    detail: { format: 'word', formats: Object.keys(samples) },
  });
});

test('no importer throws on what is not its own, and each tells the session first', async () => {
  const noise = fc.array(
    fc.oneof(
      fc.constantFrom(
        ...Object.values(samples),
        '{',
        '[',
        ']',
        '"',
        '{"messages":[',
        '{"type":"message"}',
        ',',
      ),
      fc.string(),
      fc.json(),
      fc
        .record(
          {
            type: fc.constantFrom('user', 'assistant', 'message', 'append', 'session', 'pop', 3),
            uuid: fc.constantFrom('a', 'b', 'c', 4),
            id: fc.constantFrom('a', 'b', 'c', null),
            parentId: fc.constantFrom('a', 'b', 'c', null),
            parentUuid: fc.constantFrom('a', 'b', 'c', null),
            isSidechain: fc.boolean(),
            message: fc.record(
              {
                role: fc.constantFrom('user', 'assistant', 'toolResult', 'system', null),
                id: fc.constantFrom('m', 5),
                content: fc.oneof(
                  fc.string(),
                  fc.array(
                    fc.record(
                      {
                        type: fc.constantFrom(
                          'text',
                          'tool_use',
                          'tool_result',
                          'toolCall',
                          'image',
                        ),
                        text: fc.oneof(fc.string(), fc.integer()),
                        id: fc.constantFrom('t', 6),
                        tool_use_id: fc.constantFrom('t', 6),
                        content: fc.jsonValue(),
                        input: fc.jsonValue(),
                        arguments: fc.jsonValue(),
                      },
                      { requiredKeys: [] },
                    ),
                  ),
                ),
              },
              { requiredKeys: [] },
            ),
          },
          { requiredKeys: [] },
        )
        .map((record) => JSON.stringify(record)),
    ),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(noise, async (lines) => {
      for (const importer of importers) {
        const text = lines.join('\n');
        importer.detect(text);
        const steps = await stepsOf(importer, text);
        expect(steps.map(({ type }) => type).lastIndexOf('session')).toBe(0);
        expect(steps[0]).toMatchObject({
          id: expect.stringMatching(/^[0-9A-Za-z_.-]{1,64}$/) as string,
        });
      }
    }),
    { numRuns: draws(1_000) },
  );
});

test('a value that is nested too deep is broken alone, in every format', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const user = { role: 'user', content: 'hi' };
  for (const [at, importer] of importers.entries())
    for (const text of [
      `${deep}\n${Object.values(samples)[at]}`,
      `${Object.values(samples)[at]}\n{"type":"x","role":"user","content":${deep}}`,
      `[{"role":"user","content":${deep}},${JSON.stringify(user)}]`,
      `{"info":${deep},"environment":${deep},"messages":[{"info":${deep}}]}`,
    ]) {
      importer.detect(text);
      await stepsOf(importer, text);
    }
  const lines = jsonl(samples.flamestack, deep, `{"type":"append","message":${deep}}`, {
    type: 'append',
    message: user,
  });
  const flamestack = await importerOf(memorySource(lines));
  const steps = await stepsOf(flamestack, lines);
  expect(steps.slice(1)).toMatchObject([
    { type: 'skip', line: 2, reason: 'nested too deep' },
    { type: 'skip', line: 3, reason: 'nested too deep' },
    { type: 'append', message: user },
  ]);
});

test('progress grows up to the size of the file', async () => {
  for (const text of Object.values(samples)) {
    const source = memorySource(text);
    const importer = await importerOf(source);
    const told: number[] = [];
    for await (const _ of importer.read(source, { onBytes: (done) => told.push(done) }));
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(Buffer.byteLength(text));
  }
});

test('an abort ends the reading with its reason', async () => {
  const reason = new Error('enough');
  for (const text of Object.values(samples)) {
    const source = memorySource(text);
    const importer = await importerOf(source);
    const reading = importer.read(source, { signal: AbortSignal.abort(reason) });
    await expect(reading[Symbol.asyncIterator]().next()).rejects.toBe(reason);
  }
});
