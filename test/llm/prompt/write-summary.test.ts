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

const ofParts = (questions: readonly Question[]): readonly Question[] =>
  questions.filter(({ prompt }) => idsIn({ prompt } as Question).length > 0);

const overflow = fail('MODEL_OVERFLOW', 'too long');

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

test('what it does not hold is summarized in pieces, and those are joined', async () => {
  const { questions, summary } = await run(
    { entries: long },
    { window: 8_192, answers: Array.from({ length: 40 }, (_, at) => `- part ${at}`) },
  );
  const parts = ofParts(questions);
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.flatMap(idsIn)).toEqual(long.map(({ id }) => id));
  expect(questions).toHaveLength(parts.length + 1);
  for (const at of parts.keys()) expect(questions.at(-1)!.prompt).toContain(`- part ${at}`);
  expect(summary).toBe(`- part ${parts.length}`);
});

test('a part that comes back empty is asked for once more', async () => {
  const { questions, summary } = await run(
    { entries: long },
    { answers: ['- one', '', '- two', '- three'] },
  );
  expect(questions[2]).toEqual(questions[1]);
  expect(ofParts(questions).flatMap(idsIn).length).toBeGreaterThan(long.length);
  expect(questions.at(-1)!.prompt).toContain('- two');
  expect(summary).toBe('- three');
});

test('where a part stays empty there is no summary, rather than one of the others', async () => {
  const { questions, summary } = await run({ entries: long }, { answers: ['- one', ''] });
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
    const strict = given.strict ?? asked.length > 2;
    const options = { window: 8_192, signal: ending.signal, kept };
    summary = await writeSummary(task({ ...given, strict }), ask, options).catch(() => '');
  }
  return { asked, summary };
}

test('an attempt goes on where the last one was ended', async () => {
  const { asked, summary } = await attempts({ entries: long, strict: false }, [3, Infinity]);
  const ids = asked.map((questions) => ofParts(questions).flatMap(idsIn));
  expect(asked[0]).toHaveLength(3);
  expect(asked[1]![0]).toEqual(asked[0]![2]);
  expect(ids[0]).toEqual(long.slice(0, ids[0]!.length).map(({ id }) => id));
  expect(new Set(ids.flat())).toEqual(new Set(long.map(({ id }) => id)));
  const join = asked[1]!.at(-1)!.prompt;
  expect(join).toContain('- 1.2');
  expect(join).toContain('- 2.1');
  expect(summary).toBe(`- 2.${asked[1]!.length}`);
});

test('a strict attempt takes the parts that there are, and joins them anew', async () => {
  const { asked, summary } = await attempts({ entries: long }, [Infinity, Infinity, Infinity]);
  expect(asked[0]!.length).toBeGreaterThan(2);
  expect(asked.slice(1).map(({ length }) => length)).toEqual([1, 1]);
  expect(asked[2]![0]!.format).toBeDefined();
  expect(summary).toMatch(/^- 3\./);
});

test('nothing is taken from another task', async () => {
  const kept = partCache();
  let count = 0;
  const ask: AskModel = async () => ({ text: `- ${(count += 1)}`, cut: false });
  const options = { window: 8_192, signal: never, kept };
  const write = (given: Partial<SummaryTask>): Promise<string> =>
    writeSummary(task({ entries: long, ...given }), ask, options);
  await write({});
  const whole = count;
  const others = [{ focus: 'x' }, { target: 300 }, { entries: long.slice(1) }];
  for (const [at, given] of others.entries()) {
    await write(given);
    expect(count).toBeGreaterThan(whole * (at + 1) + 1);
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
  purpose: fc.constantFrom('checkpoint', 'age', 'merge', 'results', 'partial'),
  entries: histories.map(entriesOf),
  text: fc.oneof(fc.constant(''), texts),
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
        }
        expect(questions.length).toBeLessThanOrEqual(4 * 2 ** 4 * mostChunks);
      },
    ),
    { numRuns: 200 },
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
        const pieces = ofParts(asked).map(idsIn);
        expect(pieces.flat()).toEqual(entries.map(({ id }) => id));
      },
    ),
    { numRuns: 150 },
  ));

test('a unit alone too large for a piece is taken apart by entries', async () => {
  const calls = Array.from({ length: 12 }, (_, at) => ({
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
  expect(ofParts(questions).flatMap(idsIn)).toEqual(entries.map(({ id }) => id));
  expect(ofParts(questions).length).toBeGreaterThan(1);
});

test('a range beyond all pieces is shown shorter, then without its middle', async () => {
  const entries = entriesOf(
    Array.from({ length: 4_000 }, (_, at) => ({
      role: 'assistant' as const,
      content: `Step ${at}: ${'word '.repeat(120)}`,
    })),
  );
  const { questions } = await run({ entries }, { window: 4_096, answers: ['- some'] });
  const ids = ofParts(questions).flatMap(idsIn);
  expect(questions.length).toBeLessThanOrEqual(2 * mostChunks);
  expect(ids[0]).toBe('e1');
  expect(ids.at(-1)).toBe('e4000');
  expect(
    questions.some(({ prompt }) => /\(\d+ entries from e\d+ to e\d+ left out\)/.test(prompt)),
  ).toBe(true);
});

test('tool results come cut to 300 tokens, with both ends', async () => {
  const result = `FIRST\n${'x y z\n'.repeat(4_000)}LAST`;
  const entries = entriesOf([
    { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'bash', arguments: {} }] },
    { role: 'tool', toolCallId: 'c', content: result },
  ]);
  const { questions } = await run({ entries });
  const shown = /\[e2 result of bash\]\n([\s\S]*)\n<\/transcript>/.exec(questions[0]!.prompt)![1]!;
  expect(shown).toMatch(/^FIRST\n[\s\S]*\[\.\.\. middle left out \.\.\.\][\s\S]*LAST$/);
  expect(estimate(shown)).toBeLessThanOrEqual(300);
  expect(estimate(shown)).toBeGreaterThan(200);
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
  const gone = fail('MODEL_UNREACHABLE', 'gone');
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

test('a joined summary above its target is asked for once more, and the shorter one taken', async () => {
  const wordy = `- ${'word '.repeat(900)}`;
  const entries = long.slice(0, 30);
  const all = await run({ entries, target: 300 }, { answers: [wordy] });
  const last = all.questions.at(-1)!.prompt;
  expect(last).toContain('came out too long');
  expect(all.questions.filter(({ prompt }) => prompt.includes('came out too long'))).toHaveLength(
    1,
  );
  expect(all.summary).toBe(wordy.trim());
  const answers = [...all.questions.slice(1).map(() => wordy), '- short'];
  expect((await run({ entries, target: 300 }, { answers })).summary).toBe('- short');
});

test('a summary of one piece is left to the checks of the engine, however long', async () => {
  const wordy = `- ${'word '.repeat(900)}`;
  const { questions } = await run({ entries: few, target: 100 }, { answers: [wordy] });
  expect(questions).toHaveLength(1);
});

test('earlier text goes before what came after it; an older summary is all there is', async () => {
  const text = 'Decisions:\n- Use one store';
  const both = await run({ entries: few, text });
  expect(both.questions[0]!.prompt).toMatch(
    /<transcript>\n\(Earlier summary:\)\nDecisions:\n- Use one store\n\(What came after it:\)\n\[e1 /,
  );
  const aged = await run({ purpose: 'age', text, target: 300 });
  expect(aged.questions[0]!.prompt).toContain(`<transcript>\n${text}\n</transcript>`);
});

test('a strict task is asked as a form, and its sections are printed', async () => {
  const form = JSON.stringify({ decisions: ['Use one store'], files: [], next: ['- Ship\n it'] });
  const { questions, summary } = await run({ entries: few, strict: true }, { answers: [form] });
  expect(questions[0]!.format).toMatchObject({ type: 'object', additionalProperties: false });
  expect(summary).toBe('Findings and decisions:\n- Use one store\nNext steps:\n- Ship it');
  const plain = await run(
    { entries: few, strict: true },
    { answers: ['Decisions:\n- Use one store'] },
  );
  expect(plain.summary).toBe('Decisions:\n- Use one store');
});

test('a question that is not strict has no form', async () => {
  expect((await run({ entries: few })).questions[0]).not.toHaveProperty('format');
});

test('nothing to summarize is no question', async () => {
  expect(await run({})).toEqual({ questions: [], summary: '' });
});
