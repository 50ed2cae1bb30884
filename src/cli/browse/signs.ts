import { ascii as asciiGlyphs } from '../paper/glyph.ts';
import type { Paper } from '../paper/paper.ts';

/** The signs of the browser beside those of all commands; none means something by its color alone. */
export interface Signs {
  /** Nine heights of a column, the empty one first. */
  readonly heights: readonly string[];
  /** What stands above the column of the playhead, and what under it. */
  readonly above: string;
  readonly playhead: string;
  /** The end of a frame, and more compressions than can be numbered. */
  readonly ended: string;
  readonly compressed: string;
  /** Compressions 1, 2, …; those without a sign of their own have `compressed`. */
  readonly numbers: readonly string[];
  /** An entry that the prompt holds word for word, in part or by a line, or not. */
  readonly whole: string;
  readonly partial: string;
  readonly hidden: string;
  readonly shut: string;
  readonly open: string;
  /** Before the row that the keys are about. */
  readonly chosen: string;
  /** Between two panes. */
  readonly divider: string;
  /** A share of something. */
  readonly filled: string;
  /** The keys left and right, up and down. */
  readonly across: string;
  readonly along: string;
}

const full: Signs = {
  heights: Array.from(' ▁▂▃▄▅▆▇█'),
  above: '│',
  playhead: '▲',
  ended: '◇',
  compressed: '▼',
  numbers: Array.from('①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳'),
  whole: '●',
  partial: '◐',
  hidden: '○',
  shut: '▸',
  open: '▾',
  chosen: '▌',
  divider: '│',
  filled: '█',
  across: '←→',
  along: '↑↓',
};

const ascii: Signs = {
  heights: Array.from(' ..::==##'),
  above: '|',
  playhead: '^',
  ended: 'o',
  compressed: 'v',
  numbers: [],
  whole: '*',
  partial: '~',
  hidden: '.',
  shut: '+',
  open: '-',
  chosen: '>',
  divider: '|',
  filled: '#',
  across: 'Left Right',
  along: 'Up Down',
};

/** The signs that a paper takes. */
export const signsOf = ({ glyphs }: Paper): Signs => (glyphs === asciiGlyphs ? ascii : full);
