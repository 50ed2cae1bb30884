import type { FrameNode } from '../../../index.ts';
import type { Paper } from '../../paper/paper.ts';
import { treeLines } from '../../render/tree.ts';
import { framesIn, titledTree } from '../../sessions/words/frame-titles.ts';
import type { OpenSession } from '../browsing.ts';
import { lastResult } from '../last-result.ts';
import { rowsOf, type PaneView, type Rows } from './rows.ts';

/** The tree of work as it was at this moment. */
export function framesPane({ moment, chosen, head }: OpenSession, paper: Paper): PaneView {
  if (moment === null)
    return { head: [], at: 0, rows: rowsOf([{ text: `Loading ${paper.glyphs.more}` }]) };
  return { head: [], at: chosen.frames ?? 0, rows: framesRows(moment.tree, head, paper) };
}

const framesRows = lastResult((tree: FrameNode, head: OpenSession['head'], paper: Paper): Rows => {
  // In the order of their lines.
  const ids = [...framesIn(tree)].map(({ id }) => id);
  const titled = head === null ? tree : titledTree(tree, { id: head.session, title: head.title });
  const inner = { ...paper, width: paper.width - 1, longest: paper.width - 1 };
  return rowsOf(
    treeLines(titled, inner).map((text, index) => {
      const frame = ids[index]!;
      return {
        text,
        deed: { type: 'read', title: `said in ${frame}`, question: { of: 'frame', frame } },
      };
    }),
  );
});
