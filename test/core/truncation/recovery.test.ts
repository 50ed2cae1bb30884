import { expect, test } from 'vitest';
import { isEmptyContext, recoveredLine } from '../../../src/core/truncation/recovery.ts';

const nothing = { workingOn: '', lastCompleted: '', nextStep: '', open: [], files: [] };

test('what was recovered is one sentence, which ends once', () => {
  expect(recoveredLine(nothing)).toBe(
    'Recovered context: We were working on this session, last completed nothing that is known, next step is to be said.',
  );
  const known = { ...nothing, workingOn: 'the parser', lastCompleted: 'the lexer' };
  for (const end of ['?', '.', '!', '…'])
    expect(recoveredLine({ ...known, nextStep: `the tests${end}` })).toBe(
      `Recovered context: We were working on the parser, last completed the lexer, next step is the tests${end}`,
    );
});

test('a context is empty where each of its texts is', () => {
  expect(isEmptyContext(nothing)).toBe(true);
  expect(isEmptyContext({ ...nothing, open: [''], files: [''] })).toBe(true);
  for (const more of [
    { workingOn: 'a' },
    { lastCompleted: 'a' },
    { nextStep: 'a' },
    { open: ['', 'a'] },
    { files: ['a'] },
  ])
    expect(isEmptyContext({ ...nothing, ...more })).toBe(false);
});
