import { giantLimit } from '../../core/budget/budget.ts';
import type { Count } from '../../core/messages/token-count.ts';
import type { Session } from '../session/session.ts';
import { framesIn } from './tool-status.ts';

/** The session whose log is read, what counts its tokens, and how long an answer may be. */
export interface RecallContext {
  readonly session: Session;
  readonly count: Count;
  /** Most tokens of an answer. */
  readonly room: number;
  /** Whether entries are told apart by their frames. */
  readonly hasFrames: boolean;
  readonly signal: AbortSignal | undefined;
}

/** What a recall reads with, as the window is now. */
export function recallContext(
  session: Session,
  options: Pick<RecallContext, 'count' | 'signal'> & { readonly answer: number | undefined },
): RecallContext {
  const { count, signal, answer: room = roomOf(session) } = options;
  return { count, signal, session, room, hasFrames: framesIn(session).length > 1 };
}

/** Longest answer in any window, in tokens. */
const mostRoom = 6_000;

/** Share of what system, tools and goal leave that an answer may always take, and of what is free now. */
const leastShare = 1 / 7;
const freeShare = 1 / 3;

/** How long an answer may be: a share of what is free, never so long that it would be shown shortened. */
function roomOf({ state }: Session): number {
  const { limit, system, tools, goal, total } = state.budget;
  const usable = (limit - system - tools - goal) * leastShare;
  const giant = giantLimit(limit, { system, tools, goal }) * 0.95;
  return Math.floor(Math.min(mostRoom, giant, Math.max(usable, (limit - total) * freeShare)));
}
