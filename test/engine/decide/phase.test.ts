import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { frameTable, sessionTable } from '../../../machines/index.ts';
import type { FrameEvent, FrameStatus } from '../../../src/core/frames/frame.ts';
import { newGoal } from '../../../src/core/frames/goal.ts';
import type { Input } from '../../../src/core/state/input.ts';
import type { Phase, SessionSignal } from '../../../src/core/frames/lifecycle.ts';
import type { Message } from '../../../src/core/messages/message.ts';
import { noTools } from '../../../src/core/messages/tool-spec.ts';
import { entryId } from '../../../src/core/values/id.ts';
import { isEngineError } from '../../../src/core/values/error.ts';
import { byteBound } from '../../../src/core/messages/token-count.ts';
import { frameOf } from '../../../src/core/frames/tree.ts';
import { decide, type Decision } from '../../../src/engine/decide/decide.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { load, type LoadedSession } from '../../../src/engine/journal/load.ts';
import { updateGoal } from '../../../src/engine/tools/tool-goal.ts';
import type { Session } from '../../../src/engine/session/session.ts';
import { newDisk } from '../disk.ts';

// The tables are the machines (test/machines). Here they decide: each command is
// decided in each phase, and one cell changed changes what the engine does.

const goal = newGoal('Move the tokens');
const identity = { title: 'Part', criteria: '', brief: '' };
const summarizer = { name: 'slow', summarize: () => new Promise<string>(() => {}) };

/** A root with a failed, a completed, a planned and a blocked child, an open call, a goal and a snapshot, in a phase. */
async function sessionIn(phase: Phase): Promise<LoadedSession> {
  const records = (await newDisk()).mount();
  const store = await openOver(records);
  const options = { window: 2_000, recovery: 'confirm', compression: 'manual' } as const;
  const session = await store.open('s', { ...options, summarizer });
  for (const status of ['failed', 'completed'] as const) {
    await session.push(identity);
    await session.pop({ status, results: 'Done' });
  }
  await session.frames.plan(identity);
  await session.push(identity);
  await session.pop({ status: 'blocked', results: 'Waits' });
  await session.goal.set(goal);
  await session.snapshots.create();
  for (let n = 0; n < 4; n += 1)
    await session.append({ role: 'assistant', content: `Read src/part-${n}.ts. `.repeat(20) });
  const toolCalls = [{ id: 'c1', name: 'read', arguments: {} }];
  await session.append({ role: 'assistant', content: '', toolCalls });
  if (phase === 'compressing') void session.compress();
  if (phase === 'recovering') await session.recover();
  if (phase === 'completed')
    await session.pop({ status: 'completed', results: 'All done', drop: true });
  const live = await store.live('s');
  while (live.state.phase !== phase) await nextTurn();
  await live.written;
  const loaded = (await load(records, 's'))!;
  expect(loaded.state.phase).toBe(phase);
  return loaded;
}

const phases: readonly Phase[] = ['open', 'compressing', 'recovering', 'completed'];
const sessions = Object.fromEntries(
  await Promise.all(phases.map(async (phase) => [phase, await sessionIn(phase)] as const)),
) as Record<Phase, LoadedSession>;

const entry = (message: Message): Input => ({
  type: 'append',
  entries: [{ message, tokens: 8, exact: true, hash: 'h' }],
});

const pop = (frame: string | null, status: 'completed' | 'failed' | 'blocked'): Input => {
  const left = { results: 'Done', brief: null, artifacts: [], decisions: [], drop: true };
  return { type: 'pop', frame, status, ...left };
};

/** What makes the engine decide each command; those that need work under way or a checkpoint are left out. */
function inputFor({ state }: LoadedSession): Partial<Record<SessionSignal, Input>> {
  const host = { length: 1, hash: '', entries: state.entries, gone: [] };
  const [key = ''] = state.outbox.keys();
  return {
    append: entry({ role: 'user', content: 'Go on' }),
    answer: entry({ role: 'tool', toolCallId: 'c1', content: 'ok' }),
    recover: { type: 'recover' },
    confirm: { type: 'confirm', right: true, recap: '' },
    report: { type: 'report', sent: { assembly: 'a1' } },
    compare: { type: 'compare', compared: { relation: 'same', host, lost: [], numbers: {} } },
    uncovered: { type: 'uncovered', entries: [] },
    lose: { type: 'lose', to: entryId(state.entries + 2) },
    push: { type: 'push', identity },
    plan: { type: 'plan', identity, parent: null },
    start: { type: 'start', frame: 'f3' },
    edit: { type: 'edit', frame: 'f3', identity: { title: 'Other' } },
    pop: pop(null, 'completed'),
    invalidate: { type: 'invalidate', frame: 'f3', reason: '' },
    retry: { type: 'retry', frame: 'f1' },
    goal: { type: 'goal', goal },
    'goal.update': { type: 'goal.update', patch: { next: ['Tests'] } },
    'goal.status': { type: 'goal.status', status: 'paused' },
    compress: { type: 'compress', focus: '' },
    snapshot: { type: 'snapshot', title: '' },
    'snapshot.delete': { type: 'snapshot.delete', snapshot: 's1' },
    restore: {
      type: 'restore',
      cause: 'restore',
      snapshot: 's1',
      past: { state: sessions.open.state, since: [] },
    },
    configure: { type: 'configure', options: state.options, system: 0 },
    count: { type: 'count', counts: [] },
    fit: { type: 'fit', tools: noTools },
    ...(key === '' ? {} : { settle: { type: 'settle', key, text: 'All was read.', by: 'slow' } }),
    documents: { type: 'documents', isKept: true },
  };
}

function decided(phase: Phase, input: Input): Decision | string {
  const { state, bodies } = sessions[phase];
  try {
    return decide(state, input, { count: byteBound, bodies, at: 0 });
  } catch (error) {
    if (isEngineError(error)) return error.code;
    throw error;
  }
}

const cells = phases.flatMap((phase) =>
  Object.entries(inputFor(sessions[phase]))
    // A completed session has a recovery to confirm only where it was recovered from documents.
    .filter(([command]) => command !== 'confirm' || phase !== 'completed')
    .map(([command, input]) => ({ phase, command, input })),
);

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
