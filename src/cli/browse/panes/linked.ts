import { clean } from '../../paper/clean.ts';
import type { Paper } from '../../paper/paper.ts';
import { wrap } from '../../paper/width.ts';
import type { Deed, Row } from './rows.ts';

/** Ids of entries, ranges of them, and ids of frames and checkpoints. */
const ids = /\b(?:e\d+(?:\s?[-–]\s?e\d+)?|[cf]\d+)\b/g;

/** Most ids of a line that are followed at once. */
const mostIds = 20;

/** What Enter does on a text: reads the entries that it names; undefined where it names none. */
export function readingOf(text: string): Deed | undefined {
  const refs = [...new Set([...text.matchAll(ids)].map(([id]) => id.replace(/\s?[-–]\s?/, '-')))];
  if (refs.length === 0) return undefined;
  const title = refs.length > 3 ? `${refs.slice(0, 3).join(', ')}, …` : refs.join(', ');
  return { type: 'read', title, question: { of: 'entries', refs: refs.slice(0, mostIds) } };
}

/** A line of text of anybody as rows, broken at words, each with an indent; Enter does the same on all of them. */
export function textRows(
  text: string,
  paper: Paper,
  { indent = 0, deed }: { readonly indent?: number; readonly deed?: Deed | undefined } = {},
): readonly Row[] {
  const lead = ' '.repeat(indent);
  return wrap(clean(text).replaceAll('\t', '  '), paper.width - indent).map((line) => ({
    text: lead + line,
    deed,
  }));
}
