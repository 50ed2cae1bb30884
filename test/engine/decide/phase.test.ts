import { afterEach, expect, test } from 'vitest';
import { frameTable, sessionTable } from '../../../machines/index.ts';
import type { FrameEvent, FrameStatus } from '../../../src/core/frames/frame.ts';
import type { Phase, SessionSignal } from '../../../src/core/frames/lifecycle.ts';
import { frameOf } from '../../../src/core/frames/tree.ts';
import type { Input } from '../../../src/core/state/input.ts';
import type { Decision } from '../../../src/engine/decide/decide.ts';
import { updateGoal } from '../../../src/engine/tools/tool-goal.ts';
import type { Session } from '../../../src/engine/session/session.ts';
import { cells, decided, identity, inputFor, pop, sessions } from './phase-stage.ts';

// The tables are the machines (test/machines). Here they decide: each command is
// decided in each phase, and one cell changed changes what the engine does.

type Cells = Record<string, Record<string, string | undefined>>;
const rows: Record<string, Cells> = { frame: frameTable, session: sessionTable };
const undo: (() => void)[] = [];

/** Retargets one arrow until the test is over; takes it away, or adds one that was not there. */
function mutate(machine: 'frame' | 'session', [from, event, to]: readonly string[]): void {
  const row = rows[machine]![from!]!;
  const before = row[event!];
  undo.push(() => (before === undefined ? delete row[event!] : (row[event!] = before)));
  if (to === undefined) delete row[event!];
  else row[event!] = to;
}

afterEach(() => {
  for (const back of undo.splice(0)) back();
});

test.each(cells)(
  '$command while $phase is taken as the table says',
  ({ phase, command, input }) => {
    const isTaken = command in sessionTable[phase];
    expect(typeof decided(phase, input)).toBe(isTaken ? 'object' : 'string');
    if (isTaken) mutate('session', [phase, command]);
    expect(typeof decided(phase, input)).toBe('string');
  },
);

test('what a completed session refuses, it refuses with the code of what was asked', () => {
  const codes = cells.flatMap(({ phase, command, input }) => {
    const found = phase === 'completed' ? decided(phase, input) : null;
    return typeof found === 'string' ? [`${command} ${found}`] : [];
  });
  expect(codes).toEqual([
    'append SESSION_COMPLETED',
    'push FRAME_CLOSED',
    'plan FRAME_CLOSED',
    'start FRAME_STATUS',
    'edit FRAME_FROZEN',
    'pop FRAME_STATUS',
    'invalidate FRAME_STATUS',
    'retry FRAME_CLOSED',
  ]);
});

test.each(['append', 'push', 'retry'])(
  'a completed session would take %s if its machine did',
  (command) => {
    const input = inputFor(sessions.completed)[command as SessionSignal]!;
    mutate('session', ['completed', command, 'completed']);
    expect(typeof decided('completed', input)).toBe('object');
  },
);

test('the model may change the goal where the table says so, and a loss begins a recovery', async () => {
  const { state } = sessions.completed;
  const session = { state, goal: { set: async () => {} } } as unknown as Session;
  await expect(updateGoal(session, {})).rejects.toMatchObject({ code: 'SESSION_COMPLETED' });
  expect(recoveryOf('completed')).toBe(false);
  mutate('session', ['completed', 'tool.goal', 'completed']);
  mutate('session', ['completed', 'suspect', 'completed']);
  expect(await updateGoal(session, {})).toContain('Move the tokens');
  expect(recoveryOf('completed')).toBe(true);
});

/** Whether a loss begins a recovery. */
function recoveryOf(phase: Phase): boolean {
  const found = decided(phase, { type: 'recover' }) as Decision;
  return found.facts.some(({ type }) => type === 'recovery.announced');
}

// Each arrow that leads to another phase, and what is decided to go it.
test.each([
  ['open compression.started compressing', 'compress'],
  ['open recovery.started recovering', 'recover'],
  ['open session.complete completed', 'pop'],
  ['compressing compression.ended open', 'settle'],
  ['compressing recovery.started recovering', 'recover'],
  ['compressing session.complete completed', 'pop'],
  ['compressing restore open', 'restore'],
  ['recovering recovery.ended open', 'confirm'],
  ['recovering session.complete completed', 'pop'],
  ['recovering restore open', 'restore'],
  ['completed restore open', 'restore'],
] as const)('the engine goes %s where the table leads, by %s', (arrow, command) => {
  const [phase, signal, to] = arrow.split(' ') as [Phase, SessionSignal, Phase];
  const input = inputFor(sessions[phase])[command]!;
  const goes = (): string => {
    const { facts, state } = decided(phase, input) as Decision;
    return `${state.phase}: ${JSON.stringify(facts)}`;
  };
  const before = goes();
  // A recovery outlives going back, so its phase begins again.
  expect(before).toMatch(
    arrow === 'recovering restore open' ? /^recovering/ : new RegExp(`^${to}`),
  );
  mutate('session', [phase, signal, to === 'completed' ? 'open' : 'completed']);
  expect(goes()).not.toBe(before);
});

// Each arrow of the frame machine that can be gone from there, and what is decided to go it.
test.each<readonly [arrow: string, id: string, Input]>([
  ['planned frame.start in_progress', 'f5', { type: 'push', identity }],
  ['planned frame.start in_progress', 'f5', { type: 'retry', frame: 'f1' }],
  ['planned frame.start in_progress', 'f3', { type: 'start', frame: 'f3' }],
  ['planned frame.invalidate invalidated', 'f3', { type: 'invalidate', frame: 'f3', reason: '' }],
  ['planned frame.invalidate invalidated', 'f3', pop('f0', 'completed')],
  ['in_progress frame.complete completed', 'f0', pop('f0', 'completed')],
  ['in_progress frame.fail failed', 'f0', pop('f0', 'failed')],
  ['blocked frame.start in_progress', 'f4', { type: 'start', frame: 'f4' }],
  ['blocked frame.fail failed', 'f4', pop('f4', 'failed')],
  ['blocked frame.invalidate invalidated', 'f4', pop('f0', 'failed')],
])('a frame goes %s where the table leads: %s', (arrow, id, input) => {
  const [from, event, to] = arrow.split(' ') as [FrameStatus, FrameEvent, FrameStatus];
  const statusAfter = (): FrameStatus =>
    frameOf((decided('open', input) as Decision).state.frames, id).status;
  expect(statusAfter()).toBe(to);
  const other = to === 'failed' ? 'completed' : 'failed';
  mutate('frame', [from, event, other]);
  expect(statusAfter()).toBe(other);
});
