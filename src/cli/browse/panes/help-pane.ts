import type { Paper } from '../../paper/paper.ts';
import { padEnd } from '../../paper/width.ts';
import { lastResult } from '../last-result.ts';
import { signsOf, type Signs } from '../signs.ts';
import { textRows } from './linked.ts';
import { rowsOf, type PaneView, type Row, type Rows } from './rows.ts';

/** What each key does; docs/browse.md has the same. */
const keyHelp: readonly {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, does: string])[];
}[] = [
  {
    title: 'The playhead: the moment that all panes show',
    keys: [
      ['{across}', 'one step back, one on'],
      ['PgUp PgDn', 'one turn, or a tenth of the session where turns are long'],
      ['p n', 'the loss before, the next one'],
      ['g', 'a moment: 40 (a turn), 40.2 (its call), e52, seq:120, or a time'],
      ['Home End', 'the beginning; the end, where it follows what comes'],
    ],
  },
  {
    title: 'Panes',
    keys: [
      ['Tab 1 2 3 4', 'prompt, log, frames, what was lost'],
      ['{along} Space b', 'a row; a page of rows down, up'],
      ['Enter', 'opens: folds a part out, or reads the entries that a line names'],
      ['a', 'folds all parts out, or in'],
      ['t', 'the log with or without answers and tools'],
    ],
  },
  {
    title: 'All of it',
    keys: [
      ['/', 'searches what was said; in the list, filters the sessions'],
      ['o', 'the page of this session, for a browser (as flamestack view)'],
      ['q Esc', 'back: to the session, to the list, out'],
      ['Ctrl-L Ctrl-Z', 'draws anew; stops until fg'],
      ['? Ctrl-C', 'these keys; leaves at once'],
    ],
  },
];

/** What the keys do, and what the signs say. */
export const helpPane = (at: number, paper: Paper): PaneView => ({
  head: [paper.paint('Keys', 'bold')],
  at,
  rows: helpRows(paper),
});

/** How compressions are marked: by numbers as far as there are signs for them. */
function compressionSigns({ numbers, compressed }: Signs): readonly (readonly [string, string])[] {
  if (numbers.length === 0) return [[compressed, 'a compression']];
  return [
    [`${numbers[0]} to ${numbers.at(-1)}`, 'a compression, by its number'],
    [compressed, `a compression from the ${numbers.length + 1}st on; in the log, any`],
  ];
}

const helpRows = lastResult((paper: Paper): Rows => {
  const signs = signsOf(paper);
  const inner = { ...paper, width: paper.width - 1 };
  const pairs = (rows: readonly (readonly [string, string])[]): readonly Row[] =>
    rows.flatMap(([keys, does]) => {
      const key = keys.replace('{across}', signs.across).replace('{along}', signs.along);
      const [first, ...rest] = textRows(does, { ...inner, width: inner.width - 19 });
      return [
        { text: `  ${padEnd(key, 17)}${first!.text}` },
        ...rest.map(({ text }) => ({ text: ' '.repeat(19) + text })),
      ];
    });
  const heading = (text: string): readonly Row[] =>
    textRows(text, inner).map((row) => ({ text: paper.paint(row.text, 'bold') }));
  return rowsOf([
    ...keyHelp.flatMap(({ title, keys }) => [...heading(title), ...pairs(keys), { text: '' }]),
    ...heading('Signs'),
    ...pairs([
      [signs.whole, 'stands in the prompt word for word'],
      [signs.partial, 'stands there in part, or a line of it tells of the entry'],
      [signs.hidden, 'not there; at the right, what it is behind. It is in the log still'],
      ...compressionSigns(signs),
      [signs.ended, 'a frame ended'],
      [paper.glyphs.failed, 'a cut: a server or host dropped part of the prompt, or may have'],
      [signs.playhead, 'the playhead; the height of a column is the size of the prompt'],
    ]),
  ]);
});
