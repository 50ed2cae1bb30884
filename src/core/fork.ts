import type { Line, Logged } from './line.ts';

/** How a host took another way. */
export type ForkManner =
  /** A prompt was edited and sent again. */
  | 'edit'
  /** The answer to the last prompt was thrown away. */
  | 'retry'
  /** The last turns were taken back. */
  | 'rewind';

/** The ends of a log and of a list whose beginnings are the same. */
export interface Ends {
  /** What the list no longer has. */
  readonly left: readonly Logged[];
  /** What it has instead. */
  readonly fresh: readonly Line[];
  /** Messages before them that both have. */
  readonly common: number;
  /** Whether nobody said anything but what is left. */
  readonly isFirstTurn: boolean;
}

/** Which other way was taken; null where it is none, but a loss. */
export function forkOf({ left, fresh, common, isFirstTurn }: Ends): ForkManner | null {
  const [first] = left;
  const [next] = fresh;
  if (first === undefined || isInserted(first)) return null;
  if (common === 0) {
    const isEdited = isFirstTurn && first.human && next?.human === true && isLike(next, first);
    return isEdited ? 'edit' : null;
  }
  const isOneTurn = !left.some(({ human }) => human);
  if (isOneTurn && first.role === 'assistant' && (next?.role ?? 'assistant') === 'assistant')
    return 'retry';
  if (next === undefined) return 'rewind';
  return next.human && first.human ? 'edit' : null;
}

/** Whether a host may have put it elsewhere than it stands in the log, as it does with its summaries. */
function isInserted({ role, human }: Line): boolean {
  return role === 'user' && !human;
}

/** Characters by which the wording of a first prompt is told from another prompt. */
const telling = 8;

function isLike({ head }: Line, other: Line): boolean {
  return head.slice(0, telling) === other.head.slice(0, telling);
}
