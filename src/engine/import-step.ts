import { isEngineError } from '../core/error.ts';
import { frameId } from '../core/id.ts';
import type { Step } from '../import/step.ts';
import type { Session } from './session.ts';

/** A step of a file that changes a session. */
export type Playable = Exclude<Step, { type: 'session' | 'skip' }>;

/** The frames that a file opened, as far as the session took them. */
export interface Opened {
  /** Ids of the planned ones, by the names that the file has for them. */
  readonly plans: Map<string, string>;
  /** Those that are open, outermost first; null for one that the session refused. */
  readonly open: (string | null)[];
}

/** What is wrong with a single step of a file and need not end its import. */
const forgivable: ReadonlySet<string> = new Set([
  'FRAME_CHILDREN_LEFT',
  'FRAME_CLOSED',
  'FRAME_NOT_FOUND',
  'FRAME_STATUS',
  'FRAME_TITLE_TOO_LONG',
  'GOAL_TOO_LARGE',
  'MESSAGE_INVALID',
  'SESSION_COMPLETED',
]);

/** A title of this many characters is within its tokens in any script but a few. */
const shortTitle = 15;

/** Takes one step of a file into the session; gives the reason why one was refused, which leaves the others in their frames. */
export async function play(
  session: Session,
  step: Playable,
  opened: Opened,
): Promise<string | null> {
  const { open } = opened;
  const leaves = step.type === 'pop' || (step.type === 'invalidate' && step.name === undefined);
  if (leaves && open.at(-1) === null) {
    open.pop();
    return 'the frame that it closes was not opened';
  }
  try {
    await take(session, step, opened);
    return null;
  } catch (error) {
    if (!isEngineError(error) || !forgivable.has(error.code)) throw error;
    if (step.type === 'push' || step.type === 'start') open.push(null);
    return error.message;
  }
}

async function take(session: Session, step: Playable, { plans, open }: Opened): Promise<void> {
  const key = { key: `import ${step.key}` };
  switch (step.type) {
    case 'append':
      await session.append(step.message, {
        ...key,
        ...(step.at === undefined ? {} : { at: step.at }),
      });
      return;
    case 'push':
      open.push((await titled(step, (given) => session.push(given, key))).id);
      return;
    case 'plan':
      plans.set(step.name, (await titled(step, (given) => session.frames.plan(given, key))).id);
      return;
    case 'start': {
      const frame = plans.get(step.name) ?? step.name;
      await session.frames.start(frame, key);
      open.push(frame);
      return;
    }
    case 'pop':
      await session.pop(step, key);
      open.pop();
      return;
    case 'invalidate': {
      const frame =
        step.name === undefined ? (open.at(-1) ?? frameId(0)) : (plans.get(step.name) ?? step.name);
      await session.frames.invalidate(frame, step.reason, key);
      if (open.includes(frame)) open.splice(open.indexOf(frame));
      return;
    }
    case 'goal':
      await session.goal.set(step.description, key);
  }
}

/** Makes a frame, under the beginning of its title where that is too long. */
async function titled<S extends { readonly title: string }>(
  step: S,
  make: (given: S) => Promise<{ id: string }>,
): Promise<{ id: string }> {
  return make(step).catch((error: unknown) => {
    if (!isEngineError(error, 'FRAME_TITLE_TOO_LONG')) throw error;
    return make({
      ...step,
      title: Array.from(step.title.trim()).slice(0, shortTitle).join('').trimEnd(),
    });
  });
}
