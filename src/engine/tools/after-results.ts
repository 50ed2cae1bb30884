import type { UnansweredCall } from '../../core/state/state.ts';
import type { Session } from '../session/session.ts';

// A model calls several tools at once: it reads a file and enters a frame. If the frame were entered
// at once, the file would come into a frame that was set aside already, and nothing told of it:
//
//   read, frame_push ──► result of read ──► result of frame_push ──► the push itself
//
// So what moves between frames waits until all calls of its answer have results.

/** Commands that move between frames. */
const moving: ReadonlySet<string> = new Set([
  'frame_push',
  'frame_pop',
  'frame_start',
  'frame_invalidate',
  'frame_retry',
]);

/** What a model is told of a command that waits. */
export const waitsForResults = 'Taken: it is done once the other results of this answer are in.';

/** Whether a command has to wait for results of other calls of the active frame. */
export function mustWait(
  name: string,
  { active }: Session['state'],
  calls: readonly UnansweredCall[],
): boolean {
  if (!moving.has(name)) return false;
  const open = calls.filter(({ closed, frame }) => !closed && frame === active);
  const own = open.findIndex((call) => call.name.endsWith(name));
  return open.some((_, index) => index !== own);
}

const waiting = new WeakMap<Session, (() => Promise<unknown>)[]>();

/** Carries commands out, in their order, when the active frame has no call without a result any more. */
export function afterResults(
  session: Session,
  calls: () => readonly UnansweredCall[],
  command: () => Promise<unknown>,
): void {
  const known = waiting.get(session);
  if (known !== undefined) {
    known.push(command);
    return;
  }
  const commands = [command];
  waiting.set(session, commands);
  const frame = session.state.active;
  const off = session.on('*', ({ type }) => {
    if (type !== 'entry.appended' && type !== 'unit.closed') return;
    if (calls().some((call) => !call.closed && call.frame === frame)) return;
    off();
    waiting.delete(session);
    for (const one of commands) void one();
  });
}
