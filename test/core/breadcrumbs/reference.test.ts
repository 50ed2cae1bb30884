import { expect, test } from 'vitest';
import { isReference, toReferring } from '../../../src/core/breadcrumbs/reference.ts';

test('a reference alone is told from words that hold one', () => {
  const several = ['e12, e40-e44', 'c2 and f3', '[e1; e2]'];
  for (const text of ['e1', 'c2', 'f0', ' e40-e52 ', 'e4..9', 'e4 to e9', ...several])
    expect([text, isReference(text)]).toEqual([text, true]);
  for (const text of ['', 'e0', 'c2 and why', 'what e12 says', 'e2e', 'src/e1', '[cleared, e3]'])
    expect([text, isReference(text)]).toEqual([text, false]);
});

test('a text is read as its references and the words beside them', () => {
  const { references, words } = toReferring('cookie path in e40–e44, e12 and c3');
  expect(references).toEqual([
    { type: 'entries', from: 'e40', to: 'e44' },
    { type: 'entries', from: 'e12', to: 'e12' },
    { type: 'checkpoint', checkpoint: 'c3' },
  ]);
  expect(words).toMatch(/^cookie path in /);
  expect(toReferring('e12, e40 to e44 and f1').words).toBe('');
  expect(toReferring('cookie path')).toEqual({ references: [], words: 'cookie path' });
});

test('what the marker of a cleared result says of it is no reference', () => {
  const { references, words } = toReferring(
    '[cleared: 9 tokens, e3; failed: undefined: f1, e5] e8',
  );
  expect(references.map((one) => one.type === 'entries' && one.from)).toEqual(['e3', 'e8']);
  expect(words).not.toContain('undefined');
});

test.each([
  ['e1-e5', 'e1–e5', ''],
  ['e5-e1', 'e1–e5', ''],
  ['e1 – e5', 'e1–e5', ''],
  ['e1  -  e5', 'e1–e5', ''],
  ['e1   - e5', 'e1–e1 e5–e5', ''],
  ['e1—5', 'e1–e5', ''],
  ['e1…5', 'e1–e5', ''],
  ['e1...e5', 'e1–e5', ''],
  ['e1..5', 'e1–e5', ''],
  ['e1 to 5', 'e1–e5', ''],
  ['e1to5', 'e1–e5', ''],
  ['e1 or e5', 'e1–e1 e5–e5', 'or'],
  ['c0 f0 e0', 'c0 f0', 'e0'],
  ['c01', '', 'c01'],
  ['c12 f9', 'c12 f9', ''],
  ['xe1', '', 'xe1'],
  ['.e1', '', '.e1'],
  ['/e1', '', '/e1'],
  ['-e1', '', '-e1'],
  ['e1/x', '', 'e1/x'],
  ['e1.', 'e1–e1', ''],
  ['e1x', '', 'e1x'],
  ['E1', '', 'E1'],
  ['e1 and e2', 'e1–e1 e2–e2', ''],
  ['e1, and why', 'e1–e1', ', and why'],
  ['e1 & e2', 'e1–e1 e2–e2', ''],
  ['“e1”', 'e1–e1', ''],
  ['e1 e2-e3', 'e1–e1 e2–e3', ''],
  ['e1234567890123', '', 'e1234567890123'],
  ['e123456789012', 'e123456789012–e123456789012', ''],
  ['and', '', ''],
  ['e1 AND e2', 'e1–e1 e2–e2', 'AND'],
  ['e1 band e2', 'e1–e1 e2–e2', 'band'],
])('in “%s” stand the references “%s” and the words “%s”', (text, said, words) => {
  const read = toReferring(text);
  expect(read.words).toBe(words);
  expect(
    read.references
      .map((one) =>
        one.type === 'entries'
          ? `${one.from}–${one.to}`
          : one.type === 'frame'
            ? one.frame
            : one.checkpoint,
      )
      .join(' '),
  ).toBe(said);
});
