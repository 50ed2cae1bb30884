import { cleanLine } from '../paper/clean.ts';
import type { Paper } from '../paper/paper.ts';
import { many, number } from '../paper/size.ts';
import { cut, padEnd, widthOf } from '../paper/width.ts';
import { titleText } from '../sessions/words/title-text.ts';
import { bar, legend, meter, type Spent } from '../render/bar.ts';
import { parts, type Step } from '../../viewer/page/session/model/wire.ts';
import {
  compressionsAt,
  isWide,
  panes,
  stepAt,
  type Browsing,
  type OpenSession,
  type Overlay,
  type Pane,
} from './browsing.ts';
import { framesPane } from './panes/frames-pane.ts';
import { helpPane } from './panes/help-pane.ts';
import { logPane } from './panes/log-pane.ts';
import { lossPane } from './panes/loss-pane.ts';
import { pagePane } from './panes/page-pane.ts';
import { promptPane } from './panes/prompt-pane.ts';
import { readingPane } from './panes/reading-pane.ts';
import { paneLines, spread, type PaneView } from './panes/rows.ts';
import { listPane } from './panes/session-list.ts';
import { lastResult } from './last-result.ts';
import { signsOf } from './signs.ts';
import { timelineLines } from './timeline.ts';

/** The whole screen, as many lines as it has rows, none wider than it is. */
export function frameOf(browsing: Browsing): readonly string[] {
  const { rows, paper } = browsing;
  const top = browsing.open === null ? [] : topLines(browsing, browsing.open);
  const height = Math.max(1, rows - top.length - 1);
  const lines = [...top, ...bodyLines(browsing, height), bottomLine(browsing)];
  // Where it is too small for all of it, the keys stay.
  const fitting = lines.length > rows ? [...lines.slice(0, rows - 1), lines.at(-1)!] : lines;
  return fitting.map((line) => (widthOf(line) > paper.width ? cut(line, paper.width) : line));
}

/** What the keys are about: the topmost overlay, the list, or the pane of a session. */
export function viewOf(browsing: Browsing): PaneView {
  const { over, open } = browsing;
  const top = over.at(-1);
  if (top !== undefined) return overlayView(top, browsing);
  if (open === null) return listPane(browsing);
  return paneView(open, open.pane, paperFor(browsing, open.pane));
}

/** Rows of the pane that the keys are about, as many as are seen at once. */
export const pageOf = (browsing: Browsing): number => {
  const top = browsing.open === null ? 0 : topHeight(browsing);
  return Math.max(1, browsing.rows - top - 3);
};

function overlayView(top: Overlay, { open, paper }: Browsing): PaneView {
  if (top.type === 'help') return helpPane(top.at, paper);
  return top.type === 'page' ? pagePane(top, paper) : readingPane(top, open, paper);
}

const views: Readonly<Record<Pane, (open: OpenSession, paper: Paper) => PaneView>> = {
  prompt: promptPane,
  log: logPane,
  frames: framesPane,
  lost: lossPane,
};

const paneView = (open: OpenSession, pane: Pane, paper: Paper): PaneView =>
  views[pane](open, paper);

/** Cells of the log where a pane stands beside it. */
const logWidth = (columns: number): number => Math.floor(columns * 0.5);

const narrowed = (paper: Paper, width: number): Paper => ({ ...paper, width, longest: width });
const logPaper = lastResult(narrowed);
const besidePaper = lastResult(narrowed);

function paperFor({ columns, paper }: Browsing, pane: Pane): Paper {
  if (!isWide({ columns })) return paper;
  const leftWidth = logWidth(paper.width);
  return pane === 'log'
    ? logPaper(paper, leftWidth)
    : besidePaper(paper, paper.width - leftWidth - 1);
}

/** Lines of the chart, which grow with the screen. */
function chartHeight(rows: number): number {
  if (rows < 18) return 1;
  if (rows < 28) return 2;
  return rows < 36 ? 3 : 4;
}

/** Whether bar and legend have room, too. */
const hasBar = (rows: number): boolean => rows >= 30;

/** Title, chart, axis, meter, names of the panes. */
const topHeight = ({ rows }: Browsing): number => chartHeight(rows) + 4 + (hasBar(rows) ? 2 : 0);

function topLines(browsing: Browsing, open: OpenSession): readonly string[] {
  const { paper, rows } = browsing;
  const step = stepAt(open);
  const spent = step === null ? null : spentIn(step);
  const compressionCount = open.history.compressions.length;
  const passed =
    compressionCount === 0
      ? 'no compression'
      : `${number(compressionsAt(open))} of ${many(compressionCount, 'compression')}`;
  const sized = spent === null || !hasBar(rows) ? [] : [bar(spent, paper), legend(spent, paper)];
  return [
    titleLine(open, paper),
    ...timelineLines(open, chartHeight(rows), paper),
    spent === null ? '' : meter(spent, paper, [passed]),
    ...(sized.length === 0 && hasBar(rows) ? ['', ''] : sized),
    tabsLine(browsing, open),
  ];
}

/** Whose session, and where the playhead stands. */
function titleLine(open: OpenSession, paper: Paper): string {
  const { head, id, history, count, at, follows, trouble, isRead } = open;
  const title = titleText(head?.title ?? id) || id;
  const step = stepAt(open);
  const { dot } = paper.glyphs;
  const turns = history.steps.at(-1)?.turn ?? 0;
  const place = step === null ? '' : `turn ${number(step.turn)} of ${number(turns)}`;
  const steps = `step ${number(at + 1)} of ${number(count)}`;
  const state = trouble !== '' ? 'cut off' : !isRead ? 'reading' : follows ? 'following' : '';
  const words = [place, steps, state].filter((word) => word !== '');
  const right = [words, [place, state].filter((word) => word !== '')]
    .map((some) => some.join(` ${dot} `))
    .find((text) => widthOf(text) <= paper.width / 2);
  return paper.paint(spread(title, right ?? place, paper), 'bold');
}

/** What the bar and its meter tell of a step. */
function spentIn({ sizes, limit, due }: Step): Spent {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const of = Object.fromEntries(parts.map((name, index) => [name, sizes[index] ?? 0])) as Record<
    (typeof parts)[number],
    number
  >;
  return { ...of, total, limit, threshold: due - total + of.human + of.working };
}

/** The names of the panes; the one that has the keys in brackets. */
function tabsLine({ paper, columns }: Browsing, open: OpenSession): string {
  const name = (pane: Pane): string => {
    const text = `${panes.indexOf(pane) + 1} ${pane}`;
    if (pane === open.pane) return paper.paint(`[${text}]`, 'bold');
    const isShown = isWide({ columns }) && (pane === 'log' || pane === open.beside);
    return paper.paint(` ${text} `, isShown ? 'bold' : 'gray');
  };
  if (!isWide({ columns })) return ` ${panes.map(name).join('')}`;
  const leftWidth = logWidth(paper.width);
  const right = panes.filter((pane) => pane !== 'log').map(name);
  return `${padEnd(` ${name('log')}`, leftWidth + 1)}${right.join('')}`;
}

function bodyLines(browsing: Browsing, height: number): readonly string[] {
  const { open, paper, over } = browsing;
  const top = over.at(-1);
  if (top !== undefined || open === null)
    return paneLines(viewOf(browsing), { height, paper, hasKeys: true });
  const linesOf = (pane: Pane): readonly string[] => {
    const paper = paperFor(browsing, pane);
    return paneLines(paneView(open, pane, paper), { height, paper, hasKeys: pane === open.pane });
  };
  if (!isWide(browsing)) return linesOf(open.pane);
  const right = linesOf(open.beside);
  const { divider } = signsOf(paper);
  const leftWidth = paperFor(browsing, 'log').width;
  // The right pane begins where it does, however wide a terminal draws the left one.
  const column = `\x1b[${leftWidth + 1}G${paper.paint(divider, 'gray')}`;
  return linesOf('log').map((line, index) => `${padEnd(line, leftWidth)}${column}${right[index]!}`);
}

/** The line that is typed, what there is to say, or the keys that matter here. */
function bottomLine(browsing: Browsing): string {
  const { line, notice, open, paper } = browsing;
  const { glyphs, paint, width } = paper;
  if (line !== null) {
    const asks = { filter: 'Filter', search: 'Search', moment: 'Go to turn, e52 or seq:120' }[
      line.for
    ];
    const text = `${asks}: ${cleanLine(line.text)}${line.text.endsWith(' ') ? ' ' : ''}`;
    const room = width - 1;
    const visibleText = widthOf(text) > room ? cut(text, room, glyphs.more) : text;
    return `${visibleText}${paint('_', 'bold')}`;
  }
  if (notice !== '') return paint(cut(cleanLine(notice), width, glyphs.more), 'bold');
  if (open !== null && open.trouble !== '')
    return paint(cut(cleanLine(open.trouble), width, glyphs.more), 'red');
  return paint(hintsIn(browsing), 'gray');
}

/** The keys that matter, the most needed first; as many as there is room for. */
function hintsIn({ over, open, paper }: Browsing): string {
  const { across, along } = signsOf(paper);
  const top = over.at(-1);
  const hints =
    top !== undefined
      ? overlayHints(top)
      : open === null
        ? ['Enter open', '/ filter', '{along} choose', '? keys', 'q leave']
        : sessionHints;
  let line = '';
  for (const words of hints) {
    const hint = words.replace('{across}', across).replace('{along}', along);
    const longer = line === '' ? ` ${hint}` : `${line}  ${hint}`;
    if (widthOf(longer) > paper.width - 1) break;
    line = longer;
  }
  return line;
}

function overlayHints(top: Overlay): readonly string[] {
  if (top.type === 'page') return ['q back'];
  if (top.type === 'help') return ['q back', '{along} Space b move'];
  const isFound = top.question.of !== 'entries' && top.question.of !== 'frame';
  const does = isFound ? 'Enter open' : 'Enter put the playhead there';
  return ['q back', '{along} Space b move', does];
}

const sessionHints = [
  '{across} step',
  'n p next loss',
  'Tab pane',
  'Enter open',
  '? keys',
  'q back',
  '/ search',
  'PgUp PgDn turn',
  'g go to',
  'o page',
];
