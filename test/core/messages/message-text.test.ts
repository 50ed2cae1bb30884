import { expect, test } from 'vitest';
import { hostSummaryIn } from '../../../src/core/messages/host-summary.ts';
import {
  entryText,
  isUrl,
  partsOf,
  piecesOf,
  shownText,
} from '../../../src/core/messages/message-text.ts';
import type { Message, Part } from '../../../src/core/messages/message.ts';
import { redactedMessage, textsWithin } from '../../../src/core/messages/redacted-message.ts';
import { byteBound, messageTokens } from '../../../src/core/messages/token-count.ts';
import { words } from '../../notation/state.ts';

const image: Part = { type: 'file', mediaType: 'image/png', data: 'AAAA', name: 'a.png' };
const call = { id: 'c1', name: 'read', arguments: { path: 'a.ts', line: 7 } };

test.each<readonly [Message, string, number]>([
  [{ role: 'user', content: 'Go on' }, 'Go on', 5],
  [{ role: 'assistant', content: 'I read.', toolCalls: [] }, 'I read.', 7],
  [
    { role: 'assistant', content: 'I read.', toolCalls: [call] },
    'I read.\ncall read {"path":"a.ts","line":7}',
    8,
  ],
  [
    { role: 'assistant', content: '', toolCalls: [call, { name: 'ls', arguments: '.' }] },
    'call read {"path":"a.ts","line":7}\ncall ls .',
    0,
  ],
  [
    { role: 'user', content: [{ type: 'text', text: 'See' }, image] },
    'See\n[file a.png, image/png]',
    27,
  ],
])('the text of %j', (message, text, calls) => {
  expect(entryText(message)).toEqual({ text, calls });
});

test('a file is a line by its name, its address or its type alone', () => {
  const file = (data: string, name?: string): Part => {
    return { type: 'file', mediaType: 'image/png', data, ...(name === undefined ? {} : { name }) };
  };
  expect(shownText([file('AAAA')])).toBe('[file image/png]');
  expect(shownText([file('https://x.org/a.png')])).toBe('[file https://x.org/a.png, image/png]');
  expect(shownText([file('https://x.org/a.png', 'b.png')])).toBe('[file b.png, image/png]');
  expect(shownText([file(`http://x.org/${'a'.repeat(300)}`)])).toBe(
    `[file http://x.org/${'a'.repeat(187)}, image/png]`,
  );
  expect(shownText([image, { type: 'text', text: 'Hi' }], ({ type }) => type === 'file')).toBe(
    'Hi',
  );
  expect(['http://a', 'HTTPS://a', 'ftp://a', 'xhttp://a', 'http:/a'].map(isUrl)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(partsOf('Hi')).toEqual([{ type: 'text', text: 'Hi' }]);
});

test.each([
  ['', [0]],
  ['a'.repeat(1_500), [1_500]],
  ['a'.repeat(1_501), [1_500, 1_501]],
  [`${'a'.repeat(1_400)}\n${'b'.repeat(600)}`, [1_401, 2_001]],
  [`${'a'.repeat(749)}\n${'b'.repeat(1_200)}`, [1_500, 1_950]],
  [`${'a'.repeat(750)}\n${'b'.repeat(1_200)}`, [751, 1_951]],
  [`${'a'.repeat(1_400)} ${'b'.repeat(600)}`, [1_401, 2_001]],
  [`${'a'.repeat(1_400)},${'b'.repeat(600)}`, [1_401, 2_001]],
  [`${'a'.repeat(1_400)};${'b'.repeat(600)}`, [1_401, 2_001]],
  [`${'a'.repeat(1_400)}.${'b'.repeat(600)}`, [1_500, 2_001]],
  [`${'a'.repeat(749)} ${'b'.repeat(1_200)}`, [1_500, 1_950]],
  [`${'a'.repeat(1_499)}😀${'b'.repeat(600)}`, [1_499, 2_101]],
  ['a'.repeat(3_100), [1_500, 3_000, 3_100]],
])('a text is cut into pieces where it may be: case %#', (text, ends) => {
  expect(piecesOf(text)).toEqual(ends);
});

test.each<readonly [Message, Message, readonly string[]]>([
  [
    { role: 'user', content: 'My key', meta: { at: 'home' } },
    { role: 'user', content: '[redacted]' },
    ['My key', 'at', 'home'],
  ],
  [
    { role: 'user', content: 'Log', origin: 'machine' },
    { role: 'user', content: '[redacted]', origin: 'machine' },
    ['Log'],
  ],
  [
    {
      role: 'assistant',
      content: 'So',
      thinking: 'Hm',
      finish: 'stop',
      toolCalls: [call, { name: 'ls', arguments: 'x' }],
    },
    {
      role: 'assistant',
      content: '[redacted]',
      finish: 'stop',
      toolCalls: [
        { id: 'c1', name: 'read', arguments: {} },
        { name: 'ls', arguments: {} },
      ],
    },
    ['So', 'path', 'a.ts', 'line', '7', 'x', 'Hm'],
  ],
  [{ role: 'assistant', content: 'So' }, { role: 'assistant', content: '[redacted]' }, ['So']],
  [
    {
      role: 'tool',
      toolCallId: 'c1',
      name: 'read',
      isError: true,
      content: [image, { type: 'text', text: 'No' }],
    },
    { role: 'tool', toolCallId: 'c1', name: 'read', isError: true, content: '[redacted]' },
    ['a.png', 'No'],
  ],
  [{ role: 'tool', content: 'No' }, { role: 'tool', content: '[redacted]' }, ['No']],
])('what is taken out of %j, and what stays', (message, masked, texts) => {
  expect(redactedMessage(message)).toEqual(masked);
  expect(textsWithin(message)).toEqual(texts);
});

test('nested values of arguments are texts, too', () => {
  const toolCalls = [{ name: 'edit', arguments: { edits: [{ old: 'a', n: 1 }], all: true } }];
  expect(textsWithin({ role: 'assistant', content: '', toolCalls })).toEqual([
    '',
    'edits',
    'old',
    'a',
    'n',
    '1',
    'all',
  ]);
});

test.each<readonly [Message, number]>([
  [{ role: 'user', content: 'a b c' }, 7],
  [{ role: 'user', content: [image, image] }, 2_004 + words('')],
  [{ role: 'assistant', content: 'a', toolCalls: [{ name: 'ls', arguments: '.' }] }, 15],
  [{ role: 'tool', content: 'a b' }, 6],
])('%j costs %i tokens', (message, tokens) => {
  expect(messageTokens(message, words)).toBe(tokens);
});

test.each(['', 'abc', '\u007f', '\u0080', '\u07ff', '\u0800', '中', '😀', 'aé中😀'])(
  '%j takes no more tokens than bytes, and its bytes are counted as such at least',
  (text) => {
    const { length } = new TextEncoder().encode(text);
    expect(byteBound(text)).toBeGreaterThanOrEqual(length);
    if (!/[\ud800-\udfff]/.test(text)) expect(byteBound(text)).toBe(length);
  },
);

const told = 'Built the parser.';

test.each([
  [
    'This session is being continued from a previous conversation that ran out of context.\n',
    '\nPlease continue the conversation from where we left it.',
  ],
  ['  Another language model started to solve this problem and produced a summary of it\n', ''],
  [
    'The conversation history before this point was compacted into the following summary:\n',
    '\n  Recent messages are preserved verbatim.',
  ],
  [
    'The following is a summary of a branch that this conversation came back from:\n',
    '\nIf you need specific details from before compaction, read the log.',
  ],
  ['<conversation-summary>\n', '\n</conversation-summary>'],
  ['<conversation_summary>', '\n</conversation_summary>'],
  ['<state_snapshot>\n', '\n</state_snapshot>'],
  [
    'This session is being continued from a previous conversation\n<analysis>Hm</analysis>\n<summary>\n',
    '\n</summary>\nGo on.',
  ],
  ['This session is being continued from a previous conversation\n<summary>', ''],
  [
    'This session is being continued from a previous conversation\nAnalysis:\nHm\n\n  Summary: \n',
    '',
  ],
])('the summary of a host that begins %j and ends %j is found in it', (head, end) => {
  expect(hostSummaryIn(`${head}${told}${end}`)).toBe(told);
});

test.each([told, `Look: <state_snapshot>${told}`, `<summary>${told}</summary>`, ''])(
  '%j is no summary of a host',
  (text) => {
    expect(hostSummaryIn(text)).toBe(undefined);
  },
);
