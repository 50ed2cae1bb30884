import { expect, test } from 'vitest';
import { leadsSomewhere, passing } from '../../../src/core/breadcrumbs/worth-looking.ts';
import type { Mention } from '../../../src/core/entities/salience.ts';
import type { LeavingEntry, Message } from '../../../src/core/messages/message.ts';

const mention = (kind: Mention['kind'], name: string, more: Partial<Mention> = {}): Mention => ({
  name,
  kind,
  last: 0,
  messages: 1,
  said: 0,
  asked: 0,
  changed: false,
  weight: 1,
  ...more,
});

const entriesOf = (...messages: readonly Message[]): readonly LeavingEntry[] =>
  messages.map((message, at) => ({ n: at + 1, message }));

const output = (content: string) => entriesOf({ role: 'tool', toolCallId: 'c', content });

test.each([
  ['a path that a call changed', mention('path', 'src/a', { changed: 'src/a' }), true],
  ['an identifier that was said', mention('identifier', 'loadRow', { said: 1 }), true],
  ['one that only an output holds', mention('identifier', 'loadRow'), false],
  ['a path that was passed to a tool', mention('path', 'src/a', { asked: 1 }), true],
  ['a path that was said with its extension', mention('path', 'src/a.ts', { said: 1 }), true],
  ['one that was said without', mention('path', 'src/a', { said: 1 }), false],
  ['one with another end', mention('path', 'src/a.1', { said: 1 }), false],
  ['one with a long end', mention('path', 'src/a.abcdefg', { said: 1 }), false],
  ['an address that was said', mention('url', 'https://a.b', { said: 1 }), true],
  ['an address that was passed', mention('url', 'https://a.b', { asked: 1 }), true],
  ['an address of an output', mention('url', 'https://a.b'), false],
])('%s leads somewhere: %#', (_, one, leads) => {
  expect(leadsSomewhere(one, output(''))).toBe(leads);
});

test('one of three paths of an output leads somewhere, one of four is of a listing', () => {
  const leads = (text: string) => leadsSomewhere(mention('path', 'src/a.ts'), output(text));
  expect(leads('src/a.ts src/b.ts src/c.ts')).toBe(true);
  expect(leads('src/a.ts src/b.ts src/c.ts src/d.ts')).toBe(false);
  expect(leadsSomewhere(mention('path', 'src/a'), output('src/a'))).toBe(false);
});

const written = (content: string) =>
  entriesOf({
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'c', name: 'Write', arguments: { file_path: 'a.ts', content } }],
  });

test.each([
  ['function loadRow() {', true],
  ['function* loadRow() {', true],
  ['class loadRow {', true],
  ['interface loadRow {', true],
  ['type loadRow = 1', true],
  ['enum loadRow {', true],
  ['def loadRow(id)', true],
  ['defp loadRow(id)', true],
  ['def self.loadRow(id)', true],
  ['fn loadRow()', true],
  ['func (s *Store) loadRow()', true],
  ['fun loadRow()', true],
  ['struct loadRow {', true],
  ['trait loadRow {', true],
  ['module loadRow', true],
  ['const loadRow = 1', true],
  ['let loadRow = 1', true],
  ['var loadRow = 1', true],
  ['val loadRow = 1', true],
  ['return loadRow();', false],
  ['function loadRows() {', false],
  ['const loadRow$ = 1', false],
  ['myfunction loadRow() {', false],
])('a call that writes %j defines the name: %s', (content, defines) => {
  const one = mention('identifier', 'loadRow', { asked: 1 });
  expect(leadsSomewhere(one, written(`${content}\nloadRow(1);`))).toBe(defines);
});

test('what was defined by nobody who called a tool is not looked for', () => {
  const one = mention('identifier', 'loadRow', { asked: 1 });
  expect(leadsSomewhere(one, output('function loadRow() {'))).toBe(false);
  expect(leadsSomewhere({ ...one, asked: 0 }, written('function loadRow() {'))).toBe(false);
});

test.each([
  'Let me look at it',
  'Now, let me look at it',
  'OK so next let me look',
  'let’s check the pool',
  "let's see",
  'let’s look',
  'I’ll read it',
  'I need to read it',
  'I should read it',
  'we need to read it',
  'Now the pool',
  'Recording the pool',
  'Updating it',
  'Adding a row',
  'If it works we stay',
  'That holds here',
  '// a comment',
  '# a comment',
  '/* a comment',
  '* a comment',
  'e4 let me look',
  'e4–e9 let me look',
  'Is it the pool?',
  'Hmm, wait, actually I’ll read it',
])('%j is said in passing', (text) => {
  expect(passing.test(text)).toBe(true);
});

test.each([
  'The pool lets me look',
  'let’s use one pool',
  'I need a pool',
  'We use one pool',
  'Nowhere else',
  'Iffy as it is, one pool stays',
  'That held',
  'One pool: good and then let me look',
  'Is it the pool? Yes.',
  'e4 the pool',
])('%j is not', (text) => {
  expect(passing.test(text)).toBe(false);
});
