import type { Happening } from '../../../viewer/page/session/model/history.ts';
import { cleanLine } from '../../paper/clean.ts';
import type { Format } from '../../paper/format.ts';
import type { Paper } from '../../paper/paper.ts';
import { number } from '../../paper/size.ts';
import { cut, padEnd, widthOf } from '../../paper/width.ts';
import type { OpenSession } from '../browsing.ts';
import { lastResult } from '../last-result.ts';
import { positionOf, standingCounts, standingOf } from '../moment.ts';
import { signsOf } from '../signs.ts';
import { clamped, type Deed, type PaneView, type Row } from './rows.ts';

/** All that was said and happened, each entry with how the prompt of this moment holds it. */
export function logPane(open: OpenSession, paper: Paper): PaneView {
  const listed = happenings(open.history.happenings, open.count, open.isBrief);
  const places = open.history.happenings;
  const playhead = listed.findLastIndex((index) => places[index]!.at <= open.at);
  return {
    head: [headOf(open, paper)],
    at: clamped(open.chosen.log ?? playhead, listed.length),
    rows: {
      length: listed.length,
      row: (at) => rowOf(places[listed[at]!]!, open, paper),
    },
  };
}

const quiet: ReadonlySet<Happening['kind']> = new Set(['tool', 'assistant', 'machine']);

/** The places of what is listed; it grows with the count of steps. */
const happenings = lastResult(
  (all: readonly Happening[], count: number, isBrief: boolean): readonly number[] =>
    count === 0 ? [] : [...all.keys()].filter((at) => !isBrief || !quiet.has(all[at]!.kind)),
);

const countsOf = lastResult(standingCounts);

/** What the marks mean, with how many there are of each. */
function headOf({ moment, isRead }: OpenSession, paper: Paper): string {
  if (moment === null) return `Reading the ${isRead ? 'prompt' : 'session'} ${paper.glyphs.more}`;
  const { whole, partial, hidden } = countsOf(moment);
  const signs = signsOf(paper);
  for (const words of legends) {
    const line = [
      `${signs.whole} ${number(whole)} ${words[0]}`,
      `${signs.partial} ${number(partial)} ${words[1]}`,
      `${signs.hidden} ${number(hidden)} ${words[2]}`,
    ].join('  ');
    if (widthOf(line) < paper.width) return paper.paint(line, 'gray');
  }
  return '';
}

/** What each mark says, from roomy to tight. */
const legends = [
  ['word for word in the prompt', 'in part, or by a line', 'not in it'],
  ['word for word', 'by a line', 'not in the prompt'],
  ['whole', 'by a line', 'not there'],
] as const;

const signFor = {
  person: 'note',
  machine: 'note',
  assistant: 'note',
  tool: 'note',
  frame: 'active',
  compression: 'compression',
  shortened: 'compression',
  count: 'note',
  word: 'goal',
  bad: 'failed',
} as const;

const formats: Readonly<Partial<Record<Happening['kind'], Format>>> = {
  person: 'bold',
  frame: 'cyan',
  compression: 'magenta',
  shortened: 'magenta',
  bad: 'red',
};

/** Cells of the id of an entry, of who said it, and of what tells of it. */
const widths = { id: 5, speaker: 9, by: 18 };

function rowOf(one: Happening, open: OpenSession, paper: Paper): Row {
  const { kind, label, ref } = one;
  const { paint, width, glyphs } = paper;
  const isEntry = ref !== null && /^e\d+$/.test(ref);
  const isLater = one.at > open.at;
  const standing =
    isEntry && !isLater && open.moment !== null ? standingOf(open.moment, positionOf(ref)) : null;
  const sign =
    standing === null ? (isEntry ? ' ' : glyphs[signFor[kind]]) : signsOf(paper)[standing.mark];
  const id = padEnd(isEntry ? ref : '', widths.id);
  // A compression says itself what it is.
  const speaker = kind === 'compression' ? '' : `${padEnd(label, widths.speaker)} `;
  const head = `${sign} ${id} ${speaker}`;
  const standingText = width < 50 ? '' : (standing?.by ?? '');
  const by = standingText === '' ? '' : `  ${cut(standingText, widths.by, glyphs.more)}`;
  const room = Math.max(0, width - 1 - widthOf(head) - widthOf(by));
  const said = cleanLine(one.text);
  const lineText = isEntry ? said : said.replace('→', glyphs.to);
  const line = cut(lineText, room, glyphs.more);
  const text = by === '' ? line : padEnd(line, room);
  const deed = deedOf(one);
  if (isLater) return { text: paint(head + text + by, 'gray'), deed };
  const format = formats[kind];
  const colored = format === undefined ? head + text : paint(head + text, format);
  return { text: colored + paint(by, 'gray'), deed };
}

function deedOf({ kind, ref, at }: Happening): Deed | undefined {
  if (kind === 'compression' || kind === 'shortened') return { type: 'loss', at };
  if (ref === null) return undefined;
  if (kind === 'frame')
    return { type: 'read', title: `said in ${ref}`, question: { of: 'frame', frame: ref } };
  return { type: 'read', title: ref, question: { of: 'entries', refs: [ref] } };
}
