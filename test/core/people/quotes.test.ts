import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quotesIn } from '../../../src/core/people/quotes.ts';
import { codePoint } from '../../../src/testing/fast-check/code-point.ts';

test('of a person’s text what is laid down, what is asked and how it begins tells most', () => {
  const text = [
    'Please look at the parser of the old format today.',
    'It grew over some years and nobody likes to work in it.',
    'Never change the public types.',
    'Can it read an empty file?',
  ].join(' ');
  const quotes = quotesIn(text);
  const byRank = [...quotes].sort((a, b) => a.rank - b.rank).map(({ text: said }) => said);
  expect(byRank[0]).toBe('Never change the public types.');
  expect(byRank.at(-1)).toBe('It grew over some years and nobody likes to work in it.');
  expect(quotes.map(({ at }) => at)).toEqual(quotes.map(({ at }) => at).toSorted((a, b) => a - b));
});

test('of a very long sentence the part around what is laid down is quoted', () => {
  const text = `${'word '.repeat(300)}never push to main ${'word '.repeat(300)}`;
  const [quote] = quotesIn(text);
  expect(quote!.text).toContain('never push to main');
  expect(quote!.text.length).toBeLessThanOrEqual(400);
});

test('what leads to something tells less than that, and least where nothing follows', () => {
  expect(ranked('I want you to:\n- read the old parser of the format first')).toEqual([
    '- read the old parser of the format first',
    'I want you to:',
  ]);
  expect(ranked('It is so. I must see:\n- how:\n- a')).toEqual([
    'It is so.',
    '- a',
    '- how:',
    'I must see:',
  ]);
  expect(ranked('It is as slow as it was before. Use this:\n```\na\n```')).toEqual([
    'It is as slow as it was before.',
    'Use this:',
  ]);
  expect(ranked('Use this:\n```\na\n```')).toEqual(['Use this:']);
});

test('a refusal is quoted only beside what holds instead, and a word or two before what they lead to', () => {
  expect(
    ranked(
      'No. We keep the raw rows on disk, and the service gets the totals. I looked at it twice.',
    ),
  ).toEqual([
    'We keep the raw rows on disk, and the service gets the totals.',
    'No.',
    'I looked at it twice.',
  ]);
  expect(
    ranked('UX4... The list of the second screen never ends for a user with many rows.'),
  ).toEqual(['The list of the second screen never ends for a user with many rows.', 'UX4...']);
  expect(ranked('No.')).toEqual(['No.']);
});

test('what goes on to hold is a rule, with what it leans on; a request for one action is none', () => {
  const rules = (text: string): readonly string[] =>
    quotesIn(text)
      .filter(({ isRule }) => isRule === true)
      .map((quote) => quote.text);
  expect(
    rules(
      'Please look at the parser. Never touch anything that lies below src/legacy. Where is it?',
    ),
  ).toEqual(['Never touch anything that lies below src/legacy.']);
  expect(rules('The rows stay on the disk of the host. Always.')).toEqual([
    'The rows stay on the disk of the host.',
    'Always.',
  ]);
});

test('code is no word of a person', () => {
  expect(quotesIn('Keep it.\n```\nnever();\n```').map(({ text }) => text)).toEqual(['Keep it.']);
});

test('each quote is a part of the text where it says, on one line, and has a rank of its own', () => {
  const piece = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 80 }),
    fc.constantFrom(
      'Never do it. ',
      'Never do it.\n',
      '” … “',
      '```\n',
      '\r\n',
      '? ',
      '! Use "x". ',
      '😀',
    ),
    fc.constantFrom('a'.repeat(1_000), 'never '.repeat(200), ' '.repeat(500)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const quotes = quotesIn(text);
      expect(quotes.length).toBeLessThanOrEqual(12);
      let end = 0;
      for (const { text: said, at } of quotes) {
        expect(text.slice(at, at + said.length)).toBe(said);
        expect(at).toBeGreaterThanOrEqual(end);
        expect(said).not.toMatch(/[\n\r]/);
        expect(said.length).toBeLessThanOrEqual(400);
        end = at + said.length;
      }
      const ranks = quotes.map(({ rank }) => rank).toSorted((a, b) => a - b);
      expect(ranks).toEqual(quotes.map((_, index) => index));
    }),
    { numRuns: 300 },
  );
});

test('a line of 100,000 letters is quoted at once', () => {
  expect(quotesIn('never '.repeat(17_000))[0]!.text.length).toBeLessThanOrEqual(400);
  expect(quotesIn('a'.repeat(100_000))[0]!.text.length).toBeLessThanOrEqual(400);
});

const ranked = (text: string): readonly string[] =>
  quotesIn(text)
    .toSorted((a, b) => a.rank - b.rank)
    .map((quote) => quote.text);

test('of the same length a rule tells more than the first sentence, that than a question', () => {
  expect(ranked('Alpha beta one. Gamma delta go. Is theta zeta ? Never eat zeta.')).toEqual([
    'Never eat zeta.',
    'Alpha beta one.',
    'Is theta zeta ?',
    'Gamma delta go.',
  ]);
});

test('small talk before an order tells least, and takes nothing from how a text begins', () => {
  expect(ranked('Thanks! Never eat the green zeta of Gamma. Beta is one of these.')).toEqual([
    'Never eat the green zeta of Gamma.',
    'Beta is one of these.',
    'Thanks!',
  ]);
  // An answer is no small talk.
  expect(ranked('Yes! Beta is one of these. Gamma is, too.')).toEqual([
    'Beta is one of these.',
    'Gamma is, too.',
    'Yes!',
  ]);
});

test('a shorter sentence tells more than a longer one, a long rule more than a short remark', () => {
  const rule = `Never ${'eat '.repeat(23)}it.`;
  expect(ranked(`It burns. So it is. It is a small and blue lamp. It is blue. ${rule}`)).toEqual([
    'So it is.',
    rule,
    'It is blue.',
    'It is a small and blue lamp.',
    'It burns.',
  ]);
});

test('twelve sentences of three characters or more are quoted', () => {
  expect(ranked('Yes')).toEqual(['Yes']);
  expect(ranked('Ok')).toEqual([]);
  expect(ranked('It is so. '.repeat(13))).toHaveLength(12);
});

test('of a screen that was pasted nothing is quoted where something else stands', () => {
  const screen = '  ⎿  never use the pool';
  expect(quotesIn(`Look at it.\n\n${screen}`).map(({ text }) => text)).toEqual(['Look at it.']);
  expect(quotesIn(screen).map(({ text }) => text)).toEqual([screen.trim()]);
});

test.each([
  'Build the export.\nIts address is /rows/{id}.\nNever delete rows.',
  'Refactor it.\nNever delete rows, and never use `{}`.',
  'Build the export.\n● Never delete rows.',
])('a rule is quoted, whatever stands beside it: %j', (text) => {
  expect(quotesIn(text).some(({ text: said }) => said.includes('Never delete rows'))).toBe(true);
});
