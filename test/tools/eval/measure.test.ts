import { expect, test } from 'vitest';
import { ratesOf, sumOf } from '../../../tools/eval/tally.ts';
import { sound } from '../../../tools/eval/validity.ts';
import { measure } from '../../../tools/eval/measure.ts';
import {
  assistant,
  call,
  examOf,
  filler,
  historyOf,
  made,
  measured,
  method,
  pop,
  push,
  result,
  user,
} from './session.ts';

const everything = method((entries) => entries);
const nothing = method(() => []);
const lastTwo = method((entries) => entries.slice(-2));

const session = [
  user('Never rename openBranch in src/core/tree.ts, whatever happens to it.'),
  assistant('I look.', call('c1', 'bash', { command: 'npm run check' })),
  result('c1', 'RangeError in closeBranch'),
  assistant(filler(100)),
  user('And now?'),
  assistant('openBranch in src/core/tree.ts threw RangeError, so npm run check fails.'),
  assistant('Never rename openBranch in src/core/tree.ts, whatever happens to it.'),
];

test('a method that keeps everything keeps all that is needed', async () => {
  const { tally, lost } = await measured(session, 60, everything);
  expect(tally.contexts).toBe(4);
  expect(tally.far).toEqual({ kept: 3, of: 3 });
  expect(tally.names).toEqual({ kept: 5, of: 5 });
  // Twelve words are said again: five runs of eight.
  expect(tally.spans).toEqual({ kept: 5, of: 5 });
  expect(tally.farSpans).toEqual({ kept: 5, of: 5 });
  expect(tally.human).toEqual({ kept: 6, of: 6 });
  expect(lost.size).toBe(0);
});

test('a method that keeps nothing keeps nothing, and that is no context', async () => {
  const { tally, lost } = await measured(session, 60, nothing);
  expect(ratesOf(tally)).toMatchObject({ far: 0, names: 0, spans: 0, human: 0, mean: 0 });
  expect(tally.faults).toMatchObject({ empty: 4, userless: 4, over: 0 });
  expect([...lost.values()]).toEqual([1, 1, 1]);
});

test('far references count by their class', async () => {
  const { tally } = await measured(session, 60, lastTwo);
  expect(tally.farByClass).toEqual({
    path: { kept: 0, of: 1 },
    identifier: { kept: 0, of: 1 },
    command: { kept: 0, of: 0 },
    literal: { kept: 0, of: 0 },
    error: { kept: 0, of: 1 },
  });
});

test('directives are looked for before every fifth assistant message', async () => {
  const lines = [
    user('Never rename the public exports. Always run the migrations first.'),
    ...Array.from({ length: 10 }, (_, n) => assistant(`Step ${n}.`)),
  ];
  const reminded = method(async () => [await made('The public exports: no renaming.')]);
  expect((await measured(lines, 1_000, everything)).tally.directives).toEqual({ kept: 4, of: 4 });
  const { tally, lost } = await measured(lines, 1_000, reminded);
  expect(tally.directives).toEqual({ kept: 2, of: 4 });
  expect([...lost.values()]).toEqual([2]);
});

test('a name in a made-up message is there, and a copy is not verbatim', async () => {
  const listed = method(async () => [await made('openBranch core/tree.ts RangeError')]);
  const { tally } = await measured(session, 60, listed);
  expect(tally.far).toEqual({ kept: 3, of: 3 });
  expect([tally.spans.kept, tally.human.kept, tally.faults.altered]).toEqual([0, 0, 0]);
});

test('the same start counts once the history is longer than the budget', async () => {
  const lines = [user(filler(100)), ...Array.from({ length: 3 }, () => assistant(filler(50)))];
  const tokens = (await historyOf(lines)).entries.map((entry) => entry.tokens);
  const second = tokens[0]! / (tokens[0]! + tokens[1]!);
  const third = (tokens[0]! + tokens[1]!) / (tokens[0]! + tokens[1]! + tokens[2]!);
  const { prefix } = (await measured(lines, tokens[0]!, everything)).tally;
  expect(prefix.of).toBe(2);
  expect(prefix.kept).toBeCloseTo(second + third, 10);
  expect((await measured(lines, 1_000, everything)).tally.prefix.of).toBe(0);
});

test('tokens are counted by the judge, whatever a method says of them', async () => {
  const { tally } = await measured(session, 60, everything);
  const history = await historyOf(session);
  const at = (place: number): number =>
    history.entries.slice(0, place).reduce((sum, { tokens }) => sum + tokens, 0);
  expect(tally.tokens).toBe(at(1) + at(3) + at(5) + at(6));
  expect(tally.greatest).toBe(at(6));
  expect(tally.history).toBe(history.tokens);
  expect(tally.faults.over).toBe([at(1), at(3), at(5), at(6)].filter((size) => size > 60).length);
});

test('tallies of several histories add up, the greatest context stays the greatest', async () => {
  const one = (await measured(session, 60, everything)).tally;
  const other = (await measured(session.slice(0, 4), 60, nothing)).tally;
  const sum = sumOf([one, other]);
  expect(sum.contexts).toBe(one.contexts + other.contexts);
  expect(sum.greatest).toBe(one.greatest);
  expect(sum.faults.empty).toBe(2);
  expect(sum.brokenLogs).toBeNull();
  expect(ratesOf(sumOf([])).far).toBeNull();
});

const pair = [
  user('Go'),
  assistant('', call('c1', 'read', { path: 'a' }), call('c2', 'read', { path: 'b' })),
  result('c1', 'one'),
  result('c2', 'two'),
  assistant('Done.'),
];

test.each([
  ['a result without its call', { orphans: 1 }, [0, 2]],
  ['a call without its result, before the end', { open: 1 }, [1, 2, 0]],
  ['entries out of order', { disordered: 1 }, [0, 1, 3, 2].toReversed()],
  ['an entry twice', { repeated: 1 }, [0, 0]],
  ['no user message', { userless: 1 }, [1, 2, 3]],
])('%s is a fault', async (_, fault, places) => {
  const planted = method((entries) =>
    entries.length < 4 ? entries : places.map((n) => entries[n]!),
  );
  const { tally } = await measured(pair, 1_000, planted);
  expect(tally.faults).toMatchObject(fault);
});

test('order is that of a frame where frames are played, else that of all', async () => {
  const history = await historyOf([
    user('Go'),
    push('Login'),
    user('Now'),
    pop('done'),
    assistant(''),
  ]);
  const newestFirst = method((entries) => entries.toReversed());
  const faults = async (frames: boolean): Promise<number> =>
    (await measure(examOf(history, 1_000, frames), newestFirst)).tally.faults.disordered;
  expect([await faults(true), await faults(false)]).toEqual([0, 1]);
});

test('a call that waits for its result at the very end is no fault', async () => {
  const lines = [user('Go'), assistant('', call('c1', 'read')), assistant('Well?')];
  expect((await measured(lines, 1_000, everything)).tally.faults).toEqual(sound);
});

test('a message that claims to be verbatim and is not is caught', async () => {
  const liar = method((entries) => entries.map((entry) => ({ ...entry, text: `${entry.text}.` })));
  const honest = method((entries) =>
    entries.map((entry) => ({ ...entry, text: `${entry.text}.`, kind: 'shortened' as const })),
  );
  expect((await measured(session, 1_000, liar)).tally.faults.altered).toBe(1 + 3 + 5 + 6);
  expect((await measured(session, 1_000, honest)).tally.faults.altered).toBe(0);
});

test('a refused context is told, and keeps nothing', async () => {
  const refusing = method((entries) => entries, { context: async () => null });
  const { tally } = await measured(session, 1_000, refusing);
  expect([tally.faults.refused, tally.names.kept]).toEqual([4, 0]);
});

test.each([
  ['whole', 0, (messages: readonly unknown[]) => messages],
  ['without an entry', 1, (messages: readonly unknown[]) => messages.slice(1)],
  ['with one too many', 1, (messages: readonly unknown[]) => [...messages, messages[0]]],
  [
    'with a changed byte',
    1,
    (messages: readonly unknown[]) =>
      messages.map((message, n) =>
        n === 2 ? { ...(message as object), content: 'RangeError' } : message,
      ),
  ],
])('a log that comes back %s counts as %i broken', async (_, broken, change) => {
  const history = await historyOf(session);
  const messages = history.entries.map(({ message }) => message);
  const logging = method((entries) => entries, {
    async *log() {
      yield* change(messages);
    },
  });
  const { tally } = await measure(examOf(history, 1_000), logging);
  expect(tally.brokenLogs).toBe(broken);
});

test('an abort ends a measurement and closes the method', async () => {
  let isClosed = false;
  const closing = method((entries) => entries, { close: async () => void (isClosed = true) });
  const stop = new AbortController();
  const exam = examOf(await historyOf(session), 1_000);
  const running = measure(exam, closing, {
    signal: stop.signal,
    onStep: (done) => void (done === 3 && stop.abort(new Error('enough'))),
  });
  await expect(running).rejects.toThrow('enough');
  expect(isClosed).toBe(true);
});
