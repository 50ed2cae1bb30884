import { expect, test } from 'vitest';
import { countTokens, type Summarizer } from '../../../src/index.ts';
import { flamestack } from '../../../tools/eval/flamestack.ts';
import { measure } from '../../../tools/eval/measure.ts';
import { ratesOf } from '../../../tools/eval/tally.ts';
import { sound } from '../../../tools/eval/validity.ts';
import { assistant, call, examOf, filler, historyOf, pop, push, result, user } from './session.ts';

/** A person names a file; work without an end follows; the file is needed again. */
const long = [
  user('Never rename openBranch in src/core/tree.ts. Look at parseWindow, too.'),
  ...Array.from({ length: 30 }, (_, n) => [
    assistant(
      `Part ${n} is left as it is, because nothing uses it.`,
      call(`c${n}`, 'read', { path: `src/part-${n}.ts` }),
    ),
    result(`c${n}`, filler(150)),
  ]).flat(),
  assistant('Back to parseWindow in src/core/tree.ts.'),
];

test('the engine keeps names that a window has lost, within the budget, without a fault', async () => {
  const { tally } = await measure(examOf(await historyOf(long), 2_000), flamestack('flamestack'));
  expect(tally.far).toEqual({ kept: 2, of: 2 });
  expect(tally.faults).toEqual(sound);
  expect(tally.brokenLogs).toBe(0);
  expect(tally.greatest).toBeLessThanOrEqual(2_000);
  const { compressions, calls, input, output } = tally.spending;
  expect([compressions > 0, calls, input > output, output > 0]).toEqual([
    true,
    compressions,
    true,
    true,
  ]);
  expect(ratesOf(tally).human).toBe(1);
});

test('options may depend on the budget', async () => {
  const early = flamestack('early', (budget) => ({ trigger: 0.6, preserveRecent: budget / 4 }));
  const exam = examOf(await historyOf(long), 2_000);
  const [own, other] = [await measure(exam, flamestack('own')), await measure(exam, early)];
  expect(other.tally.greatest).toBeLessThan(own.tally.greatest);
  // Nothing of the budget is kept for an answer.
  expect(own.tally.greatest).toBeGreaterThan(1_700);
});

const framed = [
  user('Build openBranch.'),
  push('Branches'),
  assistant('I begin.'),
  assistant(filler(400)),
  pop('closeBranch is in src/core/tree.ts.'),
  assistant('So closeBranch is there.'),
  assistant('Yes.'),
];

test('frames of the file are played, unless they are to be left out', async () => {
  const history = await historyOf(framed);
  const shown = async (frames: boolean): Promise<number> => {
    const { tally } = await measure(examOf(history, 2_000, frames), flamestack('flamestack'));
    return tally.tokens;
  };
  expect(await shown(true)).toBeLessThan(await shown(false));
});

test('plans, starts, blocks and invalidations are played, too', async () => {
  const history = await historyOf([
    user('Go'),
    { type: 'goal', description: 'Build the app' },
    { type: 'plan', title: 'Docs', criteria: 'written', name: 'docs' },
    { type: 'plan', title: 'Tests', criteria: 'green', name: 'tests' },
    { type: 'start', name: 'docs' },
    assistant('I write.'),
    { type: 'pop', status: 'blocked', results: 'no text yet' },
    { type: 'invalidate', name: 'tests', reason: 'not wanted' },
    { type: 'start', name: 'docs' },
    assistant('I write on.'),
    pop('written'),
    assistant('Done.'),
  ]);
  const { tally } = await measure(examOf(history, 2_000), flamestack('flamestack'));
  expect([tally.contexts, tally.faults, tally.brokenLogs]).toEqual([3, sound, 0]);
});

test('a goal that a small budget cannot hold is left out', async () => {
  const history = await historyOf([
    user('Go'),
    { type: 'goal', description: filler(400) },
    assistant('I go.'),
  ]);
  const { tally } = await measure(examOf(history, 1_000), flamestack('flamestack'));
  expect(tally.faults).toEqual(sound);
});

test("a summarizer of one's own is metered by what it reads and writes", async () => {
  const asked: number[] = [];
  const summarizer: Summarizer = {
    name: 'mine',
    async summarize({ entries, earlier }) {
      const before = earlier === '' ? 0 : await countTokens(earlier);
      asked.push(entries.reduce((sum, { tokens }) => sum + tokens, before));
      return 'Parts were read.';
    },
  };
  const mine = flamestack('mine', () => ({ summarizer }));
  const { tally } = await measure(examOf(await historyOf(long), 2_000), mine);
  expect(asked.length).toBeGreaterThan(0);
  expect(tally.spending.calls).toBe(asked.length);
  expect(tally.spending.input).toBe(asked.reduce((sum, one) => sum + one, 0));
  // Parts were read. has 4 tokens.
  expect(tally.spending.output).toBe(asked.length * 4);
});
