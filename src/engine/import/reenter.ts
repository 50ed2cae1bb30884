import type { FrameStatus } from '../../core/frames/frame.ts';
import type { Session } from '../session/session.ts';
import { isForgivable, refuse, type OpenedFrames, type Playable } from './import-step.ts';

// A frame whose end a file does not tell is blocked. When the file has grown, its first new step enters it again,
// and the blocked ones around it:
//
//   read first   push x  e1  pop blocked  e2
//   read later   push x  e1  e3  pop completed  e2      e1 and e2 are known; played: start x, e3, pop completed

/** A session, and the frames that a file opened in it. */
interface FileFrames {
  readonly session: Session;
  readonly opened: OpenedFrames;
  readonly statusOf: (frame: string) => Promise<FrameStatus>;
  /** Whether a step was played before. */
  readonly isAnswered: (step: Playable) => Promise<boolean>;
}

/** Enters the blocked frames that a new step is in; resolves with why it cannot be played there, null where it can. */
export async function reenter(
  step: Playable,
  { session, opened, statusOf, isAnswered }: FileFrames,
): Promise<string | null> {
  const frames = opened.open.filter((frame) => frame !== null);
  const statuses = await Promise.all(frames.map(statusOf));
  if (statuses.every((status) => status === 'in_progress') || (await isAnswered(step))) return null;
  try {
    for (const [at, frame] of frames.entries())
      if (statuses[at] === 'blocked') await session.frames.start(frame);
  } catch (error) {
    if (!isForgivable(error)) throw error;
    refuse(step, opened);
    return error.message;
  }
  const isOver = step.type === 'pop' && !['blocked', 'in_progress'].includes(statuses.at(-1)!);
  if (isOver) refuse(step, opened);
  return isOver ? 'the frame that it closes is closed' : null;
}
