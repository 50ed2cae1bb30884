import { expect, test } from 'vitest';
import { laidDownIn } from '../../../src/core/people/rulings.ts';

const laid = (text: string, isGoingAhead = false) => laidDownIn(text, isGoingAhead).sentences;

test.each([
  'Never write tokens to the log.',
  'All amounts are kept in cents, from now on.',
  'The parser should live in its own file.',
  'Tests belong in the test folder.',
  'We prefer plain functions over classes.',
  "I don't want a new dependency for that.",
  'Make sure the build stays green.',
  'We will just keep the old names here',
  "let's use one port for both servers",
  'The old format is fine for now.',
  'Names have to be unique per account.',
  'please keep the public API stable',
  'The app must work offline, right?',
])('laid down: %s', (text) => expect(laid(text)).toEqual([text]));

test.each([
  'Why is the parser slow?',
  'I think it never worked, right?',
  "I don't know what that means.",
  'Maybe we should use a queue.',
  'Fix the parser.',
  'The parser is slow.',
  'You keep guessing, idiot.',
  'What if we never close it?',
  'could you keep an eye on it',
  'I got an error when it should start',
  'Add a test.',
  'It seems like we should wait',
])('nothing is laid down: %s', (text) => expect(laid(text)).toEqual([]));

test('where a person only lets the model go on, wishes do not count and rules do', () => {
  expect(laid('Make sure the build stays green.', true)).toEqual([]);
  expect(laid('Never skip the tests.', true)).toEqual(['Never skip the tests.']);
});

test('a sentence that leans on the one before it is told with it', () => {
  expect(laid('The cache holds a hundred entries. It must never grow.')).toEqual([
    'The cache holds a hundred entries. It must never grow.',
  ]);
  expect(laid('It must never grow.')).toEqual([]);
  const far = `The cache holds ${'very '.repeat(50)}many entries. It must never grow.`;
  expect(laid(far)).toEqual([]);
});

test('of a document only its rules count', () => {
  const text =
    '# Rules\n\n## Style\n\nWe use tabs in tables.\nAlways run the linter and the tests before a commit.\n';
  expect(laid(text)).toEqual(['Always run the linter and the tests before a commit.']);
  expect(laidDownIn(text, false).isAll).toBe(false);
});

test('lines that say what belongs where are told, but not a single one', () => {
  expect(laidDownIn('src/a.ts -> lib/a.ts\nsrc/b.ts => lib/b.ts', false).places).toEqual([
    'src/a.ts -> lib/a.ts',
    'src/b.ts => lib/b.ts',
  ]);
  expect(laidDownIn('src/a.ts -> lib/a.ts', false).places).toEqual([]);
  expect(laidDownIn('if a -> b\nif c -> d', false).places).toEqual([]);
});

test('whether all of it was laid down: no question, no anger, nothing pasted', () => {
  const isAll = (text: string) => laidDownIn(text, false).isAll;
  expect(isAll('Never write tokens to the log.')).toBe(true);
  expect(isAll('Never do that, ok?')).toBe(false);
  expect(isAll('Never do that, idiot.')).toBe(false);
  expect(isAll('Never do that.\nTypeError: x')).toBe(false);
});

test.each([
  "The page mustn't load twice",
  'The page must not load twice',
  'The page must load',
  'The pages won’t load twice',
  'not tabs, but spaces',
  'not tabs but spaces',
  'a test wants files only',
  'we want plain files only',
  'we run files only',
  'The parser reads files only',
  'Read the list only.',
  'Ask only once for it all',
  'The page will NEVER load',
  'The page WON’T load twice',
  "The page WON'T load twice",
  'The page ALWAYS loads',
  'Names shouldn’t be long',
  'Names should not be long',
  "Names shouldn't be long",
  'The page should load quickly',
  'A row belongs to the page',
  'Rows belong under the page',
  "Please don't load the page",
  'Please dont load the page',
  'Please do not load the page',
  'we really don’t want two pages',
  'we do not support two pages',
  "i don't need two pages here",
  'stick with two pages here',
  'stick to two pages here',
  'we aren’t loading two pages',
  'let’s just use two pages',
  'lets use two pages there',
  "let's keep two pages there",
  'we’ll still want two pages',
  'we want two pages there',
  'we just want two pages',
  'we want to load two pages',
  'i want two pages there',
  'we’ll load two pages there',
  "Add two pages, don't load them",
  'Make sure pages load twice',
  'The old page is okay for now',
  'The old page is ok for now',
  'The old page is fine, yes',
  'The old page is good',
  'Old is fine by me',
  "I'm fine with two pages",
  'im ok with two pages',
  'we’re okay with two pages',
  'were good with two pages',
  'Old pages are enough here',
  'please just keep the two pages',
  'keep two pages there',
  'so use two pages there',
  'and then use two pages',
  'Rows then leave two pages',
  'Rows should limit two pages',
  'Rows, use right pages there',
  'yes keep two pages there',
  'The page must load, right?',
  'The page must load, okay??',
  'The page must load,no?',
  'Damn, pages must load twice',
])('a rule or a wish: %s', (text) => expect(laid(text)).toEqual([text]));

test.each([
  'The parser reads files, only',
  'The parser reads only files',
  'The only parser reads files',
  'It reads a file, only ...',
  'The page should be possible',
  'The page should be okay',
  'The page should be ok',
  'The page should have two rows',
  'Two rows they should!',
  'Two rows as they should',
  'It belongs in the page of rows',
  "users don't load the page",
  "pages don't load twice there",
  "let's use that for pages",
  'we want to see two pages',
  'i want to load two pages',
  'i want you to load pages',
  'then we’ll load two pages',
  'we’ll see two pages there',
  'it needs to be two pages',
  'they need to be two pages',
  'it has to be two pages',
  'Add two rows without pages',
  'Add two rows to pages',
  'ok now limit the rows',
  'The old page is fine to load',
  'keep in mind two pages',
  'users can use two pages',
  'they use two pages there',
  'The lamp (use two pages)',
  'Rows, please use these pages',
  'Rows: use it for pages',
  'I don’t know what must be',
  'What we want is never two pages',
  'You may never load it',
  'so can you never load it',
  'ok, could you never load it',
  'can you never load it',
  'wait, it must load pages',
  'that would never be two pages',
  'this doesn’t always load pages',
  'it was never so',
  'The page must load ok ?',
  'I think the page must load, no?',
  'We load two pages, right?',
  'Maybe the page must load, right?',
  'Damn, you must load it twice',
  'Damn, load two pages please',
])('no rule and no wish: %s', (text) => expect(laid(text)).toEqual([]));

const rule = 'The page must load twice';

test.each([
  'i don’t know',
  'we do not think',
  'i dont see',
  "we didn't get it",
  'i didnt get it',
  "we haven't see",
  'i feel',
  'i thought',
  'i ran it',
  'it contradicts',
  'it still says so',
  'it says so',
  'it understates',
  'it is wrong',
  'we are never',
  'i suppose',
  'not sure',
  'hope so',
  'maybe',
  'perhaps',
  'what if',
  'an option',
  'why',
  'where it or she should',
  'we need to look',
  'it seems to me',
  'we seem to',
  'looks like it',
  'look like it',
  'in there',
  'as an open point',
  'as a open issue',
  'as a “big” open question',
  'as a big open question',
  'got a crash',
  'got an error',
  'it doesn’t load correctly',
  'they dont load yet',
  'it didnt load right',
  'they don’t work',
  'not everything',
  'let’s explore',
  'lets try it',
  'a.ts:4 is it',
])('doubt lays nothing down: %s', (doubt) => expect(laid(`${rule}, ${doubt}`)).toEqual([]));

test.each([
  'we haven’t seen',
  'i havent seen',
  'they don’t know',
  'when: it should',
  'seem so',
  'look as it',
  'as a very big open question',
  'got the error',
  'they do not load properly',
  "it doesn't load so",
  'it didnt work',
  'let us try',
  'a.ts: it',
  'if we could',
  'what we want',
  'you may',
  'can you',
  'wait',
  'that would',
  `where ${'x'.repeat(61)} should`,
])('no doubt: %s', (text) => expect(laid(`${rule}, ${text}`)).toEqual([`${rule}, ${text}`]));

test.each([
  ['If we could, the page', false],
  ['What we want the page', true],
  ['What the page', false],
  ['Who the page', false],
  ['You may; the page', false],
  ['You the page', true],
  ['Can you, the page', false],
  ['ok, could you; the page', false],
  ['So can you; the page', false],
  ['We also can you; the page', true],
  ['I have a feeling; the page', false],
  ['Wait, the page', false],
  ['This doesn’t; the page', false],
  ['that doesnt; the page', false],
  ['It is also so; the page', false],
  ['It is so; the page', true],
])('whether what begins “%s” lays down: %s', (begin, is) => {
  const text = `${begin} must load twice for all of the users`;
  expect(laid(text)).toEqual(is ? [text] : []);
});

test.each([
  ['The cache holds entries. Never grow rows.', ['The cache holds entries. Never grow rows.']],
  ['The cache holds. Never grow rows.', ['Never grow rows.']],
  [
    'The cache holds entries. Never grow rows of two pages.',
    ['The cache holds entries. Never grow rows of two pages.'],
  ],
  [
    'The cache holds entries. Never grow rows of any two pages.',
    ['Never grow rows of any two pages.'],
  ],
  [
    'Always run all the tests of rows. It must be so. They must be green.',
    ['Always run all the tests of rows. It must be so. They must be green.'],
  ],
  [
    'Always run all the tests of rows. Never grow rows.',
    ['Always run all the tests of rows.', 'Never grow rows.'],
  ],
  ['This is stupid, all of it. Never grow rows.', ['Never grow rows.']],
  ['Does the cache hold rows? Never grow rows.', ['Never grow rows.']],
  ['?The cache holds entries. Never grow rows.', ['?The cache holds entries. Never grow rows.']],
  ['It must never be seen by two pages.', ['It must never be seen by two pages.']],
  ['It must never be seen by pages.', []],
  ['It should be seen by two old pages.', []],
  ['It holds all entries. Never grow rows.', ['Never grow rows.']],
  ['The cache holds two rows. It prefers it.', []],
  ['The page has to be small. Rows. It must never grow.', ['The page has to be small.']],
  [
    'Prefer plain rows of it. The page is blue. It must be so.',
    ['Prefer plain rows of it.', 'The page is blue. It must be so.'],
  ],
  ['no, never load rows twice or so', []],
  ['no, never load the rows twice or so', ['no, never load the rows twice or so']],
  ['Never load', []],
  ['Never load rows', ['Never load rows']],
  ['Prefer plain rows', []],
  ['Prefer plain rows there', ['Prefer plain rows there']],
  [
    'never load rows of any two pages! always run all of the tests? must all of it be so',
    ['never load rows of any two pages!', 'must all of it be so'],
  ],
  [
    'the cache holds rows, e.g. never load rows of any two pages',
    ['the cache holds rows, e.g. never load rows of any two pages'],
  ],
  [
    'never load two rows etc. but one page of the two there',
    ['never load two rows etc. but one page of the two there'],
  ],
  ['never load two rows of it, and...', ['never load two rows of it']],
  ['never load two rows of it and…', ['never load two rows of it']],
  ['never load two rows of it...', ['never load two rows of it']],
  ['never load two rows... of it, so', ['never load two rows']],
  ['never load two rows of it, yes…', ['never load two rows of it, yes']],
  ['Rows are loaded.  always load two rows of the page.', ['always load two rows of the page.']],
  ['Damn. Never load two rows of the page.', ['Never load two rows of the page.']],
  ['Never load two rows of the page.', ['Never load two rows of the page.']],
  ['Never load two rows of the page. Why?', ['Never load two rows of the page.']],
  ['never grow two rows of it\r\nnever grow it', ['never grow two rows of it', 'never grow it']],
  ['No, that should be it', []],
  ['`a` must never be two', []],
  ['(so) must never be so', []],
  ['this must never be so', []],
  ['that should be this.', []],
  ['we now want them!', []],
  ['we all of us now do want them!', []],
  ['you should be using it.', []],
  ['We prefer that.', []],
  ['we prefer it, the rows and pages', ['we prefer it, the rows and pages']],
  ['No way, we want two rows', ['No way, we want two rows']],
  ['your way: we want rows', []],
  ['either plan must be loaded', []],
  ['yes, agreed. so it must load', []],
  ['hm, must load two', ['hm, must load two']],
  ['reason being: it must load', []],
  ['has to load two always', []],
  ['needs two rows always', []],
  ['for example, always load rows', []],
  ['e.g. always load two rows', ['e.g. always load two rows']],
  ['shouldn’t load two', []],
  ['shouldnt load two', []],
  ['instead always load two', []],
  ['both must load', []],
  ['because rows must load', []],
  ['the first one must load', []],
  ['the third one must load', ['the third one must load']],
  ['rows that, always load', []],
])('of %j is told %j', (text, told) => expect(laid(text)).toEqual(told));

test.each([
  ['Never load two rows.', true],
  ['Remember: never load rows.', true],
  ['Remember never load rows.', true],
  ['Remember that rows load.', false],
  ['Note: that always loads two.', true],
  ['Note however, avoid two rows.', true],
  ['note, do not load rows.', true],
  ['important - prefer two rows.', true],
  ['And dont load two rows.', false],
  ['and don’t load two rows.', true],
  ['also, only two rows.', true],
  ['You should never load rows.', true],
  ['you cannot never load rows.', true],
  ['you can always load rows.', true],
  ['rows mustn’t load twice.', true],
  ['rows must not load.', true],
  ['rows must load twice.', true],
  ['rows mustnt load twice.', false],
  ['From now on load rows.', true],
  ['here you cannot load rows.', true],
  ['rows never load twice.', false],
  ['“Never load two rows”.', true],
  ['?Never load two rows.', true],
  ['But always load rows.', true],
  ['Notes: always load rows.', false],
  ['Never load two rows?', false],
])('%j is a rule in a document: %s', (text, is) =>
  expect(laid(`# A\n\n## B\n\n${text}`)).toEqual(is ? [text] : []),
);

test.each([
  ['# A\n## B', true],
  ['# A', false],
  ['A # B\nC ## D', false],
  ['#A\n##B', false],
  ['**a** **b** **c**', true],
  ['**a** **b**', false],
  ['****** a ****', false],
  ['**a\nb** **c** **d**', false],
])('%j makes a document: %s', (text, is) => {
  expect(laidDownIn(text, false).isAll).toBe(!is);
  const wish = 'We prefer tabs in all tables.';
  expect(laid(`${text}\n\n${wish}`)).toEqual(is ? [] : [wish]);
});

test('two sentences of less than 240 characters are told together', () => {
  const [first, second] = [
    (length: number) => `The cache holds ${'x'.repeat(length)} rows.`,
    `It must never grow ${'y'.repeat(100)}.`,
  ];
  expect(laid(`${first(97)} ${second}`)).toEqual([`${first(97)} ${second}`]);
  expect(laid(`${first(98)} ${second}`)).toEqual([]);
});

test.each([
  ['src/a.ts -> lib/a.ts\n\nsrc/b.ts => lib/b.ts (new)', 2],
  ['src/a.ts → lib/a.ts and all of it\n  src/b.ts -> lib/b.ts', 2],
  ['* a -> b\n- c -> d', 2],
  ['never a -> b\nc -> d', 2],
  ['iffy a -> b\nc -> d', 2],
  ['- if a -> b\nwhen c -> d', 0],
  ['*if a -> b\n* on c -> d', 0],
  ['a -> b?\nc -> d', 0],
  ['a->b\nc->d', 0],
])('of %j, %d lines say what belongs where', (text, lines) => {
  const { places, sentences } = laidDownIn(text, false);
  expect(places).toHaveLength(lines);
  expect(places).toEqual(lines === 0 ? [] : text.split(/\n+/).map((line) => line.trim()));
  expect(sentences).toEqual([]);
});

test.each([
  ['Make sure the build stays green.', false],
  ['The old format is fine for now.', false],
  ['use two rows in all pages', false],
  ['Names should not be long at all.', true],
  ['Tests belong in the test folder.', true],
])('where the model is only let go on, %j is a rule: %s', (text, is) => {
  expect(laid(text, true)).toEqual(is ? [text] : []);
});

test.each([
  ['Never load rows. Damn. Be it.', false],
  ['Never load rows. Be it so.', true],
  ['Never load rows?', false],
])('nothing else is said in %j: %s', (text, is) => expect(laidDownIn(text, false).isAll).toBe(is));
