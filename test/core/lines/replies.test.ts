import { expect, test } from 'vitest';
import { isReplyLine, repliesIn } from '../../../src/core/lines/replies.ts';
import type { LeavingEntry } from '../../../src/core/messages/message.ts';

const repliesTo = (said: string, reply: string): readonly string[] => {
  const entries: readonly LeavingEntry[] = [
    { n: 2, message: { role: 'assistant', content: said } },
    { n: 3, message: { role: 'user', content: reply } },
  ];
  return repliesIn(entries).map(({ line }) => line.text);
};

test.each([
  ['Shall the cache be kept per tenant or per user?', 'per tenant'],
  ['Shall I begin?', 'ok, go'],
  ['Which way, (a) or (b)?', "It's b"],
])('%j is told with its answer %j', (asked, reply) => {
  expect(repliesTo(`I measured it twice. ${asked}`, reply)).toEqual([
    `asked “${asked}”; e3 “${reply}”`,
  ]);
});

test('an option that is chosen by its letter is told with what it stands for', () => {
  const said =
    'How is it kept?\n- **(a) The server derives it** from the rows; slow.\n- **(b) The client sends it** whole.\n\nWhich way, (a) or (b)?';
  expect(repliesTo(said, "It's b")).toEqual([
    "asked “Which way, (a) or (b)? (a) The server derives it from the rows; (b) The client sends it whole”; e3 “It's b”",
  ]);
});

test('numbered answers are told with the points that they answer', () => {
  const said =
    'Three forks:\n\n1. **The key** – a hash, or the id?\n2. **Paging** – drop it?\n3. The name is the host.\n\nIt is easy.';
  expect(repliesTo(said, '1. the id\n3) fine, keep it')).toEqual([
    'asked “(1) The key; (3) The name is the host.”; e3 “(1) the id; (3) fine, keep it”',
  ]);
  expect(repliesTo(said, '1. the id\n4. and a fourth')).toEqual([]);
  expect(repliesTo(said, '1. the id')).toEqual([]);
  expect(repliesTo(said.replaceAll('?', '.'), '1. the id\n3) fine')).toEqual([]);
});

test.each([
  ['Shall I begin?', 'will this also let us test it?'],
  ['Shall the cache be kept per tenant or per user?', 'ok, I hope you still know all'],
  ['Shall I begin?', 'the port in the plan is wrong'],
  ['It is done.', 'thanks'],
])('to %j, %j is no answer', (asked, reply) => {
  expect(repliesTo(asked, reply)).toEqual([]);
});

test.each([
  "no, that's horrible.",
  'No - keep it',
  'no it is slow',
  'No on the second one. It is in use now',
  'No not like that',
  'No\nkeep it',
  'Nope',
  'can you revert that?',
  "That's not right, use two.",
])('%j refuses what was said', (reply) => {
  expect(repliesTo('The cache is kept per tenant.', reply)).toEqual([
    `refused in e3: “${reply.replace('\n', ' ')}”`,
  ]);
});

test.each([
  'No results found',
  'No such file or directory',
  'No-op',
  'no problem, go on',
  'no wait, it was another file',
  'not now',
  'now the tests',
])('%j refuses nothing', (reply) => {
  expect(repliesTo('The cache is kept per tenant.', reply)).toEqual([]);
});

const asksBack = (asked: string, reply: string): boolean =>
  repliesTo(`I measured it. ${asked}`, reply).some((text) => text.includes('asked'));

test('a word that says yes or no answers a question, but none between two', () => {
  const yes = [
    'y',
    'yes',
    'yeah',
    'yep',
    'yup',
    'n',
    'nope',
    'nah',
    'ok',
    'okay',
    'sure',
    'agree',
    'agreed',
    'correct',
    'Right',
    'exactly',
    'please',
    'go',
    'begin',
    'it does begin',
    'once',
    'yes how',
    'begin is',
    'none of it',
  ];
  const other = [
    'do it',
    'yesterday',
    'agreement',
    'going',
    'do its',
    'Begins',
    'then',
    'it is so',
    'y?',
    'yes ?',
    'how yes',
    'does it, yes',
    'do as you begin',
    'is begin',
    'can begin',
    'who begin',
  ];
  expect(yes.filter((reply) => !asksBack('Shall it begin at once?', reply))).toEqual([]);
  expect(other.filter((reply) => asksBack('Shall it begin at once?', reply))).toEqual([]);
  const which = [
    'both',
    'neither',
    'either',
    'none',
    'all',
    'its b',
    'it’s (b)',
    "it's b",
    'option',
    '(a)',
    'a.',
    'b)',
    'h',
    '(9)',
    'the first',
    'the second',
    'the third',
    'the last',
    'the former',
    'the latter',
  ];
  const none = [
    'yes',
    'do that',
    'do both',
    'it is b',
    'options',
    'i',
    '9x',
    'ab',
    'the fourth',
    'do this',
    'allow',
  ];
  expect(which.filter((reply) => !asksBack('Is it one or two?', reply))).toEqual([]);
  expect(none.filter((reply) => asksBack('Is it one or two?', reply))).toEqual([]);
});

test('an answer has eighty characters at most', () => {
  expect(asksBack('Shall it begin?', `yes ${'x'.repeat(76)}`)).toBe(true);
  expect(asksBack('Shall it begin?', `yes ${'x'.repeat(77)}`)).toBe(false);
});

test('what refuses is said first', () => {
  const refuses = (reply: string): boolean =>
    repliesIn([
      { n: 2, message: { role: 'assistant', content: 'It is kept.' } },
      { n: 3, message: { role: 'user', content: reply } },
    ]).some((one) => one.refuses);
  const no = [
    'no',
    'nooo',
    'nope',
    'nah',
    'wrong',
    'incorrect',
    'that’s wrong',
    'thats incorrect',
    "that's not right",
    'that’s not what',
    'not right',
    'not true',
    'please revert',
    'undo',
    'please undo it',
    'actually, can you revert',
    'actually could you undo it',
    'could you undo',
  ];
  const other = [
    'no need',
    'no rush',
    'no idea',
    'no doubt',
    'no more',
    'no problem',
    'no worries',
    'that is wrong',
    'not wrong',
    'you undo',
    'so no',
    'now it',
  ];
  expect(no.filter((reply) => !refuses(reply))).toEqual([]);
  expect(other.filter(refuses)).toEqual([]);
});

const points =
  '1. One?\n2. Two.\n  3) **Three** – x\n**4.** Four\n12. Twelve\n123. no\n5.x no\n         6. deep\n7.   seven';

test.each([
  ['1. a\n2. b', ['asked “(1) One?; (2) Two.”; e3 “(1) a; (2) b”']],
  ['1) a\n3. b', ['asked “(1) One?; (3) Three”; e3 “(1) a; (3) b”']],
  ['4. a\n12. b', ['asked “(4) Four; (12) Twelve”; e3 “(4) a; (12) b”']],
  ['1. a\n123. b', []],
  ['1. a\n5. b', []],
  ['1. a\n6. b', []],
  ['7. a\n1. b', ['asked “(7) seven; (1) One?”; e3 “(7) a; (1) b”']],
  [
    '1. no\n2. nope, it is wrong',
    ['asked “(1) One?; (2) Two.”; e3 “(1) no; (2) nope, it is wrong”'],
  ],
  ['no\n1. a\n2. b', ['asked “(1) One?; (2) Two.”; e3 “(1) a; (2) b”']],
])('of numbered points %j answers %j', (reply, told) => {
  expect(repliesTo(points, reply)).toEqual(told);
});

test('points, answers and questions are told in so many characters, without quotes of ours', () => {
  const [x, y] = ['x'.repeat(90), 'y'.repeat(90)];
  expect(repliesTo(`1. **One** two **three**?\n2. ${x}`, `1. a “b” c\n2. ${y}`)).toEqual([
    `asked “(1) One; (2) ${x.slice(0, 79)}…”; e3 “(1) a "b" c; (2) ${y.slice(0, 79)}…”`,
  ]);
  expect(repliesTo(`It is. X${x}${x}${x}?`, 'yes')).toEqual([
    `asked “X${x}${x}${x.slice(0, 78)}…”; e3 “yes”`,
  ]);
  expect(repliesTo('It is. Is it so? I think.', 'yes')).toEqual([
    'asked “It is. Is it so?”; e3 “yes”',
  ]);
  expect(repliesTo('It is. Go on? I think.', 'yes')).toEqual(['asked “Go on?”; e3 “yes”']);
  expect(repliesTo(`${x}${x}${x}. Is it so?`, 'yes')).toEqual(['asked “Is it so?”; e3 “yes”']);
  expect(repliesTo('It is. Is it so? I think. Hm.', 'yes')).toEqual([]);
  expect(repliesTo('', 'yes')).toEqual([]);
});

test.each(['B. fine, and log it', 'I think b, nested', 'option b'])(
  'an option that stands in a table is told with the last question, where %j chooses it',
  (reply) => {
    const said =
      'Next question: What happens to a call that fails?\n\n| Option | Description |\n| --- | --- |\n| **A. It is dropped** | Simple. |\n| **B. It is tried again** | Slower. |\n\nI recommend B because nothing is lost.';
    expect(repliesTo(said, reply)).toEqual([
      `asked “Next question: What happens to a call that fails? (b) It is tried again”; e3 “${reply}”`,
    ]);
  },
);

test('a list of questions is no choice', () => {
  const said = 'Which one?\n- (a) The first of them\n- (b) The second of them\n\nI recommend a.';
  expect(repliesTo(said, 'a) why is it slow b) why at all')).toEqual([]);
});

test('a refusal is told by what it says, not by what it quotes', () => {
  const said = 'For a shared cart we fetch the raw rows and then build the totals.';
  expect(
    repliesTo(said, 'No. " For a shared cart we fetch the *raw* rows" We fetch the totals.'),
  ).toEqual([`“${said}” refused in e3: “No. … We fetch the totals.”`]);
  // What is no quotation of it stays, and so does one that is all there is.
  const others = ['No. "A cart is never shared between people" is the rule.', `No. “${said}”`];
  expect(others.map((reply) => repliesTo(said, reply)[0])).toEqual([
    `“${said}” refused in e3: “No. "A cart is never shared between people" is the rule.”`,
    `“${said}” refused in e3: “No. "${said}"”`,
  ]);
});

test('a refusal names what it refuses: what it takes up, else what tells most', () => {
  const said =
    'Carts of guests are kept in `carts.db`. I recommend to drop the table `old_carts` rather than to keep it.';
  const refusals = ['No, guests have no cart at all.', 'no, that is horrible.'];
  expect(refusals.map((reply) => repliesTo(said, reply)[0])).toEqual([
    '“Carts of guests are kept in `carts.db`.” refused in e3: “No, guests have no cart at all.”',
    '“I recommend to drop the table `old_carts` rather than to keep it.” refused in e3: “no, that is horrible.”',
  ]);
  // What nobody can know is not told: neither is what the model did.
  const report = 'The suite passes with 214 tests. The cache `rows.bin` holds 40 rows at most.';
  const done = `${report} I also renamed \`loadAll\` to \`loadRows\`, since it loads rows.`;
  expect(repliesTo(report, 'no, undo it')).toEqual(['refused in e3: “no, undo it”']);
  for (const reply of ['no, undo it', 'no, keep the names, do not rename'])
    expect(repliesTo(done, reply)[0]).toMatch(/^“I also renamed [^”]+” refused in e3/);
  expect(repliesTo(done, 'no, that is fine')).toEqual([]);
  // Neither is a decision of the model.
  expect(repliesTo(said, refusals[1]!).every(isReplyLine)).toBe(true);
  expect(isReplyLine('asked “Shall it go?”; e3 “yes”')).toBe(true);
  expect(isReplyLine('“Carts” was refused as a name, so we use `baskets`.')).toBe(false);
});

test('a quotation with an objection behind it is what a reply refuses, and not all that was said', () => {
  const said =
    'Carts of guests are kept in `carts.db`. The totals are read from the raw rows of each shop.';
  const quote = '"The totals are read from the raw rows of each shop"';
  const reply = `Moved the file. ${quote} That is not correct. They come from the cache.`;
  expect(repliesTo(said, reply)).toEqual([
    '“The totals are read from the raw rows of each shop” refused in e3: “That is not correct. They come from the cache.”',
  ]);
  const entries: readonly LeavingEntry[] = [
    { n: 2, message: { role: 'assistant', content: said } },
    { n: 3, message: { role: 'user', content: reply } },
  ];
  expect(repliesIn(entries).map(({ refuses }) => refuses)).toEqual([false]);
  // What it only takes up, and what somebody else said, it does not refuse.
  expect(repliesTo(said, `${quote} – good. That is not correct for guests, says Ann.`)).toEqual([]);
  expect(repliesTo(said, 'Ann says "the totals are made up by the shop". That is wrong.')).toEqual(
    [],
  );
});
