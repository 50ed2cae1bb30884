import { expect, test } from 'vitest';
import { baselines } from '../../../tools/eval/baselines.ts';
import type { Shown } from '../../../tools/eval/said.ts';
import { assistant, call, examOf, filler, historyOf, result, user, type Line } from './session.ts';
import { measure } from '../../../tools/eval/measure.ts';

/** What a baseline shows after a session: roles with places, copies with a star. */
async function shows(name: string, lines: readonly Line[], budget: number): Promise<string> {
  return (await contextOf(name, lines, budget)).map(sign).join(' ');
}

async function contextOf(
  name: string,
  lines: readonly Line[],
  budget: number,
): Promise<readonly Shown[]> {
  const { entries } = await historyOf(lines);
  const kind = baselines.find((baseline) => baseline.name === name)!;
  const method = await kind.begin({ budget, system: '', title: '' });
  for (const entry of entries) await method.append(entry);
  return (await method.context())!;
}

function sign({ role, place, kind }: Shown): string {
  return `${role[0]}${place}${kind === 'shortened' ? '*' : ''}`;
}

/** A person asks, three calls bring 100 tokens each, a person asks again. */
const lines = [
  user(`First. ${filler(30)}`),
  ...[1, 2, 3].flatMap((n) => [
    assistant(`I read ${n}.`, call(`c${n}`, 'read', { path: `src/${n}.ts` })),
    result(`c${n}`, filler(100)),
  ]),
  user('Second.'),
  assistant('Well.'),
];

test.each([
  ['keep-last', 'u0 a1 t2 a3 t4 a5 t6 u7 a8'],
  ['user-first', 'u0 a1 t2 a3 t4 a5 t6 u7 a8'],
])('%s shows everything that fits', async (name, shown) => {
  expect(await shows(name, lines, 1_000)).toBe(shown);
});

test.each([
  ['keep-last', 170, 'a5 t6 u7 a8'],
  ['keep-last', 130, 'u7 a8'],
  ['head-tail', 300, 'u0 a5 t6 u7 a8'],
  ['clear-results', 350, 'a3 t4 a5 t6 u7 a8'],
  ['prune-calls', 300, 'a3 t4 a5 t6 u7 a8'],
  ['user-first', 200, 'u0 u7 a8'],
])('%s within %i tokens shows %s', async (name, budget, shown) => {
  expect(await shows(name, lines, budget)).toBe(shown);
});

test('clear-results spares the last three results', async () => {
  const more = [assistant('And 4.', call('c4', 'read')), result('c4', filler(100))];
  const all = [...lines, ...more, assistant('Done.')];
  expect(await shows('clear-results', all, 500)).toBe('u0 a1 t2* a3 t4 a5 t6 u7 a8 a9 t10 a11');
  const [, , copy] = await contextOf('clear-results', all, 500);
  expect(copy).toMatchObject({ content: '[old tool result cleared]', answers: 'c1' });
});

test('prune-calls keeps the prose of old calls and nothing else of them', async () => {
  const talk = Array.from({ length: 10 }, (_, n) => assistant(`Talk ${n}.`));
  expect(await shows('prune-calls', [...lines, ...talk], 300)).toBe(
    `u0 a1* a3* a5* u7 ${Array.from({ length: 11 }, (_, n) => `a${n + 8}`).join(' ')}`,
  );
});

test('a call that got no result becomes prose', async () => {
  const broken = [
    user('Go'),
    assistant('I try.', call('c1', 'bash', { command: 'make' })),
    user('Stop'),
  ];
  const context = await contextOf('keep-last', [...broken, assistant('Yes.')], 1_000);
  expect(context.map(sign).join(' ')).toBe('u0 a1* u2 a3');
  expect(context[1]!.content).toBe('I try.\n[call bash got no result: {"command":"make"}]');
});

test.each(baselines.map(({ name }) => name))('%s cuts what alone is too much', async (name) => {
  const giant = { path: 'src/a.ts', content: `start ${filler(2_000)} end` };
  const all = [user('Write it.'), assistant('Here.', call('c1', 'write', giant))];
  const context = await contextOf(name, all, 500);
  const last = context.at(-1)!;
  expect([sign(last), context.reduce((sum, { tokens }) => sum + tokens, 0) <= 500]).toEqual([
    'a1*',
    true,
  ]);
  expect(last.calls[0]!.arguments).toMatchObject({
    path: 'src/a.ts',
    content: expect.stringMatching(
      /^start .*\n\[… \d+ tokens of argument left out.*\n.* end$/,
    ) as unknown,
  });
});

test.each(baselines)('$name breaks no pair and stays within its budget', async (kind) => {
  const torture = Array.from({ length: 12 }, (_, n) => [
    user(n % 3 === 0 ? filler(n * 30) : 'ok'),
    assistant(n % 2 === 0 ? '' : 'Both.', call(`a${n}`, 'read'), call(`b${n}`, 'read')),
    ...(n === 5 ? [] : [result(`b${n}`, filler(n * 40)), result(`a${n}`, 'short')]),
  ]).flat();
  const exam = examOf(await historyOf([...torture, assistant('Done.')]), 700);
  const { tally } = await measure(exam, kind);
  expect(tally.faults).toMatchObject({
    over: 0,
    orphans: 0,
    open: 0,
    altered: 0,
    disordered: 0,
    repeated: 0,
    empty: 0,
  });
});
