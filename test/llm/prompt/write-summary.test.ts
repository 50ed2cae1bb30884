import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newGoal } from '../../../src/core/frames/goal.ts';
import { fail } from '../../../src/core/values/error.ts';
import { mostChunks } from '../../../src/llm/prompt/chunks.ts';
import { estimate } from '../../../src/llm/prompt/estimate.ts';
import { partCache } from '../../../src/llm/prompt/part-cache.ts';
import {
  questionRoom,
  writeSummary,
  type AskModel,
  type Question,
} from '../../../src/llm/prompt/write-summary.ts';
import type { SummaryTask } from '../../../src/llm/summarizer.ts';
import { entriesOf, histories, task, texts } from '../entries.ts';
import { draws } from '../../draws.ts';

const never = new AbortController().signal;

/** Runs a task against answers in turn, the last one for ever. */
async function run(
  given: Partial<SummaryTask>,
  options: { window?: number; answers?: readonly (string | Error)[]; cut?: boolean } = {},
): Promise<{ questions: readonly Question[]; summary: string }> {
  const { window = 8_192, answers = ['Decisions:\n- None'], cut = false } = options;
  const questions: Question[] = [];
  const ask: AskModel = (question) => {
    questions.push(question);
    const answer = answers[Math.min(questions.length, answers.length) - 1]!;
    return answer instanceof Error
      ? Promise.reject(answer)
      : Promise.resolve({ text: answer, cut });
  };
  const summary = await writeSummary(task(given), ask, { window, signal: never });
  return { questions, summary };
}

/** Ids whose head stands in the transcript of a question. */
const idsIn = ({ prompt }: Question): readonly string[] =>
  [...prompt.matchAll(/^\[(e\d+) /gm)].map(([, id]) => id!);

const here = { server: 'here', model: 'm' };
const overflow = fail('MODEL_OVERFLOW', 'too long', { ...here, tokens: null, window: null });

const long = entriesOf(
  Array.from({ length: 60 }, (_, at) => [
    {
      role: 'assistant' as const,
      content: `Step ${at}. ${'The guard was inverted. '.repeat(20)}`,
      toolCalls: [{ id: `c${at}`, name: 'bash', arguments: { command: `pnpm test ${at}` } }],
    },
    { role: 'tool' as const, toolCallId: `c${at}`, content: 'passed\n'.repeat(60) },
  ]).flat(),
);

const few = long.slice(0, 4);

test('what the window holds is asked at once', async () => {
  const { questions, summary } = await run({ entries: few }, { answers: ['Progress:\n- Half'] });
  expect(questions).toHaveLength(1);
  expect(idsIn(questions[0]!)).toEqual(['e1', 'e2', 'e3', 'e4']);
  expect(summary).toBe('Progress:\n- Half');
});

test('what it does not hold is summarized in pieces, whose lines are taken in turn', async () => {
  const { questions, summary } = await run(
    { entries: long },
    {
      window: 4_096,
      answers: Array.from({ length: 40 }, (_, at) => `- part ${at}\n- more of ${at}`),
    },
  );
  expect(questions.length).toBeGreaterThan(2);
  expect(questions.flatMap(idsIn)).toEqual(long.map(({ id }) => id));
  const parts = [...questions.keys()];
  expect(summary.split('\n')).toEqual([
    ...parts.map((at) => `- part ${at}`),
    ...parts.map((at) => `- more of ${at}`),
  ]);
});

test('beside a short record some 2,000 tokens of the time before are shown', async () => {
  const lines = Array.from(
    { length: 200 },
    (_, n) => `- #${n} e${n} Found: part ${n} keeps port ${n}.`,
  );
  const { questions } = await run(
    { entries: few, earlier: lines.join('\n') },
    { window: 32_000, answers: ['- done'] },
  );
  const shown = lines.filter((line) => JSON.stringify(questions[0]).includes(line)).join('\n');
  expect(estimate(shown)).toBeGreaterThan(1_900);
  expect(estimate(shown)).toBeLessThanOrEqual(2_000);
});

test('a part that comes back empty is asked for once more', async () => {
  const { questions, summary } = await run(
    { entries: long },
    { window: 4_096, answers: ['- one', '', '- two', '- three'] },
  );
  expect(questions[2]).toEqual(questions[1]);
  expect(summary.split('\n').slice(0, 3)).toEqual(['- one', '- two', '- three']);
});

test('where a part stays empty there is no summary, rather than one of the others', async () => {
  const { questions, summary } = await run(
    { entries: long },
    { window: 4_096, answers: ['- one', ''] },
  );
  expect([questions.length, summary]).toEqual([3, '']);
});

test('a summary of one piece that is empty is left to the engine', async () => {
  const { questions, summary } = await run({ entries: few }, { answers: ['', '- late'] });
  expect([questions.length, summary]).toEqual([1, '']);
});

/** What comes of attempts at one task that a signal ends after so many questions each. */
async function attempts(
  given: Partial<SummaryTask>,
  limits: readonly number[],
): Promise<{ readonly asked: readonly Question[][]; readonly summary: string }> {
  const kept = partCache();
  const asked: Question[][] = [];
  let summary = '';
  for (const limit of limits) {
    const questions: Question[] = [];
    asked.push(questions);
    const ending = new AbortController();
    const ask: AskModel = async (question) => {
      if (questions.push(question) === limit) ending.abort(new Error('too slow'));
      ending.signal.throwIfAborted();
      return { text: `- ${asked.length}.${questions.length}`, cut: false };
    };
    const options = { window: 4_096, signal: ending.signal, kept };
    summary = await writeSummary(task(given), ask, options).catch(() => '');
  }
  return { asked, summary };
}

test('an attempt goes on where the last one was ended', async () => {
  const { asked, summary } = await attempts({ entries: long }, [3, Infinity]);
  const ids = asked.map((questions) => questions.flatMap(idsIn));
  expect(asked[0]).toHaveLength(3);
  expect(asked[1]![0]).toEqual(asked[0]![2]);
  expect(ids[0]).toEqual(long.slice(0, ids[0]!.length).map(({ id }) => id));
  expect(new Set(ids.flat())).toEqual(new Set(long.map(({ id }) => id)));
  expect(summary.split('\n')).toEqual([
    '- 1.1',
    '- 1.2',
    ...asked[1]!.map((_, at) => `- 2.${at + 1}`),
  ]);
});

test('nothing is taken from another task', async () => {
  const kept = partCache();
  let count = 0;
  const ask: AskModel = async () => ({ text: `- ${(count += 1)}`, cut: false });
  const options = { window: 4_096, signal: never, kept };
  const write = (given: Partial<SummaryTask>): Promise<string> =>
    writeSummary(task({ entries: long, ...given }), ask, options);
  await write({});
  const others = [{ focus: 'x' }, { target: 100 }, { strict: true }, { earlier: '- so (e1)' }];
  for (const given of others) {
    const before = count;
    await write(given);
    expect(count - before).toBeGreaterThan(2);
  }
});

const failing = fc.oneof(
  texts,
  texts,
  texts,
  fc.constant(overflow as Error),
  fc.constant(new Error('gone')),
);

const tasks = fc.record({
  purpose: fc.constantFrom('checkpoint', 'age', 'results', 'partial'),
  entries: histories.map(entriesOf),
  earlier: fc.oneof(fc.constant(''), texts),
  subtask: fc.string({ maxLength: 300 }),
  goal: fc.option(fc.string({ minLength: 1, maxLength: 2_000 }).map((text) => newGoal(text))),
  target: fc.integer({ min: 1, max: 2_000 }),
  strict: fc.boolean(),
  focus: fc.string({ maxLength: 500 }),
}) as fc.Arbitrary<SummaryTask>;

test('no question is larger than its share of the window, and there are not too many', () =>
  fc.assert(
    fc.asyncProperty(
      tasks,
      fc.integer({ min: 2_000, max: 40_000 }),
      fc.array(failing, { minLength: 1, maxLength: 12 }),
      async (given, window, answers) => {
        const questions: Question[] = [];
        const ask: AskModel = async (question) => {
          questions.push(question);
          const answer = answers[questions.length % answers.length]!;
          if (answer instanceof Error) throw answer;
          return { text: answer, cut: questions.length % 3 === 0 };
        };
        await writeSummary(given, ask, { window, signal: never }).catch(() => '');
        for (const { system, prompt, most } of questions) {
          expect(estimate(system) + estimate(prompt)).toBeLessThanOrEqual(
            questionRoom(window, most),
          );
          expect(most).toBeLessThanOrEqual(window / 4);
          expect(prompt).not.toContain('SECRET');
          expect(prompt.split('</transcript>')).toHaveLength(2);
          expect(prompt.split('</earlier>').length).toBeLessThanOrEqual(2);
        }
        expect(questions.length).toBeLessThanOrEqual(4 * 2 ** 4 * mostChunks);
      },
    ),
    { numRuns: draws(400) },
  ));

test('every entry is told of in exactly one answered question, in order, also where some are too long', () =>
  fc.assert(
    fc.asyncProperty(
      histories.map(entriesOf),
      fc.integer({ min: 2_000, max: 10_000 }),
      fc.nat({ max: 3 }),
      async (entries, window, overflows) => {
        const asked: Question[] = [];
        let count = 0;
        const ask: AskModel = async (question) => {
          count += 1;
          if (count % 2 === 0 && count / 2 <= overflows) throw overflow;
          asked.push(question);
          return { text: '- some', cut: false };
        };
        await writeSummary(task({ entries }), ask, { window, signal: never });
        const pieces = asked.map(idsIn);
        expect(pieces.flat()).toEqual(entries.map(({ id }) => id));
      },
    ),
    { numRuns: draws(400) },
  ));

test('a unit alone too large for a piece is taken apart by entries', async () => {
  const calls = Array.from({ length: 60 }, (_, at) => ({
    id: `c${at}`,
    name: 'read',
    arguments: {},
  }));
  const entries = entriesOf([
    { role: 'assistant', content: '', toolCalls: calls },
    ...calls.map(({ id }) => ({
      role: 'tool' as const,
      toolCallId: id,
      content: 'word '.repeat(900),
    })),
  ]);
  const { questions } = await run({ entries }, { window: 4_096, answers: ['- some'] });
  expect(questions.flatMap(idsIn)).toEqual(entries.map(({ id }) => id));
  expect(questions.length).toBeGreaterThan(1);
});

test('a range beyond all pieces is shown shorter, then without its middle', async () => {
  const entries = entriesOf(
    Array.from({ length: 4_000 }, (_, at) => ({
      role: 'assistant' as const,
      content: `Step ${at}: ${'word '.repeat(120)}`,
    })),
  );
  const { questions } = await run({ entries }, { window: 4_096, answers: ['- some'] });
  const ids = questions.flatMap(idsIn);
  expect(questions.length).toBeLessThanOrEqual(2 * mostChunks);
  expect(ids[0]).toBe('e1');
  expect(ids.at(-1)).toBe('e4000');
  expect(
    questions.some(({ prompt }) => /\(\d+ entries from e\d+ to e\d+ left out\)/.test(prompt)),
  ).toBe(true);
});

test.each([
  ['300 tokens', 4_096, 300],
  ['1,500 where the window has room', 32_768, 1_500],
])('tool results come cut to %s, with both ends', async (_, window, most) => {
  const result = `FIRST\n${'x y z\n'.repeat(4_000)}LAST`;
  const entries = entriesOf([
    { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'bash', arguments: {} }] },
    { role: 'tool', toolCallId: 'c', content: result },
  ]);
  const { questions } = await run({ entries }, { window });
  const shown = /\[e2 result of bash\]\n([\s\S]*)\n<\/transcript>/.exec(questions[0]!.prompt)![1]!;
  expect(shown).toMatch(/^FIRST\n[\s\S]*\[\.\.\. middle left out \.\.\.\][\s\S]*LAST$/);
  expect(estimate(shown)).toBeLessThanOrEqual(most);
  expect(estimate(shown)).toBeGreaterThan(0.6 * most);
});

test('when the server finds a question too long, its pieces are halved and nothing is lost', async () => {
  const { questions } = await run({ entries: few }, { answers: [overflow, overflow, '- some'] });
  const ids = questions.slice(2).flatMap(idsIn);
  expect(questions[0]!.prompt.length).toBeGreaterThan(questions[2]!.prompt.length);
  expect(ids).toEqual(few.map(({ id }) => id));
});

test('after four halvings the overflow is told', async () => {
  let count = 0;
  const ask: AskModel = () => {
    count += 1;
    return Promise.reject(overflow);
  };
  await expect(
    writeSummary(task({ entries: few }), ask, { window: 8_192, signal: never }),
  ).rejects.toBe(overflow);
  expect(count).toBe(5);
});

test('any other failure is told at once', async () => {
  const gone = fail('MODEL_UNREACHABLE', 'gone', { ...here, api: 'ollama' });
  await expect(run({ entries: long }, { answers: ['- some', gone] })).rejects.toBe(gone);
});

test('nothing is asked once the signal aborted', async () => {
  const abort = new AbortController();
  let count = 0;
  const ask: AskModel = async () => {
    count += 1;
    abort.abort(new Error('enough'));
    return { text: '- some', cut: false };
  };
  await expect(
    writeSummary(task({ entries: long }), ask, { window: 8_192, signal: abort.signal }),
  ).rejects.toThrow('enough');
  expect(count).toBe(1);
});

test('nothing to summarize is no question', async () => {
  expect(await run({})).toEqual({ questions: [], summary: '' });
});
