import { isDecision } from '../text/decisions.ts';
import { sentences } from '../text/sentences.ts';
import type { Line } from '../lines/line.ts';
import { isReplyLine } from '../lines/replies.ts';
import { itemsOfList } from '../notes/note-lines.ts';
import { atOnce, mapInParts, type Part } from '../values/parts.ts';

/** What lines say of decisions, files, next steps and questions, each once. */
export interface LineLists {
  readonly decisions: readonly string[];
  /** Files that were changed, as the calls gave them. */
  readonly files: readonly string[];
  readonly next: readonly string[];
  readonly questions: readonly string[];
}

/** Most items of each list. */
export const mostListed = 24;

/** Work that is still ahead, in the words of whoever does it. */
const ahead =
  /^(?:next(?: steps?)?\b|to-?do\b|remaining\b|still (?:need|to)|left to do|not yet\b|pending\b|open\b|\[[ ~]\] )/i;

/** The lists that a checkpoint keeps beside its text, read from the lines of its entries; of each the newest items. */
export function listsOf(lines: readonly Line[], part: Part = atOnce): LineLists {
  const saying = lines.filter(({ kind, text }) => kind === 'said' && !isReplyLine(text));
  const statements = mapInParts(saying, part, ({ text }) => sentences(text)).flat();
  const listed = lines
    .filter(({ kind }) => kind === 'list')
    .flatMap(({ text }) => itemsOfList(text));
  const each = (texts: readonly string[]): readonly string[] =>
    [...new Set(texts)].slice(-mostListed);
  return {
    decisions: each(
      part(() => statements.filter((text) => isDecision(text) && !text.endsWith('?'))),
    ),
    files: each(lines.filter(isChanged).map(({ file }) => file)),
    next: each(
      [...statements, ...listed].filter((text) => ahead.test(text) && !text.endsWith('?')),
    ),
    questions: each(statements.filter((text) => text.endsWith('?'))),
  };
}

/** Whether a line tells of a file that was changed. */
const isChanged = ({ kind, file }: Line): boolean =>
  file !== '' && (kind === 'changed' || kind === 'said');
