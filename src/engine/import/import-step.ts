import { isEngineError, type EngineError } from '../../core/values/error.ts';
import { frameId } from '../../core/values/id.ts';
import type { Step } from '../../import/source/step.ts';
import type { FrameGiven } from '../commands/command.ts';
import type { Session } from '../session/session.ts';

/** A step of a file that changes a session. */
export type Playable = Exclude<Step, { type: 'session' | 'skip' }>;

/** The frames that a file made and the session has. */
export interface OpenedFrames {
  /** Their ids, by the names that the file has for them. */
  readonly names: Map<string, string>;
  /** Those that are open, outermost first; null for one that the session refused. */
  readonly open: (string | null)[];
  /** The first and the last of the entries to leave before the next step that is not among them; null for none. */
  leaving: readonly [first: string, last: string] | null;
}

/** Errors of a single step that need not end the import. */
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

/** Whether an error is of a single step, and the import goes on without it. */
export const isForgivable = (error: unknown): error is EngineError =>
  isEngineError(error) && forgivable.has(error.code);

/** So many characters of a title are within its tokens in all but a few scripts. */
const shortTitle = 15;

const keyOf = ({ key }: Playable): string => `import ${key}`;

/** Whether a step adds an entry. */
export function isSaid<S extends { readonly type: string }>(
  step: S,
): step is Extract<S, { readonly type: 'append' | 'left' }> {
  return step.type === 'append' || step.type === 'left';
}

/** The key of the command that takes a step. */
export function commandKey(step: Playable): string {
  return `${step.type === 'left' ? 'append' : step.type} ${keyOf(step)}`;
}

/** What became of a step. */
interface Played {
  /** Why it was refused; null where it was taken. */
  readonly refused: string | null;
  /** The entry that it came to, now or when it was taken before; left out where it adds none. */
  readonly entry?: string;
}

/** Plays a step into a session; where it is refused, other steps stay in their frames. */
export async function play(
  session: Session,
  step: Playable,
  opened: OpenedFrames,
): Promise<Played> {
  const { open } = opened;
  const leaves =
    (step.type === 'pop' && step.name === undefined) ||
    (step.type === 'invalidate' && step.name === undefined);
  if (leaves && open.at(-1) === null) {
    open.pop();
    return { refused: 'the frame that it closes was not opened' };
  }
  try {
    const entry = await take(session, step, opened);
    return { refused: null, ...(entry !== undefined && { entry }) };
  } catch (error) {
    if (!isForgivable(error)) throw error;
    if (enters(step)) open.push(null);
    return { refused: error.message };
  }
}

const enters = ({ type }: Playable): boolean => ['push', 'start', 'retry'].includes(type);

/** Leaves out a step that has no place in the session: the frame that it opens, or the end of the one that it closes. */
export function refuse(step: Playable, { open }: OpenedFrames): void {
  if (enters(step)) open.push(null);
  if (step.type === 'pop' && step.name === undefined) open.pop();
}

/** Takes a step; resolves with the entry that it came to, where it adds one. */
async function take(
  session: Session,
  step: Playable,
  opened: OpenedFrames,
): Promise<string | undefined> {
  const { names, open } = opened;
  const key = { key: keyOf(step) };
  const idOf = (name: string): string => names.get(name) ?? name;
  switch (step.type) {
    case 'append':
    case 'left': {
      const at = step.at === undefined ? {} : { at: step.at };
      const { id } = await session.append(step.message, { ...key, ...at });
      if (step.type === 'left') opened.leaving = [opened.leaving?.[0] ?? id, id];
      return id;
    }
    case 'push':
    case 'retry': {
      const { id } =
        step.type === 'retry'
          ? await session.frames.retry(idOf(step.of), key)
          : await titled(step, (frame) => session.push(frame, key));
      open.push(id);
      if (step.name !== undefined) names.set(step.name, id);
      return undefined;
    }
    case 'plan': {
      const { parent } = step;
      const at = parent === undefined ? {} : { parent: idOf(parent) };
      const planned = titled(step, (frame) => session.frames.plan({ ...frame, ...at }, key));
      names.set(step.name, (await planned).id);
      return undefined;
    }
    case 'edit': {
      const { title, criteria, brief = '' } = step;
      await session.frames.edit(idOf(step.name), { title, criteria, brief }, key);
      return undefined;
    }
    case 'start': {
      const frame = idOf(step.name);
      await session.frames.start(frame, key);
      open.push(frame);
      return undefined;
    }
    case 'pop': {
      const { type: _, name, key: __, at: ___, line: ____, ...left } = step;
      await session.pop({ ...left, ...(name === undefined ? {} : { frame: idOf(name) }) }, key);
      if (name === undefined) open.pop();
      return undefined;
    }
    case 'invalidate': {
      const frame = step.name === undefined ? (open.at(-1) ?? frameId(0)) : idOf(step.name);
      await session.frames.invalidate(frame, step.reason, key);
      if (open.includes(frame)) open.splice(open.indexOf(frame));
      return undefined;
    }
    case 'goal':
      await session.goal.set(step.goal ?? step.description, key);
      return undefined;
  }
}

/** Makes a frame, with a shortened title where its own is too long. */
async function titled(
  { title, criteria, brief }: Extract<Step, { type: 'push' | 'plan' }>,
  make: (frame: FrameGiven) => Promise<{ id: string }>,
): Promise<{ id: string }> {
  const frame = { title, criteria, ...(brief === undefined ? {} : { brief }) };
  return make(frame).catch((error: unknown) => {
    if (!isEngineError(error, 'FRAME_TITLE_TOO_LONG')) throw error;
    const short = Array.from(title.trim()).slice(0, shortTitle).join('').trimEnd();
    return make({ ...frame, title: short });
  });
}
