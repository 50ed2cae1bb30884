import type { Paper } from '../../paper/paper.ts';
import { pieces } from '../../paper/width.ts';
import type { PageOverlay } from '../browsing.ts';
import { textRows } from './linked.ts';
import { rowsOf, type PaneView } from './rows.ts';

/** The link of the page, in one piece where it fits. */
export function pagePane({ link, at }: PageOverlay, paper: Paper): PaneView {
  const inner = { ...paper, width: paper.width - 1 };
  const head = [paper.paint('This session in a browser', 'bold')];
  if (link === null)
    return { head, at: 0, rows: rowsOf([{ text: `Starting it ${paper.glyphs.more}` }]) };
  return {
    head,
    at,
    rows: rowsOf([
      ...pieces(link, inner.width).map((text) => ({ text: paper.paint(text, 'cyan') })),
      { text: '' },
      ...textRows(
        'Whoever has this link sees the sessions of this store. The page ends with browse.',
        inner,
      ),
      ...textRows('On another machine: forward its port with ssh -L.', inner),
    ]),
  };
}
