import { stageWords, whatNoticed } from '../../../viewer/page/session/model/words/cut.ts';
import type { Cut } from '../../../viewer/page/session/model/history.ts';
import {
  aboutOf,
  isNothing,
  leavingText,
  nameOf,
  sizeText,
} from '../../../viewer/page/session/model/words/loss.ts';
import { isOwnLine } from '../../../viewer/page/session/model/words/own-lines.ts';
import { rangesOf } from '../../../viewer/page/session/model/ranges.ts';
import type { Change } from '../../../viewer/page/session/model/wire.ts';
import { cleanLine } from '../../paper/clean.ts';
import type { Paper } from '../../paper/paper.ts';
import { many, number } from '../../paper/size.ts';
import { cut } from '../../paper/width.ts';
import { changeWanted, lossAt, type OpenSession } from '../browsing.ts';
import { lastResult } from '../last-result.ts';
import { signsOf } from '../signs.ts';
import { inWords } from './in-words.ts';
import { readingOf, textRows } from './linked.ts';
import { rowsOf, type PaneView, type Row, type Rows } from './rows.ts';

/** What the last loss at this moment took out of the prompt, and what came instead. */
export function lossPane(open: OpenSession, paper: Paper): PaneView {
  const { history, change, chosen, unfolded } = open;
  const loss = lossAt(open);
  if (loss === null) {
    const next = history.losses.length === 0 ? '' : ' n goes to the first loss.';
    const text = `Nothing was taken out of the prompt by then.${next}`;
    return { head: [], at: 0, rows: rowsOf(textRows(text, { ...paper, width: paper.width - 1 })) };
  }
  const { dot, to } = paper.glyphs;
  const about = aboutOf(history, loss).replaceAll('·', dot);
  const head = [
    `${nameOf(history, loss)}${'compression' in loss ? '' : ` ${dot}`} ${about}`,
    `turn ${number(history.steps[loss.at]!.turn)}: ${sizeText(history, loss, to)}`,
  ].map((line, index) =>
    paper.paint(
      cut(cleanLine(line), paper.width - 1, paper.glyphs.more),
      index === 0 ? 'bold' : 'gray',
    ),
  );
  if (change === null || change.seq !== changeWanted(open))
    return { head, at: 0, rows: rowsOf([{ text: `Loading ${paper.glyphs.more}` }]) };
  const story = 'cut' in loss ? storyOf(history.cuts[loss.cut]!, open.at, paper) : null;
  if (story !== null && isNothing(change))
    return { head, at: chosen.lost ?? 0, rows: rowsOf(story) };
  return { head, at: chosen.lost ?? 0, rows: lossRows(change, shownOf(unfolded, story), paper) };
}

/** How it was noticed that a prompt was cut, and how the session went on by then; the same value as long as it is the same story. */
const storyOf = lastResult((of: Cut, at: number, paper: Paper): readonly Row[] => {
  const inner = { ...paper, width: paper.width - 1 };
  const { news, stages } = of;
  const pastStages = stages.filter((one) => one.at <= at);
  const unseen = news === null || news.lost.length === 0 ? '' : news.lost.join(', ');
  return [
    ...(news === null ? [] : textRows(`${whatNoticed(news)}.`, inner)),
    ...(unseen === ''
      ? []
      : textRows(`The model did not see ${unseen}`, inner, { deed: readingOf(unseen) })),
    ...pastStages.flatMap(({ news: { stage, text } }) =>
      textRows(`${stageWords[stage]}: ${cleanLine(text)}`, inner),
    ),
    { text: '' },
  ];
});

/** What is shown beside a change. */
interface LossView {
  readonly unfolded: ReadonlySet<string>;
  readonly story: readonly Row[] | null;
}

const shownOf = lastResult(
  (unfolded: LossView['unfolded'], story: LossView['story']): LossView => ({
    unfolded,
    story,
  }),
);

const lossRows = lastResult((change: Change, view: LossView, paper: Paper): Rows => {
  const { unfolded, story } = view;
  const inner = { ...paper, width: paper.width - 1 };
  const { left, shortened, lost, kept, gained, lines, seq } = change;
  const gone = lost.reduce((sum, { names }) => sum + names.length, 0);
  const ranges = rangesOf(left);
  const bold = (text: string): Row => ({ text: paper.paint(text, 'bold') });
  const leaving = `${leavingText(change)}${left.length === 0 ? '' : `: ${ranges.join(', ')}`}`;
  const shorter = `${many(shortened.length, 'entry', 'entries')} shortened: ${rangesOf(shortened).join(', ')}`;
  return rowsOf([
    ...(story ?? []),
    ...(left.length === 0 && shortened.length > 0
      ? []
      : textRows(leaving, inner, { deed: readingOf(ranges.join(' ')) })),
    ...(shortened.length === 0 ? [] : textRows(shorter, inner, { deed: readingOf(shorter) })),
    { text: '' },
    bold(
      `Names in all of the prompt: ${number(gone)} gone, ${number(kept)} stayed, ${number(gained)} new`,
    ),
    ...lost.flatMap((one) => kindRows(one, { seq, unfolded }, inner)),
    { text: '' },
    ...(lines.length === 0 ? [] : [bold('Lines that came instead')]),
    ...lines.flatMap(({ text }) =>
      textRows(inWords(text), inner, {
        indent: 1,
        deed: readingOf(text) ?? (isOwnLine(text) ? undefined : sourcesOf(text, seq)),
      }),
    ),
  ]);
});

const sourcesOf = (text: string, seq: number) =>
  ({
    type: 'read',
    title: 'where it comes from',
    question: { of: 'sources', text, seq },
  }) as const;

/** The names of one kind that went: on a row, or folded out on one each. */
function kindRows(
  { kind, names }: Change['lost'][number],
  { seq, unfolded }: { readonly seq: number; readonly unfolded: ReadonlySet<string> },
  paper: Paper,
): readonly Row[] {
  const signs = signsOf(paper);
  const part = `gone: ${kind}`;
  const isOpen = unfolded.has(part);
  const head = `${isOpen ? signs.open : signs.shut} ${kind} ${number(names.length)}`;
  const rest = isOpen ? '' : `: ${names.slice(0, 40).map(cleanLine).join(', ')}`;
  const row: Row = {
    text: cut(head + rest, paper.width, paper.glyphs.more),
    deed: { type: 'fold', part },
  };
  if (!isOpen) return [row];
  const inner = names.map((name) => ({
    text: `    ${cut(cleanLine(name), paper.width - 4, paper.glyphs.more)}`,
    deed: {
      type: 'read',
      title: `mentions of ${cleanLine(name)}`,
      question: { of: 'name', name, seq },
    } as const,
  }));
  return [row, ...inner];
}
