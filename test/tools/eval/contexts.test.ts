import { expect, test } from 'vitest';
import { contextText } from '../../../tools/eval/context-text.ts';
import { contextsAt, type Moment } from '../../../tools/eval/contexts.ts';
import { assistant, call, historyOf, method, pop, push, result, user } from './session.ts';

const lines = [
  user('Read a.ts.'),
  assistant('I read.', call('c1', 'read', { path: 'a.ts' })),
  result('c1', 'let a;'),
  push('Look'),
  assistant('It declares a.'),
  pop('looked'),
];

/** A method that shows everything, and how often it was asked. */
function everything(): { readonly kind: ReturnType<typeof method>; readonly asked: number[] } {
  const asked: number[] = [];
  const kind = method((entries) => {
    asked.push(entries.length);
    return [...entries];
  });
  return { kind, asked };
}

async function momentsOf(places: readonly number[]): Promise<[readonly Moment[], number[]]> {
  const { kind, asked } = everything();
  const playing = { history: await historyOf(lines), budget: 1_000, frames: true };
  const moments: Moment[] = [];
  for await (const moment of contextsAt(kind, places, playing)) moments.push(moment);
  return [moments, asked];
}

test('contexts are given at the places asked for, and made before each answer', async () => {
  const [moments, asked] = await momentsOf([2, 4]);
  expect(moments.map(({ place, context }) => [place, context?.length])).toEqual([
    [2, 2],
    [4, 4],
  ]);
  expect(asked).toEqual([1, 2, 3, 4]);
});

test('nothing is played after the last place', async () => {
  const [, asked] = await momentsOf([1]);
  expect(asked).toEqual([1]);
});

test('a context as text has each message under who says it, and calls on lines of their own', async () => {
  const [[moment]] = await momentsOf([3]);
  expect(contextText(moment!.context!)).toBe(
    [
      '[user]\nRead a.ts.',
      '[assistant]\nI read.\n[call] read {"path":"a.ts"}',
      '[tool]\nlet a;',
    ].join('\n\n'),
  );
});
