import type { SessionSummary } from '../../../index.ts';
import { listedOf, listLines, type Listed } from '../../look/ls.ts';
import { cleanLine } from '../../paper/clean.ts';
import type { Paper } from '../../paper/paper.ts';
import { many, number } from '../../paper/size.ts';
import { cut } from '../../paper/width.ts';
import type { Browsing } from '../browsing.ts';
import { lastResult } from '../last-result.ts';
import { isMeant } from '../../sessions/session-filter.ts';
import { clamped, rowsOf, spread, type PaneView } from './rows.ts';

/** The sessions that hold the words of the filter, as `ls` has them. */
export const listedSessions = lastResult(
  (sessions: readonly SessionSummary[] | null, filter: string): readonly Listed[] => {
    const words = filter.split(/\s+/).filter((word) => word !== '');
    return listedOf(sessions ?? [], (one) => isMeant(one, { words }));
  },
);

const lines = lastResult(
  (listed: readonly Listed[], all: readonly SessionSummary[], paper: Paper): readonly string[] =>
    listLines(listed, all, { ...paper, width: paper.width - 1, longest: paper.width - 1 }),
);

/** The list of sessions, under what it is a list of. */
export function listPane({ list, paper, place }: Browsing): PaneView {
  const { sessions, filter } = list;
  const listed = listedSessions(sessions, filter);
  const all = sessions ?? [];
  const count =
    filter === '' ? number(all.length) : `${number(listed.length)} of ${number(all.length)}`;
  const inner = { ...paper, width: paper.width - 1 };
  const head = [
    paper.paint(spread(`Sessions of ${cleanLine(place)}`, count, inner), 'bold'),
    ...(filter === ''
      ? []
      : [cut(`with the words: ${cleanLine(filter)}`, inner.width, paper.glyphs.more)]),
  ];
  if (all.length === 0) {
    const make = 'Make one: flamestack import <your session file>';
    return { head, at: 0, rows: rowsOf([{ text: 'No session yet.' }, { text: make }]) };
  }
  if (listed.length === 0) {
    const none = `None of ${many(all.length, 'session')} has these words.`;
    return { head, at: 0, rows: rowsOf([{ text: none }]) };
  }
  const [titles = '', ...rows] = lines(listed, all, paper);
  return {
    head: [...head, paper.paint(titles, 'gray')],
    at: clamped(list.at, rows.length),
    rows: { length: rows.length, row: (at) => ({ text: rows[at] ?? '' }) },
  };
}
