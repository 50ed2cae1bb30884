import type { Line, Logged } from './line.ts';

/** How a host took another way. */
export type ForkManner =
  /** A prompt was edited and sent again. */
  | 'edit'
  /** An answer was thrown away, and what came after it. */
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
    if (!first.human || next?.human !== true) return null;
    return isReworded(next, first) || (isFirstTurn && isLike(next, first)) ? 'edit' : null;
  }
  const isAnswer = first.role === 'assistant';
  if (next === undefined) return isAnswer && !left.some(({ human }) => human) ? 'retry' : 'rewind';
  if (isAnswer && next.role === 'assistant') return 'retry';
  return next.human && first.human ? 'edit' : null;
}

/** Whether a host may have put it elsewhere than it stands in the log, as it does with its summaries. */
function isInserted({ role, human }: Line): boolean {
  return role === 'user' && !human;
}

/** Characters by which the wording of the only prompt is told from another prompt. */
const telling = 8;

function isLike({ head }: Line, other: Line): boolean {
  return head.slice(0, telling) === other.head.slice(0, telling);
}

/**
 * Whether a prompt that stands alone is another wording of the one that a conversation began with:
 * it keeps more than two thirds of its words in order, or begins with all of them, and every word
 * with a digit. Anything else is a new conversation, as "step 7" is after "step 1".
 */
function isReworded(next: Line, first: Line): boolean {
  const [old, words] = [wordsOf(first.head), wordsOf(next.head)];
  const kept = keptOf(old, words);
  const isNumbered = (word: string): boolean => /\d/.test(word);
  if (old.filter(isNumbered).length !== kept.filter(isNumbered).length) return false;
  if (old.every((word, at) => words[at] === word)) return old.length > 0;
  return kept.length * 3 > old.length * 2;
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The most words of a text that another one has in the same order. */
function keptOf(old: readonly string[], words: readonly string[]): readonly string[] {
  let rows: (readonly string[])[] = Array.from({ length: words.length + 1 }, () => []);
  for (const word of old) {
    const next: (readonly string[])[] = [[]];
    words.forEach((other, at) => {
      const [skipped, before] = [rows[at + 1]!, next[at]!];
      const longer = skipped.length > before.length ? skipped : before;
      next.push(other === word ? [...rows[at]!, word] : longer);
    });
    rows = next;
  }
  return rows.at(-1)!;
}
