import { stripVTControlCharacters } from 'node:util';
import type { Paper } from '../../paper/paper.ts';
import { cut, padEnd, widthOf } from '../../paper/width.ts';
import type { Question } from '../browsing.ts';
import { signsOf } from '../signs.ts';

/** What Enter does on a row. */
export type Deed =
  | { readonly type: 'read'; readonly title: string; readonly question: Question }
  /** Folds a part in or out. */
  | { readonly type: 'fold'; readonly part: string }
  /** Puts the playhead on a step, by its index, and shows what went there. */
  | { readonly type: 'loss'; readonly at: number }
  /** Puts the playhead where an entry came. */
  | { readonly type: 'entry'; readonly entry: string };

/** A row: painted, in the width that it was made for. */
export interface Row {
  readonly text: string;
  readonly deed?: Deed | undefined;
}

/** Rows that are made when they are shown: a log has many. */
export interface Rows {
  readonly length: number;
  row(at: number): Row;
}

/** What a pane shows: lines that stay, rows that are moved in, and the chosen one. */
export interface PaneView {
  readonly head: readonly string[];
  readonly rows: Rows;
  readonly at: number;
}

export const rowsOf = (rows: readonly Row[]): Rows => ({
  length: rows.length,
  row: (at) => rows[at] ?? { text: '' },
});

/** The chosen row as it can be: one that is there. */
export const clamped = (at: number, length: number): number =>
  Math.max(0, Math.min(at, length - 1));

/** The lines of a pane, as many as `height`; the chosen row is among them, and keys go to it where it has them. */
export function paneLines(
  { head, rows, at }: PaneView,
  options: { readonly height: number; readonly paper: Paper; readonly hasKeys: boolean },
): readonly string[] {
  const { height, paper, hasKeys } = options;
  const { paint, width } = paper;
  const signs = signsOf(paper);
  const kept = head.slice(0, Math.max(0, height - 1));
  const room = Math.max(0, height - kept.length);
  const chosen = clamped(at, rows.length);
  const first = Math.max(0, Math.min(chosen - (room >> 1), rows.length - room));
  const lines = Array.from({ length: Math.min(room, rows.length - first) }, (_, index) => {
    const { text } = rows.row(first + index);
    if (first + index !== chosen) return ` ${text}`;
    const line = signs.chosen + text;
    // A color within would turn around, too: the free part of a bar would be what is filled.
    return hasKeys ? paint(padEnd(stripVTControlCharacters(line), width), 'inverse') : line;
  });
  const allLines = [...kept.map((line) => ` ${line}`), ...lines];
  return [...allLines, ...Array.from({ length: height - allLines.length }, () => '')];
}

/** A text at the left and one at the right; the right one goes where there is no room for it. */
export function spread(left: string, right: string, { width, glyphs }: Paper): string {
  const room = width - widthOf(right) - 2;
  if (right === '' || room < Math.min(16, widthOf(left))) return cut(left, width, glyphs.more);
  return padEnd(cut(left, room, glyphs.more), room + 2) + right;
}
