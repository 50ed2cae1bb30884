import { isEngineError, type ErrorCode } from '../../core/values/error.ts';
import type { GoalPatch } from '../../core/frames/goal.ts';
import type { Message } from '../../core/messages/message.ts';
import type { SessionOptions } from '../../engine/commands/configure.ts';
import type { Session } from '../../engine/session/session.ts';
import type { PopGiven } from '../../engine/commands/command.ts';

// What is done to a session in a torture or a random run, as plain values.
// Frames go by the names that moves gave them; a name nobody gave is a frame id.

/** One thing done to a session. */
export type Move = (
  | { readonly type: 'append'; readonly messages: readonly Message[] }
  | {
      readonly type: 'push';
      readonly title: string;
      readonly criteria?: string;
      readonly as?: string;
    }
  | {
      readonly type: 'plan';
      readonly title: string;
      readonly as?: string;
      readonly parent?: string;
    }
  | { readonly type: 'start'; readonly frame: string }
  | { readonly type: 'edit'; readonly frame: string; readonly title: string }
  | ({ readonly type: 'pop' } & PopGiven)
  | { readonly type: 'invalidate'; readonly frame: string; readonly reason: string }
  | { readonly type: 'retry'; readonly frame: string; readonly as?: string }
  | { readonly type: 'goal'; readonly description: string }
  | { readonly type: 'goal.update'; readonly patch: GoalPatch }
  | { readonly type: 'goal.status'; readonly status: 'pause' | 'resume' | 'complete' }
  /** The model answers an assembly, and the server says how much it counted: so many times our count. */
  | { readonly type: 'answer'; readonly content: string; readonly ratio: number }
  | { readonly type: 'compress' }
  | { readonly type: 'undo' | 'redo' }
  | { readonly type: 'snapshot' }
  /** Raise the checkpoint so many before the newest. */
  | { readonly type: 'raise'; readonly back: number }
  /** Go back to the snapshot so many before the last. */
  | { readonly type: 'restore'; readonly back: number; readonly keep?: boolean }
  /** Take the text of the entry so many before the last out. */
  | { readonly type: 'redact'; readonly back: number }
  | { readonly type: 'configure'; readonly options: SessionOptions }
  /** Close the session, read it from its journal, and go on, perhaps with other options. */
  | { readonly type: 'reopen'; readonly options?: SessionOptions }
  /** Assemble with these tools from now on. */
  | { readonly type: 'tools'; readonly tools: readonly unknown[] }
) & {
  /** The refusal that must follow; the session stays as it was. */
  readonly refused?: ErrorCode;
};

/** What is said, as a move. */
export const say = (...messages: readonly Message[]): Move => ({ type: 'append', messages });

/** Carries a move out, but for those that are about the session as a whole. */
export async function make(
  session: Session,
  move: Exclude<Move, { type: 'reopen' | 'tools' | 'answer' }>,
  names: Map<string, string>,
): Promise<void> {
  const frameOf = (name: string): string => names.get(name) ?? name;
  const called = async (made: Promise<{ id: string }>, name?: string): Promise<void> => {
    const { id } = await made;
    if (name !== undefined) names.set(name, id);
  };
  switch (move.type) {
    case 'append':
      await (move.messages.length === 1
        ? session.append(move.messages[0]!)
        : session.append(move.messages));
      return;
    case 'push': {
      const { type: _, as, refused: __, ...frame } = move;
      return called(session.push(frame), as);
    }
    case 'plan': {
      const { title, parent } = move;
      const frame = parent === undefined ? { title } : { title, parent: frameOf(parent) };
      return called(session.frames.plan(frame), move.as);
    }
    case 'start':
      return session.frames.start(frameOf(move.frame));
    case 'edit':
      return session.frames.edit(frameOf(move.frame), { title: move.title });
    case 'pop': {
      const { type: _, frame, refused: __, ...results } = move;
      return called(
        session.pop(frame === undefined ? results : { ...results, frame: frameOf(frame) }),
      );
    }
    case 'invalidate':
      return session.frames.invalidate(frameOf(move.frame), move.reason);
    case 'retry':
      return called(session.frames.retry(frameOf(move.frame)), move.as);
    case 'goal':
      return session.goal.set(move.description);
    case 'goal.update':
      return session.goal.update(move.patch);
    case 'goal.status':
      return session.goal[move.status]();
    case 'compress':
      return session.compress();
    case 'undo':
      return void (await session.undo());
    case 'redo':
      return void (await session.redo());
    case 'raise': {
      const { checkpoints } = session.state;
      return void (await session.raise(checkpoints.at(-1 - move.back)?.id ?? ''));
    }
    case 'snapshot':
      return void (await session.snapshots.create());
    case 'restore': {
      const list = session.snapshots.list();
      return void (await session.snapshots.restore(list.at(-1 - move.back)?.id ?? '', {
        keep: move.keep === true,
      }));
    }
    case 'redact':
      return void (await session.redact(`e${Math.max(1, session.state.entries - move.back)}`));
    case 'configure':
      return session.configure(move.options);
  }
}

/** The code of a refusal; what is no refusal of the engine is thrown on. */
export async function refusalOf(work: Promise<unknown>): Promise<ErrorCode | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (isEngineError(error)) return error.code;
    throw error;
  }
}
