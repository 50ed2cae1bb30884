import type { WholeEntry } from '../../../viewer/page/session/model/wire.ts';
import { timeText } from '../../../viewer/page/session/model/time.ts';
import { clean, cleanLine } from '../../paper/clean.ts';
import type { Paper } from '../../paper/paper.ts';
import { many, number } from '../../paper/size.ts';
import { cut } from '../../paper/width.ts';
import { answeringLines, wordsOf } from '../../render/hit.ts';
import type { OpenSession, Question, Reading } from '../browsing.ts';
import { lastResult } from '../last-result.ts';
import { linesNaming, positionOf, standingOf, type Moment } from '../moment.ts';
import { signsOf } from '../signs.ts';
import { textRows } from './linked.ts';
import { rowsOf, type Deed, type PaneView, type Row, type Rows } from './rows.ts';

/** Entries, word for word; of what a search found, the lines that answer. */
export function readingPane(
  { title, question, entries, at }: Reading,
  open: OpenSession | null,
  paper: Paper,
): PaneView {
  const { glyphs, paint, width } = paper;
  const count = entries === null ? '' : `: ${many(entries.length, 'entry', 'entries')}`;
  const head = [paint(cut(cleanLine(`${title}${count}`), width - 1, glyphs.more), 'bold')];
  if (entries === null) return { head, at: 0, rows: rowsOf([{ text: `Loading ${glyphs.more}` }]) };
  if (entries.length === 0) return { head, at: 0, rows: rowsOf([{ text: 'Nothing was found.' }]) };
  const words = wordsAsked(question);
  const rows =
    words === null
      ? readingRows(entries, open?.moment ?? null, paper)
      : hitsRows(entries, words, paper);
  return { head, at, rows };
}

/** The words that were looked for; null where entries were named. */
function wordsAsked(question: Question): string | null {
  switch (question.of) {
    case 'words':
      return question.words;
    case 'name':
      return question.name;
    case 'sources':
      return question.text;
    case 'entries':
    case 'frame':
      return null;
  }
}

const readingRows = lastResult(
  (entries: readonly WholeEntry[], moment: Moment | null, paper: Paper): Rows =>
    rowsOf(entries.flatMap((entry) => entryRows(entry, moment, paper))),
);

const hitsRows = lastResult((entries: readonly WholeEntry[], words: string, paper: Paper): Rows =>
  rowsOf(entries.flatMap((entry) => hitRows(entry, words, paper))),
);

/** Who said an entry, in which frame, and when. */
function headOf({ id, role, frame, at }: WholeEntry): readonly string[] {
  return [id, role, ...(frame === 'f0' ? [] : [frame]), timeText(at)];
}

/** The lines of an entry that answer; Enter reads it whole. */
function hitRows(entry: WholeEntry, words: string, paper: Paper): readonly Row[] {
  const { paint, glyphs, width } = paper;
  const { id, text } = entry;
  const deed: Deed = { type: 'read', title: id, question: { of: 'entries', refs: [id] } };
  const inner = { ...paper, longest: width - 1, height: 1 };
  const { lines } = answeringLines(clean(text), wordsOf(words), inner);
  const head = headOf(entry).join(` ${glyphs.dot} `);
  return [
    { text: paint(cut(head, width - 1, glyphs.more), 'cyan'), deed },
    ...lines.slice(0, mostLines).map((line) => ({ text: `  ${line}`, deed })),
  ];
}

/** Lines of a hit. */
const mostLines = 3;

/** Characters of an entry that are laid out here. */
const mostText = 60_000;

function entryRows(entry: WholeEntry, moment: Moment | null, paper: Paper): readonly Row[] {
  const { id, text } = entry;
  const { paint, glyphs, width } = paper;
  const inner = { ...paper, width: width - 1 };
  const deed = { type: 'entry', entry: id } as const;
  const head = headOf(entry).join(` ${glyphs.dot} `);
  const hiddenCount = text.length - mostText;
  const visibleText = clean(hiddenCount > 0 ? text.slice(0, mostText) : text).replaceAll(
    '\t',
    '  ',
  );
  const more = `${glyphs.more} ${number(hiddenCount)} more characters: flamestack show --entry ${id}`;
  return [
    { text: paint(cut(head, inner.width, glyphs.more), 'cyan'), deed },
    ...(moment === null ? [] : standingRows(entry, moment, inner)),
    ...visibleText.split('\n').flatMap((line) => textRows(line, inner, { indent: 2, deed })),
    ...(hiddenCount > 0 ? textRows(more, inner, { deed }) : []),
    { text: '', deed },
  ];
}

/** Lines of the prompt that are shown of those that name an entry. */
const mostNaming = 3;

/** How an entry stands in the prompt of the moment, and the lines that tell of it there. */
function standingRows({ id }: WholeEntry, moment: Moment, paper: Paper): readonly Row[] {
  const deed = { type: 'entry', entry: id } as const;
  const n = positionOf(id);
  if (!/^e\d+$/.test(id) || n > moment.entries) return [];
  const { mark, words } = standingOf(moment, n);
  const gray = (row: Row): Row => ({ ...row, text: paper.paint(row.text, 'gray') });
  const naming =
    mark === 'partial' ? linesNaming(moment.prompt.messages, n).slice(0, mostNaming) : [];
  return [
    ...textRows(`${signsOf(paper)[mark]} ${words}${naming.length === 0 ? '' : ':'}`, paper, {
      deed,
    }),
    ...naming.flatMap((line) => textRows(line, paper, { indent: 2, deed })),
    { text: '', deed },
  ].map(gray);
}
