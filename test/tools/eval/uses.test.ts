import { expect, test } from 'vitest';
import { flamestack } from '../../../tools/eval/flamestack.ts';
import { measure } from '../../../tools/eval/measure.ts';
import { ratesOf } from '../../../tools/eval/tally.ts';
import { usesOf, type Uses } from '../../../tools/eval/uses.ts';
import { yieldOf } from '../../../tools/eval/yield.ts';
import {
  assistant,
  call,
  examOf,
  filler,
  historyOf,
  made,
  method,
  result,
  user,
} from './session.ts';

async function uses(): Promise<Uses> {
  const { entries } = await historyOf([
    user('Hash with argon2id, look at parseWindow.'),
    assistant('I begin.'),
    assistant('We hash passwords with argon2id now. Nothing else.'),
    assistant('', call('c1', 'edit', { path: 'src/core/tree.ts', text: 'let parseWindow;' })),
    user('The deadline is on Friday morning.'),
  ]);
  return usesOf(entries);
}

test.each([
  ['Passwords: hash them with argon2id.', 1],
  ['Passwords, hashing, salts, peppers and costs.', 0],
  ['hash passwords', 0],
  ['The deadline is on Friday morning.', 0],
  ['', 0],
])('of "%s" as much is said again as %d', async (text, share) => {
  expect((await uses()).after(text, 1)).toBe(share);
});

test('a sentence that is not said again counts by its names that are needed', async () => {
  const { after } = await uses();
  expect(after('parseWindow, closeBranch', 1)).toBe('parseWindow'.length / 24);
  expect(after('/home/me/src/core/tree.ts gone', 1)).toBe('/home/me/src/core/tree.ts'.length / 30);
  expect(after('edit src/core/leaf.ts of the core', 1)).toBe(0);
  expect(after('Well, well, well, nothing to see.\nparseWindow', 1)).toBe(11 / (33 + 11));
});

test('what was used before does not count', async () => {
  const { after } = await uses();
  const said = 'We hash passwords with argon2id.';
  expect([2, 3].map((place) => after(said, place))).toEqual([1, 0]);
  expect([3, 4].map((place) => after('parseWindow', place))).toEqual([1, 0]);
});

test('yield is taken by section, what says none among the entries', async () => {
  const all = await uses();
  const note = await made('parseWindow');
  const junk = await made('closeBranch');
  const sum = yieldOf([note, junk, { ...junk, section: 'checkpoints' }], all, 1);
  expect(sum.working).toEqual({ kept: note.tokens, of: note.tokens + junk.tokens });
  expect(sum.checkpoints).toEqual({ kept: 0, of: junk.tokens });
  expect(sum.human).toEqual({ kept: 0, of: 0 });
});

const long = [
  user('Never rename openBranch in src/core/tree.ts.'),
  ...Array.from({ length: 30 }, (_, n) => [
    assistant(`Part ${n}.`, call(`c${n}`, 'read', { path: `src/part-${n}.ts` })),
    result(`c${n}`, filler(150)),
  ]).flat(),
  assistant('Back to openBranch in src/core/tree.ts.'),
];

test('the yield of each section of the engine is measured, that of a baseline as one', async () => {
  const exam = examOf(await historyOf(long), 2_000);
  const own = ratesOf((await measure(exam, flamestack('flamestack'))).tally).yield;
  expect([own.system, own.human! > 0.5, own.working! < 0.1]).toEqual([null, true, true]);
  const whole = await measure(
    exam,
    method((entries) => [...entries]),
  );
  const { yield: only, contexts } = whole.tally;
  expect(contexts).toBe(31);
  expect(only.human.of).toBe(0);
  const early = exam.history.entries.filter(
    ({ role, place }) => role === 'assistant' && place < 0.75 * exam.history.entries.length,
  );
  const tokens = early.flatMap(({ place }) => exam.history.entries.slice(0, place));
  expect(only.working.of).toBe(tokens.reduce((sum, entry) => sum + entry.tokens, 0));
});
