import { commonSubsequence } from './common-subsequence.ts';
import { isInserted, type ComparableEntry, type ComparableMessage } from './comparable-message.ts';

/** How a host took another branch. */
export type ForkManner =
  /** A prompt was edited and sent again. */
  | 'edit'
  /** An answer was thrown away, and what came after it. */
  | 'retry'
  /** The last turns were taken back. */
  | 'rewind';

/** The ends of a log and of a list that begin alike. */
export interface Divergence {
  /** Entries that the list no longer has. */
  readonly left: readonly ComparableEntry[];
  /** Messages that it has instead. */
  readonly fresh: readonly ComparableMessage[];
  /** Messages before them that both have. */
  readonly common: number;
  /** Whether the log has one prompt only. */
  readonly isFirstTurn: boolean;
}

/** How another branch was taken; null where it is a loss instead. */
export function detectFork({ left, fresh, common, isFirstTurn }: Divergence): ForkManner | null {
  const first = left.find((entry) => !isInserted(entry));
  const [next] = fresh;
  if (first === undefined) return null;
  if (common === 0) {
    if (!first.human || next?.human !== true) return null;
    return isReworded(next, first) || (isFirstTurn && isLike(next, first)) ? 'edit' : null;
  }
  const isAnswer = first.role === 'assistant';
  if (next === undefined) return isAnswer && !left.some(({ human }) => human) ? 'retry' : 'rewind';
  if (isAnswer && next.role === 'assistant') return 'retry';
  return next.human && first.human ? 'edit' : null;
}

/** Length of the beginning that another wording of the only prompt shares, in UTF-16 units. */
const beginning = 8;

function isLike({ head }: ComparableMessage, other: ComparableMessage): boolean {
  return head.slice(0, beginning) === other.head.slice(0, beginning);
}

/**
 * Whether a prompt that stands alone is another wording of the one that a conversation began with:
 * it keeps more than two thirds of its words in order, and every word with a digit. Anything else is a new conversation, as "step 7" is after "step 1".
 */
function isReworded(next: ComparableMessage, first: ComparableMessage): boolean {
  const [old, words] = [wordsOf(first.head), wordsOf(next.head)];
  const kept = commonSubsequence(old, words).map(([at]) => old[at]!);
  const isNumbered = (word: string): boolean => /\d/.test(word);
  if (old.filter(isNumbered).length !== kept.filter(isNumbered).length) return false;
  return kept.length * 3 > old.length * 2;
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
