import { expect, test } from 'vitest';
import { fromResponses } from '../../../src/openai.ts';

const provider = (...raw: readonly object[]) => ({ provider: { name: 'openai-responses', raw } });
const output = (words: string) => ({ type: 'output_text', text: words });
const message = (...content: readonly object[]) => ({
  type: 'message',
  role: 'assistant',
  content,
});
const said = (text: string) => ({ type: 'text', text });
const call = { type: 'function_call', call_id: 'a', name: 'ls', arguments: '{"x":1}' };
const custom = { type: 'custom_tool_call', call_id: 'b', name: 'sh', input: 'ls' };

test.each<readonly [string, readonly object[], object]>([
  ['nothing', [], { content: '' }],
  ['a text', [message(output('Hi'))], { content: 'Hi' }],
  ['a bare text', [{ role: 'assistant', content: 'Hi' }], { content: 'Hi' }],
  ['an empty text', [{ role: 'assistant', content: '' }], { content: '' }],
  ['no content', [{ role: 'assistant', content: null }, { role: 'assistant' }], { content: '' }],
  ['two texts', [message(output('a'), output('b'))], { content: [said('a'), said('b')] }],
  [
    'a text with notes',
    [message({ ...output('Hi'), annotations: [1] })],
    { content: 'Hi', ...provider(message({ ...output('Hi'), annotations: [1] })) },
  ],
  ['a text without notes', [message({ ...output('Hi'), annotations: [] })], { content: 'Hi' }],
  [
    'a refusal',
    [message(output('a'), { type: 'refusal', refusal: 'No' })],
    {
      content: [said('a'), said('No')],
      ...provider(message(output('a'), { type: 'refusal', refusal: 'No' })),
    },
  ],
  ['a call', [call], { content: '', toolCalls: [{ id: 'a', name: 'ls', arguments: { x: 1 } }] }],
  [
    'a call without anything',
    [{ type: 'function_call' }],
    { content: '', toolCalls: [{ name: '', arguments: {} }] },
  ],
  [
    'a custom call',
    [call, custom],
    {
      content: '',
      toolCalls: [
        { id: 'a', name: 'ls', arguments: { x: 1 } },
        { id: 'b', name: 'sh', arguments: 'ls' },
      ],
      ...provider(call, custom),
    },
  ],
  [
    'thoughts',
    [
      { type: 'reasoning', summary: [{ text: 'One' }, {}], content: [{ text: 'two' }] },
      { type: 'reasoning', content: 'three' },
      { type: 'reasoning', summary: [{ text: 'four' }] },
    ],
    {
      content: '',
      thinking: 'One\ntwo\nfour',
      ...provider(
        { type: 'reasoning', summary: [{ text: 'One' }, {}], content: [{ text: 'two' }] },
        { type: 'reasoning', content: 'three' },
        { type: 'reasoning', summary: [{ text: 'four' }] },
      ),
    },
  ],
  ['no thought', [{ type: 'reasoning' }], { content: '', ...provider({ type: 'reasoning' }) }],
  [
    'an image that is not made',
    [{ type: 'image_generation_call', id: 'i', result: null }],
    {
      content: '[image generation call {"result":null}]',
      ...provider({ type: 'image_generation_call', id: 'i', result: null }),
    },
  ],
  [
    'a result of another tool',
    [{ type: 'shell_call', result: 'AAAA' }],
    {
      content: '[shell call {"result":"AAAA"}]',
      ...provider({ type: 'shell_call', result: 'AAAA' }),
    },
  ],
])('an answer of %s', (_, items, told) => {
  expect(fromResponses({ output: items })).toStrictEqual({ role: 'assistant', ...told });
  expect(fromResponses(items)).toStrictEqual(
    items.length === 0 ? [] : [{ role: 'assistant', ...told }],
  );
});

test.each<readonly [object, object]>([
  [{ status: 'completed' }, { finish: 'completed' }],
  [{ status: 'incomplete', incomplete_details: { reason: 'x' } }, { finish: 'x' }],
  [{ status: 'incomplete', incomplete_details: {} }, { finish: 'incomplete' }],
  [{ status: 'completed', incomplete_details: null }, { finish: 'completed' }],
  [{}, {}],
])('an answer with %j stopped', (given, finish) => {
  expect(fromResponses({ output: [], ...given })).toStrictEqual({
    role: 'assistant',
    content: '',
    ...finish,
  });
});

const file = (mediaType: string, data: string) => ({ type: 'file', mediaType, data });

test.each<readonly [object, object | string]>([
  [{ type: 'input_text', text: 'Hi' }, 'Hi'],
  [{ type: 'input_image', image_url: 'https://a/b' }, file('image/*', 'https://a/b')],
  [
    { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
    file('image/png', 'data:image/png;base64,AAAA'),
  ],
  [
    { type: 'input_image', image_url: 'https://a/b', detail: 'low' },
    { ...file('image/*', 'https://a/b'), detail: 'low' },
  ],
  [
    { type: 'input_image', image_url: null, file_id: 'f' },
    '[input image {"image_url":null,"file_id":"f"}]',
  ],
  [{ type: 'input_file', file_url: 'https://a/b' }, file('application/pdf', 'https://a/b')],
  [
    { type: 'input_file', file_data: 'data:text/csv,AA', file_url: 'u', filename: 'a.csv' },
    { ...file('text/csv', 'data:text/csv,AA'), name: 'a.csv' },
  ],
  [{ held: 1 }, '[part {"held":1}]'],
])('the part %j is read', (part, read) => {
  const [user] = fromResponses([{ role: 'user', content: [part] }]);
  expect(user!.content).toEqual(typeof read === 'string' ? read : [read]);
  const [result] = fromResponses([{ type: 'function_call_output', call_id: 'a', output: [part] }]);
  expect(result).toStrictEqual({ role: 'tool', toolCallId: 'a', content: user!.content });
});

test.each<readonly [object, object]>([
  [
    { type: 'function_call_output', output: 'ok' },
    { role: 'tool', content: 'ok' },
  ],
  [
    { type: 'custom_tool_call_output', call_id: 'a', output: { x: 1 } },
    { role: 'tool', toolCallId: 'a', content: '{"x":1}' },
  ],
  [
    { type: 'function_call_output', call_id: 'a' },
    { role: 'tool', toolCallId: 'a', content: '""' },
  ],
  [
    { type: 'shell_output', x: 1 },
    {
      role: 'user',
      content: '[shell output {"type":"shell_output","x":1}]',
      origin: 'machine',
      ...provider({ type: 'shell_output', x: 1 }),
    },
  ],
  [
    { role: 'system', content: 'Rule' },
    { role: 'user', content: '[system Rule]', origin: 'machine' },
  ],
  [{ content: [output('Hi')] }, { role: 'user', content: '[message Hi]', origin: 'machine' }],
  [
    { role: 'user', content: 'Go' },
    { role: 'user', content: 'Go' },
  ],
  [
    { role: 'user', content: '' },
    { role: 'user', content: '' },
  ],
  [
    { role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
    { role: 'user', content: 'Go' },
  ],
  [
    { role: 'user', content: [output('Go')] },
    { role: 'user', content: 'Go', ...provider({ role: 'user', content: [output('Go')] }) },
  ],
  [
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'See' },
        { type: 'input_image', image_url: 'https://a/b', detail: 'auto' },
      ],
    },
    { role: 'user', content: [said('See'), file('image/*', 'https://a/b')] },
  ],
  [
    {
      type: 'message',
      id: 'm',
      role: 'user',
      content: [{ type: 'input_image', image_url: 'https://a/b', detail: 'auto' }],
    },
    {
      role: 'user',
      content: [file('image/*', 'https://a/b')],
      ...provider({
        type: 'message',
        id: 'm',
        role: 'user',
        content: [{ type: 'input_image', image_url: 'https://a/b', detail: 'auto' }],
      }),
    },
  ],
])('the item %j is a message', (item, message) => {
  expect(fromResponses([item])).toStrictEqual([message]);
});

test('in an answer a part without a role or a type is what it said', () => {
  const given = [{ content: [output('Hi')] }];
  expect(fromResponses({ output: given })).toStrictEqual({ role: 'assistant', content: 'Hi' });
});

test('items between messages of others are one answer', () => {
  const user = { role: 'user', content: 'Go' };
  expect(fromResponses([message(output('a')), call, user, message(output('b')), custom])).toEqual([
    expect.objectContaining({ content: 'a', toolCalls: [expect.anything()] }),
    user,
    expect.objectContaining({ content: 'b', toolCalls: [expect.anything()] }),
  ]);
});
