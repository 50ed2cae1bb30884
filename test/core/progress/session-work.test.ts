import { expect, test } from 'vitest';
import { newGoal } from '../../../src/core/frames/goal.ts';
import type { Message } from '../../../src/core/messages/message.ts';
import { emptyDocument, printDocument } from '../../../src/core/documents/document.ts';
import { editMessage } from '../../../src/core/documents/page-edit.ts';
import type { Line } from '../../../src/core/lines/line.ts';
import { linesSince, workOf } from '../../../src/core/progress/session-work.ts';
import { emptyIndex } from '../../../src/core/file-index/file-index.ts';
import type { State } from '../../../src/core/state/state.ts';
import { play } from '../../notation/state.ts';
import { workIn } from './work.ts';

/** A session of these messages, in the root unless `tree` enters a frame before one. */
function sessionOf(
  messages: readonly Message[],
  change: (state: State) => State = (state) => state,
) {
  const step = { user: 'u1', assistant: 'a1', tool: 'a1', system: 'u1' } as const;
  const { state } = play(messages.map(({ role }) => step[role]).join(' '));
  const texts = new Map<string, string>();
  const bodies = {
    message: (n: number) => messages[n - 1]!,
    text: (id: string) => texts.get(id)!,
    short: () => messages[0]!,
  };
  return { state: change(state), bodies: bodies as never, texts };
}

const user = (content: string): Message => ({ role: 'user', content });
let calls = 0;
const runs = (name: string, args: Record<string, unknown>, result = 'ok') => {
  const id = `c${(calls += 1)}`;
  return [
    { role: 'assistant', content: '', toolCalls: [{ id, name, arguments: args }] },
    { role: 'tool', toolCallId: id, content: result, isError: result !== 'ok' },
  ] as const satisfies readonly Message[];
};
const todos = (...items: readonly (readonly [string, string])[]) =>
  runs('TodoWrite', { todos: items.map(([content, status]) => ({ content, status })) });
const edits = (...changes: readonly string[]): Message => user(editMessage({ changes }));

const listOf = (messages: readonly Message[]): readonly string[] => {
  const { state, bodies } = sessionOf(messages);
  return workOf(state, bodies).list.map(({ text, mark, n }) => `[${mark}] ${text} e${n}`);
};

test('the list of a host stands as it was given last; an item keeps the entry that gave it its mark', () => {
  expect(listOf([user('hi')])).toEqual([]);
  const first = todos(['Read', 'completed'], ['Write', 'in_progress'], ['Check', 'pending']);
  expect(listOf([user('hi'), ...first])).toEqual(['[x] Read e2', '[~] Write e2', '[ ] Check e2']);
  const second = todos(['Read', 'completed'], ['Write', 'completed'], ['Ship', 'pending']);
  expect(listOf([user('hi'), ...first, ...second])).toEqual([
    '[x] Read e2',
    '[x] Write e4',
    '[ ] Ship e4',
  ]);
  expect(listOf([user('hi'), ...first, ...runs('bash', { command: 'ls' })])).toHaveLength(3);
});

test('an edit of the page ticks items, puts some in and takes some out, until the host lists again', () => {
  const first = todos(['Read', 'pending'], ['Write', 'pending'], ['Check', 'pending']);
  const edit = edits('- Done: Read', '- Open: Ship', '- Taken out: Open: Check', '- Done: Plan');
  expect(listOf([...first, edit])).toEqual([
    '[x] Read e3',
    '[ ] Write e1',
    '[ ] Ship e3',
    '[x] Plan e3',
  ]);
  expect(listOf([edit, ...first])).toEqual([
    '[ ] Read e2',
    '[ ] Write e2',
    '[ ] Check e2',
    '[ ] Ship e1',
    '[x] Plan e1',
  ]);
});

test('an edit is none of what was said, and without the milestones that it ticked', () => {
  const milestones = [{ text: 'Read', status: 'pending' }] as const;
  const messages = [user('hi'), edits('- Done: Read', '- Open: Read', '- Open: Ship'), user('ok')];
  const { state, bodies } = sessionOf(messages, (one) => ({
    ...one,
    goal: { ...newGoal('Ship it'), milestones },
  }));
  const work = workOf(state, bodies);
  expect(work.said).toEqual([
    { n: 1, text: 'hi' },
    { n: 3, text: 'ok' },
  ]);
  expect(work.edits).toMatchObject([{ n: 2, open: ['Ship'], done: [] }]);
  expect(work.entries.map(({ n }) => n)).toEqual([1, 2, 3]);
});

test('moves are those that the index knows, then those of calls that did not fail', () => {
  const index = {
    ...emptyIndex,
    files: [
      { path: 'b.ts', was: 'a.ts', became: 'changed', changes: [3, 5] },
      { path: 'd.ts', was: 'c.ts', became: 'deleted', changes: [4] },
      { path: 'e.ts', was: '', became: 'deleted', changes: [] },
      { path: 'f.ts', was: '', became: 'changed', changes: [6] },
    ],
  } as never;
  const messages = [
    ...runs('bash', { command: 'mv x.ts y.ts' }),
    ...runs('bash', { command: 'rm z.ts' }, 'Error: Permission denied'),
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'q', name: 'bash', arguments: { command: 'rm w.ts' } }],
    },
  ] as const satisfies readonly Message[];
  const { state, bodies } = sessionOf(messages, (one) => ({
    ...one,
    chronicle: { ...one.chronicle, index },
  }));
  expect(workOf(state, bodies).moves).toEqual([
    { from: 'a.ts', to: 'b.ts', n: 5 },
    { from: 'c.ts', to: 'd.ts', n: 4 },
    { from: 'd.ts', to: '', n: 4 },
    { from: 'e.ts', to: '', n: 0 },
    { from: 'x.ts', to: 'y.ts', n: 1 },
    { from: 'w.ts', to: '', n: 5 },
  ]);
});

test('what a lost store told is read again', () => {
  const { state, bodies, texts } = sessionOf([user('hi')]);
  expect(workOf(state, bodies).recovered).toBeNull();
  texts.set('t1', printDocument({ ...emptyDocument, goal: 'Ship it' }));
  texts.set('t2', '');
  const of = (id: string) =>
    workOf({ ...state, documents: { ...state.documents, recovered: id as never } }, bodies)
      .recovered;
  expect(of('t1')).toMatchObject({ goal: 'Ship it' });
  expect(of('t2')).toBeNull();
});

test('work is that of the frames on the path; with a state before, also of what it had in view', () => {
  const played = play('u2 push:a a3 u4');
  const inFrame = workOf(played.state, played.bodies);
  expect(inFrame.entries.map(({ n }) => n)).toEqual([1, 2, 3]);
  const closed = play('u2 push:a a3 u4 pop');
  expect(workOf(closed.state, played.bodies).entries.map(({ n }) => n)).toEqual([1]);
  const both = workOf(closed.state, played.bodies, { before: played.state });
  expect(both.entries.map(({ n }) => n)).toEqual([1, 2, 3]);
  expect(both.said.map(({ n }) => n)).toEqual([1, 3]);
});

test('what left the window is told by its lines and quotes', () => {
  const played = play('u9 a5 told:6,4 offloaded:e1 u3');
  const { said, lines } = workOf(played.state, played.bodies);
  expect(said.map(({ n, text }) => [n, text])).toEqual([
    [1, 'never e1'],
    [3, expect.any(String)],
  ]);
  expect(lines.filter(({ kind }) => kind === 'said').map(({ n }) => n)).toEqual([2, 2]);
});

const line = (kind: Line['kind'], n: number, to = n): Line => {
  return { turn: 0, kind, n, to, text: `${kind} ${n}`, file: '', worth: 1, tokens: 4 };
};

test('lines since a position are those that end later; of changes only what came since', () => {
  const changes = ['c | write: a.ts', 'r ok', 'c | write: a.ts', 'r ok'];
  const work = workIn(changes);
  const since = (n: number, more = work) =>
    linesSince(more, n).map(({ kind, n: from, to }) => `${kind} ${from}–${to}`);
  expect(since(0)).toEqual(['changed 1–3']);
  expect(since(1)).toEqual(['changed 3–3']);
  expect(since(3)).toEqual([]);
  const left = [line('failed', 2, 5), line('said', 3), line('changed', 3, 9), line('changed', 6)];
  const old = { ...work, entries: [], lines: left };
  expect(since(3, old)).toEqual(['failed 2–5', 'changed 6–6']);
  expect(since(2, old)).toEqual(['failed 2–5', 'said 3–3', 'changed 3–9', 'changed 6–6']);
  const last = { ...work, entries: work.entries.slice(2), lines: [line('changed', 3)] };
  expect(since(2, last)).toEqual(['changed 3–3']);
  const inView = { ...work, lines: [line('changed', 1), line('said', 4), line('said', 2, 3)] };
  expect(since(2, inView)).toEqual(['said 2–3', 'changed 3–3', 'said 4–4']);
});

test('lines of one position stand by where they end, and a turn is of what a person said before', () => {
  const lines = [line('said', 4, 6), line('failed', 4, 5), line('said', 2, 9)];
  const old = { ...workIn([]), lines };
  expect(linesSince(old, 1).map(({ kind, n, to }) => `${kind} ${n}–${to}`)).toEqual([
    'said 2–9',
    'failed 4–5',
    'said 4–6',
  ]);
  expect(linesSince(old, 0)).toBe(lines);
  const work = workIn(['u one', 'u two', 'c | write: a.ts', 'r ok', 'u three']);
  const changed = linesSince(work, 2).filter(({ kind }) => kind === 'changed');
  expect(changed.map(({ n, turn }) => [n, turn])).toEqual([[3, 2]]);
});

test('an edit takes out what the host lists as it was before, and not what it changes later', () => {
  const first = todos(['Read', 'pending'], ['Write', 'pending']);
  const edit = edits('- Taken out: Open: Read', '- Done: Write', '- Open: Write it');
  expect(listOf([...first, edit])).toEqual(['[x] Write e3', '[ ] Write it e3']);
  const again = todos(['Read', 'pending'], ['Write', 'in_progress']);
  expect(listOf([...first, edit, ...again])).toEqual(['[~] Write e4', '[ ] Write it e3']);
  expect(listOf([edit])).toEqual(['[ ] Write it e1', '[x] Write e1']);
});
