import { sanitizeLine } from '../text/sanitize.ts';
import type { ToolCall } from '../messages/message.ts';
import { clip, leftOutCode, unfenced } from '../text/sentences.ts';

// What a host's own structure says better than any prose around it: todo lists, plans,
// what a person chose, messages of commits, reports of sub-agents, summaries of its own compactions.

/** What kind of structure a note was read from. */
export type HostNoteKind =
  | 'todo'
  | 'plan'
  | 'choice'
  | 'commit'
  | 'pull request'
  | 'step'
  | 'report'
  | 'summary';

/** One thing that a host's structure says, in the words of the log. */
export interface HostNote {
  readonly kind: HostNoteKind;
  /**
   * Lines in order, none empty, without control characters; a todo item begins
   * with `[ ]`, `[~]` or `[x]`. A todo list without lines was emptied.
   */
  readonly lines: readonly string[];
  /** The call whose result says it; only where what it says stands in that. */
  readonly call?: ToolCall;
  /** Of todo items: they change single items of the list that stood, `[-]` takes one away; else they are the list. */
  readonly changes?: true;
}

/** Most lines of a note. */
const mostLines = 240;
/** Longest line of a note, in UTF-16 units. */
const longestLine = 400;

/** A text as one line of a note, without what could be taken for a goal marker; '' where nothing is left. */
export function noteLine(text: string): string {
  return clip(sanitizeLine(text.slice(0, 10 * longestLine)), longestLine);
}

const marks = /^\s*(?:#{1,6}|[-*+•])\s+/;

/** The lines of a text that say something, without fenced code and the marks of heads and lists. */
export const noteLines = (text: string): readonly string[] =>
  unfenced(text, 'code')
    .map((line) => noteLine(line.slice(0, 10 * longestLine).replace(marks, '')))
    .filter(isSaid)
    .slice(0, mostLines);

/** The lines of a text that say something; heads and lists keep their marks and their indentation, rules stand, and a mark of fenced code. */
export function markedLines(text: string): readonly string[] {
  const lines = unfenced(text, 'code', () => leftOutCode).flatMap((line) => {
    if (line === leftOutCode) return line.split('\n');
    const indent = ' '.repeat(Math.min(line.search(/\S|$/), 12));
    const marked = noteLine(line.slice(0, 10 * longestLine));
    return isSaid(marked) || rule.test(marked) ? [indent + marked] : [];
  });
  return lines.some(isSaid) ? lines.slice(0, mostLines) : [];
}

const isSaid = (line: string): boolean => /[\p{L}\p{N}]/u.test(line);

/** A line between parts of a text. */
const rule = /^(?:-{3,}|\*{3,}|_{3,})$/;
