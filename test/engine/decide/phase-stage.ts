import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';
import { newGoal } from '../../../src/core/frames/goal.ts';
import type { Phase, SessionSignal } from '../../../src/core/frames/lifecycle.ts';
import type { Message } from '../../../src/core/messages/message.ts';
import { byteBound } from '../../../src/core/messages/token-count.ts';
import { noTools } from '../../../src/core/messages/tool-spec.ts';
import type { Input } from '../../../src/core/state/input.ts';
import { isEngineError } from '../../../src/core/values/error.ts';
import { entryId, textId } from '../../../src/core/values/id.ts';
import { decide, type Decision } from '../../../src/engine/decide/decide.ts';
import { load, type LoadedSession } from '../../../src/engine/journal/load.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { newDisk } from '../disk.ts';

// A session in each phase, and each command decided there.

const goal = newGoal('Move the tokens');
export const identity = { title: 'Part', criteria: '', brief: '' };
const summarizer = { name: 'slow', summarize: () => new Promise<string>(() => {}) };

/** A root with a failed, a completed, a planned and a blocked child, an open call, a goal and a snapshot, in a phase; its documents are kept, and one is to be written. */
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
  const pending = [{ key: 'd1', text: textId(1), at: 0 }];
  const documents = { ...loaded.state.documents, isKept: true, pending };
  return { ...loaded, state: { ...loaded.state, documents } };
}

/** The phases of a session. */
export const phases: readonly Phase[] = ['open', 'compressing', 'recovering', 'completed'];
/** A session in each of them. */
export const sessions = Object.fromEntries(
  await Promise.all(phases.map(async (phase) => [phase, await sessionIn(phase)] as const)),
) as Record<Phase, LoadedSession>;

const entry = (message: Message): Input => ({
  type: 'append',
  entries: [{ message, tokens: 8, exact: true, hash: 'h' }],
});

/** Pops a frame and drops what is left of it. */
export const pop = (frame: string | null, status: 'completed' | 'failed' | 'blocked'): Input => {
  const left = { results: 'Done', brief: null, artifacts: [], decisions: [], drop: true };
  return { type: 'pop', frame, status, ...left };
};

/** What makes the engine decide each command; those that need work under way or a checkpoint are left out. */
export function inputFor({ state }: LoadedSession): Partial<Record<SessionSignal, Input>> {
  const host = { length: 1, hash: '', entries: state.entryCount, gone: [] };
  const [key = ''] = state.outbox.keys();
  return {
    append: entry({ role: 'user', content: 'Go on' }),
    answer: entry({ role: 'tool', toolCallId: 'c1', content: 'ok' }),
    recover: { type: 'recover' },
    confirm: { type: 'confirm', right: true, recap: '' },
    report: { type: 'report', sent: { assembly: 'a1' } },
    compare: { type: 'compare', compared: { relation: 'same', host, lost: [], numbers: {} } },
    uncovered: { type: 'uncovered', entries: [] },
    lose: { type: 'lose', to: entryId(state.entryCount + 2) },
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
    abandon: { type: 'abandon', key: key === '' ? 'd1' : key, reason: 'full' },
    redact: { type: 'redact', entry: entryId(1), before: 40, tokens: 8, stray: null },
    ...(key === ''
      ? {}
      : {
          settle: { type: 'settle', key, text: 'All was read.', by: 'slow' },
          fail: { type: 'fail', key, reason: 'busy' },
        }),
    documents: { type: 'documents', isKept: false },
    document: { type: 'document' },
    'document.settle': { type: 'document.settle', key: 'd1', file: 'day.md' },
    'document.fail': { type: 'document.fail', key: 'd1', reason: 'full' },
    page: { type: 'page', added: ['Use tabs'], removed: [], human: true, reason: '', kept: '' },
  };
}

/** What is decided in a phase, or the code of the refusal. */
export function decided(phase: Phase, input: Input): Decision | string {
  const { state, bodies } = sessions[phase];
  try {
    return decide(state, input, { count: byteBound, bodies, at: 0 });
  } catch (error) {
    if (isEngineError(error)) return error.code;
    throw error;
  }
}

/** Each command in each phase. */
export const cells = phases.flatMap((phase) =>
  Object.entries(inputFor(sessions[phase]))
    // A completed session has a recovery to confirm only where it was recovered from documents.
    .filter(([command]) => command !== 'confirm' || phase !== 'completed')
    .map(([command, input]) => ({ phase, command, input })),
);
