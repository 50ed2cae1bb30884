import { expect, test } from 'vitest';
import { textOf } from '../../../src/core/messages/message.ts';
import { openStore, type Session, type SummaryTask } from '../../../src/index.ts';
import { prose } from '../../../src/testing/made-text.ts';

// What a model says about what was written before: it is shown that, and corrects it.

const wrong = 'The race is in the test, not in the pool.';

/** The words that summaries here are made of: what no entry has is left out of them. */
const spoken = 'race test pool Pool.acquire small fixed port app 4310 pays nine seats';

interface Stage extends AsyncDisposable {
  readonly session: Session;
  readonly tasks: SummaryTask[];
}

/** A session whose summarizer gives these answers in turn, then lines of its own. */
async function stage(answers: readonly ((task: SummaryTask) => string)[]): Promise<Stage> {
  const tasks: SummaryTask[] = [];
  const store = await openStore(':memory:');
  const session = await store.open('s', {
    window: 10_000,
    summarizer: {
      name: 'model',
      async summarize(task) {
        tasks.push(task);
        const answer = answers[tasks.length - 1];
        return answer === undefined ? `- ${prose(12, tasks.length)}` : answer(task);
      },
    },
  });
  return { session, tasks, [Symbol.asyncDispose]: () => store.close() };
}

/** Talks until there were so many more compressions. */
async function compressed(session: Session, times: number): Promise<void> {
  const wanted = session.state.compressions + times;
  for (let n = 0; session.state.compressions < wanted; n += 1) {
    await session.append([
      { role: 'user', content: `Step ${n}` },
      { role: 'assistant', content: `${prose(220, n)}\n${spoken}` },
    ]);
    await session.settled();
  }
}

/** The made sections of the assembly as one text. */
async function made(session: Session): Promise<string> {
  const { messages } = await session.assemble();
  return messages
    .flatMap(({ kind, content }) => (kind === 'made' ? textOf(content) : []))
    .join('\n');
}

/** The number under which the newest task shows a line. */
const numberOf = (tasks: readonly SummaryTask[], text: string): string =>
  tasks
    .at(-1)!
    .earlier.split('\n')
    .flatMap((line) => (line.includes(text) ? /^- (#\d+) /.exec(line)![1]! : []))[0]!;

test('a model is shown what was written of the time before, where it stands in a checkpoint or the chronicle', async () => {
  await using stage_ = await stage([() => `- ${wrong}`]);
  const { session, tasks } = stage_;
  await compressed(session, 6);
  expect(tasks[0]!.earlier).toBe('');
  for (const { earlier } of tasks.slice(1)) expect(earlier).toContain(wrong);
  const shown = await made(session);
  expect(shown).toContain(wrong);
  for (const line of tasks
    .at(-1)!
    .earlier.split('\n')
    .filter((one) => one.startsWith('- ')))
    expect(shown).toContain(line.replace(/^- #\d+ /, '- '));
});

test.each([1, 4])('what it corrects leaves the prompt, %i compressions later', async (later) => {
  const between = Array.from({ length: later - 1 }, () => () => '- Nine seats fixed.');
  const right = 'The race is in Pool.acquire after all.';
  await using stage_ = await stage([
    () => `- ${wrong}`,
    ...between,
    () => `- CORRECT ${numberOf(stage_.tasks, wrong)}: ${right}\n- The pool is fixed.`,
  ]);
  const { session } = stage_;
  await compressed(session, later);
  expect(await made(session)).toContain(wrong);
  await compressed(session, 1);
  const text = await made(session);
  expect(text).not.toContain(wrong);
  expect(text).not.toContain('CORRECT');
  expect(text.match(/The race is in Pool\.acquire after all\./g)).toHaveLength(1);
  expect(text.indexOf(right)).toBeLessThan(text.indexOf('The pool is fixed.'));
  await compressed(session, 5);
  expect(await made(session)).toContain(right);
});

test('what it says of a line that there is not stands as a line', async () => {
  await using stage_ = await stage([
    () => `- ${wrong}`,
    () => '- CORRECT #9000: No line has this number.\n- The pool is fixed at nine seats.',
  ]);
  const { session } = stage_;
  await compressed(session, 2);
  const text = await made(session);
  expect(text).toContain(wrong);
  expect(text).toContain('No line has this number.');
});

test('what was open leaves the prompt when it is done, and what else was said of its entries stays', async () => {
  await using stage_ = await stage([
    () =>
      '- Found: the pool is small (e3)\n- Open: which port the app has (e3)\n- Open: who pays (e2)',
    () =>
      `- DONE ${numberOf(stage_.tasks, 'which port')}: it is 4310 (e9)\n- DONE ${numberOf(stage_.tasks, 'who pays')}`,
    () => `- DONE ${numberOf(stage_.tasks, 'the pool is small')}`,
  ]);
  const { session, tasks } = stage_;
  await compressed(session, 1);
  expect(await made(session)).toContain('Open: which port the app has');
  await compressed(session, 1);
  const text = await made(session);
  expect(text).not.toMatch(/which port|who pays|DONE/);
  expect(text).toContain('- e3 Found: the pool is small\n');
  expect(text).toMatch(/^- e22–e38 Done: it is 4310 \(e9\)$/m);
  await compressed(session, 1);
  expect(tasks[1]!.earlier).toMatch(
    /- #\d+ e3 Found: the pool is small\n- #\d+ e3 Open: which port the app has/,
  );
  expect(await made(session)).toContain('Found: the pool is small');
});

test('what is void leaves the prompt, and so does what was open where nothing is said of it that tells alone', async () => {
  await using stage_ = await stage([
    () =>
      '- Found: the race is in the test (e3)\n- Open: which port the app has (e3)\n- Open: who pays nine seats (e2)',
    () =>
      `- DROP ${numberOf(stage_.tasks, 'in the test')}\n- DONE ${numberOf(stage_.tasks, 'which port')}: fixed as e120 has it (e9)\n- DONE ${numberOf(stage_.tasks, 'who pays')}: the app pays for nine seats of the pool (e9)`,
  ]);
  const { session } = stage_;
  await compressed(session, 1);
  expect(await made(session)).toContain('Found: the race is in the test');
  await compressed(session, 1);
  const text = await made(session);
  expect(text).not.toMatch(/in the test|DROP|which port|fixed as/);
  expect(text).toContain('Done: the app pays for nine seats of the pool');
});

test('of several lines about the same entries the one leaves whose number is named', async () => {
  await using stage_ = await stage([
    () => '- Found: the pool has nine seats (e3)\n- Found: the race is in the test (e3)',
    () =>
      `- CORRECT ${numberOf(stage_.tasks, 'in the test')}: the race is not in the test but in acquire`,
  ]);
  const { session } = stage_;
  await compressed(session, 2);
  const text = await made(session);
  expect(text).toContain('- e3 Found: the pool has nine seats\n');
  expect(text).toMatch(/^- e22–e38 the race is not in the test but in acquire$/m);
  expect(text).not.toContain('the race is in the test');
});

test('a model is shown the first request, unless it is in the record or a goal is set', async () => {
  await using stage_ = await stage([]);
  const { session, tasks } = stage_;
  await compressed(session, 3);
  expect(tasks.map(({ request }) => request)).toEqual(['', 'Step 0', 'Step 0']);
  await session.goal.set('Build the app');
  await compressed(session, 1);
  expect(tasks.at(-1)!.request).toBe('');
});

test('a correction taken back was never made', async () => {
  await using stage_ = await stage([
    () => `- ${wrong}`,
    () => `- CORRECT ${numberOf(stage_.tasks, wrong)}: It is in Pool.acquire.`,
  ]);
  const { session } = stage_;
  await compressed(session, 1);
  const { id } = await session.snapshots.create('before');
  await compressed(session, 1);
  const corrected = await made(session);
  expect(corrected).toContain('It is in Pool.acquire.');
  expect(corrected).not.toContain(wrong);
  await session.snapshots.restore(id);
  const restored = await made(session);
  expect(restored).toContain(wrong);
  expect(restored).not.toContain('It is in Pool.acquire.');
});

test('of a summary that is too long up to twice its length stands, in the chronicle where its checkpoint has no room', async () => {
  const seats = Array.from({ length: 240 }, (_, n) => `The pool has seat ${n} of the app.`);
  await using stage_ = await stage([() => seats.map((seat) => `- ${seat}`).join('\n')]);
  const { session, tasks } = stage_;
  await compressed(session, 1);
  const text = await made(session);
  const standing = seats.filter((seat) => text.includes(seat));
  const tokens = standing.length * 11;
  expect(tokens).toBeGreaterThan(1.5 * tasks[0]!.target);
  expect(tokens).toBeLessThanOrEqual(2 * tasks[0]!.target);
});
