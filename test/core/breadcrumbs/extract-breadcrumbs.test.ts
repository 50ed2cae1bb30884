import { expect, test } from 'vitest';
import type { Breadcrumb } from '../../../src/core/breadcrumbs/breadcrumb.ts';
import {
  breadcrumbsFor,
  breadcrumbsLost,
  shortenedHint,
} from '../../../src/core/breadcrumbs/extract-breadcrumbs.ts';
import type { LeavingEntry, Message } from '../../../src/core/messages/message.ts';
import { entryId } from '../../../src/core/values/id.ts';

const user = (content: string): Message => ({ role: 'user', content });
const says = (content: string): Message => ({ role: 'assistant', content });
const calls = (name: string, given: Record<string, unknown>, content = ''): Message => ({
  role: 'assistant',
  content,
  toolCalls: [{ id: 'c1', name, arguments: given }],
});
const result = (content: string, name = 'bash'): Message => ({
  role: 'tool',
  toolCallId: 'c1',
  name,
  content,
});

const entriesOf = (messages: readonly Message[]): readonly LeavingEntry[] =>
  messages.map((message, at) => ({ n: at + 1, message }));

const shown = ({ type, reference, hint, entries }: Breadcrumb): string =>
  `${type} ${reference} | ${hint} | ${entries.join(' ')}`;

const of = (messages: readonly Message[], ...lost: string[]): readonly string[] =>
  breadcrumbsFor(entriesOf(messages), new Set(lost)).map(shown);

test.each<readonly [string, readonly Message[], readonly string[]]>([
  ['nothing', [user('Hello there')], []],
  [
    'a file that was said',
    [user('Look at src/auth.ts, please')],
    ['file src/auth.ts | Look at src/auth.ts, please | e1'],
  ],
  [
    'what a machine said',
    [{ ...user('See src/auth.ts for it'), origin: 'machine' } as Message],
    ['file src/auth.ts | in machine text | e1'],
  ],
  ['a folder that was said', [user('Look at src/auth, please')], []],
  ['a home', [calls('ls', { path: 'Users/ada' })], []],
  [
    'a file in an output',
    [calls('bash', { command: 'npm test' }), result('error in src/a.ts')],
    ['action npm test | was run | e1', 'file src/a.ts | in the output of bash | e2'],
  ],
  [
    'a listing',
    [calls('bash', { command: 'ls' }), result('src/a.ts\nsrc/b.ts\nsrc/c.ts\nsrc/d.ts')],
    [],
  ],
  [
    'three files in an output',
    [result('src/a.ts\nsrc/b.ts\nsrc/c.ts')],
    [
      'file src/a.ts | in the output of bash | e1',
      'file src/b.ts | in the output of bash | e1',
      'file src/c.ts | in the output of bash | e1',
    ],
  ],
  [
    'a file that was changed',
    [user('Change src/a.ts then'), calls('write', { path: 'src/a.ts', content: 'x' })],
    ['file src/a.ts | changed by write | e1 e2'],
  ],
  [
    'a link',
    [says('It is told at https://example.com/docs for all')],
    ['external https://example.com/docs | It is told at https://example.com/docs for all | e1'],
  ],
  [
    'an issue',
    [says('That is what #123 is about')],
    ['external #123 | That is what #123 is about | e1'],
  ],
  ['a number', [says('That is what 1234567 is about')], []],
  [
    'a function that was said',
    [says('Then parseConfig() reads it')],
    ['function parseConfig | Then parseConfig() reads it | e1'],
  ],
  [
    'a citation',
    [says('As in arXiv:2509.13313v2 and RFC 9110.')],
    [
      'external arXiv:2509.13313v2 | As in arXiv:2509.13313v2 and RFC 9110. | e1',
      'external RFC 9110 | As in arXiv:2509.13313v2 and RFC 9110. | e1',
    ],
  ],
  ['a citation in an output', [result('RFC 9110')], []],
  [
    'a decision',
    [says('We decided to use **exponential** backoff.')],
    ['decision e1 | We decided to use exponential backoff. | e1'],
  ],
  ['a decision that announces only', [says('Let me use exponential backoff instead.')], []],
  [
    'a decision that a person rejects',
    [says('We decided to use exponential backoff.'), user('No, not exponential backoff.')],
    [],
  ],
])('breadcrumbs of %s', (_, messages, breadcrumbs) => {
  expect(of(messages)).toEqual(breadcrumbs);
});

test.each([
  ['Look at src/auth.ts', 'Look at src/auth.ts'],
  ['src/auth.ts is newt', 'src/auth.ts is newt'],
  ['src/auth.ts is new', 'said by a person'],
  ['# src/auth.ts holds the guard', 'src/auth.ts holds the guard'],
  ['12. src/auth.ts holds the guard', 'src/auth.ts holds the guard'],
  ['Hello\nThe guard is in src/auth.ts now\nGo', 'The guard is in src/auth.ts now'],
  [
    `${'far away '.repeat(9)} the guard is in src/auth.ts now`,
    'far away the guard is in src/auth.ts now',
  ],
  [
    `In src/auth.ts there is ${'much '.repeat(20)}`,
    'In src/auth.ts there is much much much much much much much …',
  ],
])('of the text %j the hint is %j', (text, hint) => {
  expect(breadcrumbsFor(entriesOf([user(text)]), new Set())[0]!.hint).toBe(hint);
});

test('a name that several entries hold leads to the newest that a tool did not write, and names them all', () => {
  expect(
    of([
      user('Look at src/auth.ts, please'),
      says('The guard of src/auth.ts is wrong'),
      result('src/auth.ts'),
    ]),
  ).toEqual(['file src/auth.ts | The guard of src/auth.ts is wrong | e1 e2 e3']);
});

test('what is lost, changed or decided comes first where there is more than room for', () => {
  const many = Array.from({ length: 30 }, (_, n) => user(`Look at src/part${n}.ts, please`));
  expect(of(many)).toHaveLength(20);
  const lost = Array.from({ length: 30 }, (_, n) => `src/part${n}.ts`);
  expect(of(many, ...lost).length).toBeGreaterThan(20);
  const decided = of([says('We decided to use SQLite for storage.'), ...many]);
  expect(decided[0]).toBe('decision e1 | We decided to use SQLite for storage. | e1');
});

const crumb = (type: Breadcrumb['type'], reference: string, hint = ''): Breadcrumb => {
  return { type, reference, hint, entries: [entryId(1)] };
};

test.each<readonly [string, string, string, readonly Breadcrumb[], readonly string[]]>([
  ['the same text', 'In src/a.ts', 'In src/a.ts', [], []],
  [
    'a file',
    'In src/a.ts and src/b.ts',
    'In src/a.ts',
    [],
    [`file src/b.ts | ${shortenedHint} | e7 e9`],
  ],
  ['a file that is known', 'In src/a.ts', 'In a file', [crumb('file', 'src/a.ts')], []],
  ['a file that is still named in other words', 'In src/a.ts', 'In(src/a.ts)', [], []],
  [
    'a decision',
    'e3 We decided to use **SQLite** now.',
    'Nothing',
    [],
    ['decision e3 | We decided to use SQLite now. | e3'],
  ],
  [
    'a decision of some entries',
    'We decided to use SQLite now.',
    'Nothing',
    [],
    ['decision e7–e9 | We decided to use SQLite now. | e7 e9'],
  ],
  [
    'a decision that is known',
    'e3 We decided to use SQLite now.',
    'Nothing',
    [crumb('decision', 'e9', 'We decided to use SQLite now.')],
    [],
  ],
  ['a word', 'The parser', 'Nothing', [], []],
])('a text that loses %s when it is shortened', (...[, before, after, known, breadcrumbs]) => {
  const entries = () => [entryId(7), entryId(9)];
  expect(breadcrumbsLost({ before, after, known, entriesOf: entries }).map(shown)).toEqual(
    breadcrumbs,
  );
});

const citations = (text: string): readonly string[] =>
  breadcrumbsFor(entriesOf([says(text)]), new Set())
    .filter(({ type }) => type === 'external')
    .map(({ reference }) => reference);

test.each([
  ['arxiv:1234.5678', ['arxiv:1234.5678']],
  ['arXiv: 1234.56789', ['arXiv: 1234.56789']],
  ['arxiv:1234.5678v12', ['arxiv:1234.5678v12']],
  ['arxiv:123.5678', []],
  ['arxiv:1234.567', []],
  ['arxiv:1234.567890', []],
  ['arxiv:  1234.5678', []],
  ['myarxiv:1234.5678', []],
  ['doi:10.1000/ab', ['doi:10.1000/ab']],
  ['DOI: 10.123456789/a(b)-c;d:e.', ['DOI: 10.123456789/a(b)-c;d:e']],
  ['doi:10.100/ab', []],
  ['doi:11.1000/ab', []],
  ['doi:10.1000/a', []],
  ['RFC9110', ['RFC9110']],
  ['rfc 791', ['rfc 791']],
  ['RFC 12345', ['RFC 12345']],
  ['RFC 79', []],
  ['RFC 123456', []],
  ['RFC  791', []],
  ['CVE-2024-1234', ['CVE-2024-1234']],
  ['cve-2024-1234567', ['cve-2024-1234567']],
  ['CVE-2024-123', []],
  ['CVE-2024-12345678', []],
  ['CVE-24-1234', []],
  ['RFC 791, RFC 792 and RFC 791', ['RFC 791', 'RFC 792']],
])('%j cites %j', (text, cited) => expect(citations(`It is told by ${text}`)).toEqual(cited));

test('a citation leads to the newest entry that has it', () => {
  expect(of([says('See RFC 9110 for it all'), user('And RFC 9110 for the rest')])).toEqual([
    'external RFC 9110 | And RFC 9110 for the rest | e2',
  ]);
});

test.each<readonly [string, Message, string]>([
  [
    'a change',
    calls('write', { path: 'src/a.ts' }, 'Now src/a.ts holds it all'),
    'changed by write',
  ],
  ['a use', calls('read', { path: 'src/a.ts' }), 'used by read'],
  [
    'a use that is told',
    calls('read', { path: 'src/a.ts' }, 'I read src/a.ts for it'),
    'I read src/a.ts for it',
  ],
  ['a use beside its name', calls('read', { path: 'src/a.ts' }, 'src/a.ts'), 'used by read'],
  ['an output', result('src/a.ts', 'grep'), 'in the output of grep'],
  ['an output of nobody', { role: 'tool', content: 'src/a.ts' }, 'in the output of a tool'],
  [
    'an output of a long name',
    result('src/a.ts', 'x'.repeat(60)),
    `in the output of ${'x'.repeat(42)}…`,
  ],
  ['a name alone', says('src/a.ts'), ''],
])('the hint of %s', (_, message, hint) => {
  const [file] = breadcrumbsFor(entriesOf([message]), new Set());
  expect(file).toEqual({ type: 'file', reference: 'src/a.ts', hint, entries: ['e1'] });
});

test.each([
  ['- src/auth.ts holds the guard', 'src/auth.ts holds the guard'],
  ['> src/auth.ts holds the guard', 'src/auth.ts holds the guard'],
  ['123) src/auth.ts holds the guard', 'src/auth.ts holds the guard'],
  ['1234. src/auth.ts holds the guard', '1234. src/auth.ts holds the guard'],
  ['-src/auth.ts holds the guard', '-src/auth.ts holds the guard'],
  ['1: src/auth.ts holds the guard', '1: src/auth.ts holds the guard'],
  [`${'x'.repeat(29)} src/auth.ts holds`, `${'x'.repeat(29)} src/auth.ts holds`],
  [`${'x'.repeat(30)} src/auth.ts holds it`, 'src/auth.ts holds it'],
])('the line of %j is told as %j', (text, hint) => {
  const all = breadcrumbsFor(entriesOf([user(text)]), new Set());
  expect(all.find(({ reference }) => reference.includes('auth'))!.hint).toBe(hint);
});

test('breadcrumbs stand in the order of their newest entries', () => {
  expect(
    of([
      says('We decided to use SQLite for storage.'),
      user('Look at src/b.ts, please'),
      user('Look at src/a.ts, please'),
      user('And at src/b.ts again, please'),
    ]),
  ).toEqual([
    'decision e1 | We decided to use SQLite for storage. | e1',
    'file src/a.ts | Look at src/a.ts, please | e3',
    'file src/b.ts | And at src/b.ts again, please | e2 e4',
  ]);
});

test('a decision is told once, of its newest entry', () => {
  const stated = says('We decided to use SQLite for storage.');
  expect(of([stated, user('Go on'), stated])).toEqual([
    'decision e3 | We decided to use SQLite for storage. | e3',
  ]);
});

test('of what a shortened text loses one of each type in turn is told, twenty at most', () => {
  const files = Array.from({ length: 30 }, (_, n) => `src/part${n}.ts`);
  const before = `In ${files.join(' and ')}; see https://example.com/docs and parseConfig() and #123.`;
  const lost = breadcrumbsLost({ before, after: '', known: [], entriesOf: () => [entryId(4)] });
  expect(lost).toHaveLength(20);
  expect(lost.slice(0, 4).map(({ type }) => type)).toEqual(
    expect.arrayContaining(['file', 'external', 'function']),
  );
  expect(lost.filter(({ type }) => type === 'external').map(({ reference }) => reference)).toEqual(
    expect.arrayContaining(['https://example.com/docs', '#123']),
  );
});

test.each([
  ['e3–e5 We decided to use SQLite now.', 'decision e3 | We decided to use SQLite now. | e3'],
  ['e3 We decided to use SQLite now.', 'decision e3 | We decided to use SQLite now. | e3'],
  ['We decided to use SQLite now.', 'decision e7 | We decided to use SQLite now. | e7'],
])('a text that loses %j', (before, breadcrumb) => {
  const lost = breadcrumbsLost({ before, after: 'No', known: [], entriesOf: () => [entryId(7)] });
  expect(lost.map(shown)).toEqual([breadcrumb]);
});

test('a decision is told in a hundred characters', () => {
  const stated = (length: number): string =>
    `We decided to use SQLite for ${'x'.repeat(length - 30)}.`;
  const hint = (text: string): string | undefined =>
    breadcrumbsFor(entriesOf([says(text)]), new Set()).find(({ type }) => type === 'decision')
      ?.hint;
  expect(hint(stated(100))).toBe(stated(100));
  expect(hint(stated(101))).toBe(`${stated(101).slice(0, 99)}…`);
});

test('a name that a line of a checkpoint has in part leads nowhere', () => {
  const before = '- e4 read src/lamp/tea.ts and src/auth/has…';
  const lost = breadcrumbsLost({ before, after: 'No', known: [], entriesOf: () => [entryId(4)] });
  expect(lost.map(({ reference }) => reference)).toEqual(['lamp/tea.ts']);
});
