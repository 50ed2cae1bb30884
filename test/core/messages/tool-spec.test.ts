import { expect, test } from 'vitest';
import { toAnthropic } from '../../../src/core/formats/anthropic/anthropic.ts';
import { toChat } from '../../../src/core/formats/chat.ts';
import { toOllama } from '../../../src/core/formats/ollama.ts';
import { toOpenAI } from '../../../src/core/formats/openai.ts';
import { toResponses } from '../../../src/core/formats/responses.ts';
import { offersRecall } from '../../../src/core/messages/tool-spec.ts';
import { assemblyOf } from '../formats/wire-arbitrary.ts';

test.each([
  ['our own schema', { name: 'recall' }],
  ['an OpenAI-compatible server', { type: 'function', function: { name: 'recall' } }],
  ['a host that prefixes its tools', { name: 'mcp__flamestack__recall' }],
])('recall is seen in the spelling of %s', (_, schema) => {
  expect(offersRecall([{ name: 'read' }, schema])).toBe(true);
});

test.each([[[]], [[{ name: 'read' }]], [[{ name: 'precall' }]], [[null, 3, 'recall']]])(
  'recall is not seen in %j',
  (schemas) => {
    expect(offersRecall(schemas)).toBe(false);
  },
);

const read = { name: 'read', description: 'Reads', parameters: { type: 'object' } };

test.each([
  ['OpenAI spells them', [{ type: 'function', function: read }], 'tools[0]'],
  [
    'Anthropic spells them',
    [read, { ...read, parameters: undefined, input_schema: {} }],
    'tools[1]',
  ],
  ['nobody does', [{ ...read, name: undefined, nme: 'read' }], 'tools[0]'],
  ['a list is spelled that is none', { read }, 'tools'],
])('no server is sent tools as %s', (_, tools, named) => {
  for (const spell of [toAnthropic, toChat, toOllama, toOpenAI, toResponses]) {
    const sent = () => spell(assemblyOf([]), { tools } as never);
    expect(sent).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
    expect(sent).toThrow(`Option "${named}" cannot be `);
    expect(sent).toThrow('{ name, description, parameters }');
    expect(sent).toThrow(
      expect.objectContaining({ detail: { option: 'tools', value: expect.anything() } }),
    );
  }
});
