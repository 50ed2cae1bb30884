import type { FrameNode, FrameStatus, LeftFrame } from '../../index.ts';
import { cleanLine } from '../paper/clean.ts';
import type { Format } from '../paper/format.ts';
import type { Paper } from '../paper/paper.ts';
import { cut, widthOf } from '../paper/width.ts';
import { titleText } from '../sessions/words/title-text.ts';

/** The remark at the right of a frame's line. */
export type Remark = (frame: FrameNode) => string;

const formats: Readonly<Record<FrameStatus, Format>> = {
  planned: 'gray',
  in_progress: 'green',
  completed: 'gray',
  failed: 'red',
  blocked: 'yellow',
  invalidated: 'gray',
};

/** The sign of a frame's status. */
function statusGlyph(status: FrameStatus, paper: Paper): string {
  return paper.glyphs[status === 'in_progress' ? 'active' : status];
}

/** The frame tree, a line per frame: status, id, title, as much of its results as fits, and a remark. */
export function treeLines(
  root: FrameNode,
  paper: Paper,
  remark: Remark = remarkOf,
): readonly string[] {
  const lines: string[] = [];
  const waiting: [frame: FrameNode, indent: string, branch: string][] = [[root, '', '']];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [frame, indent, branch] = next;
    lines.push(frameLine(frame, { lead: indent + branch, remark: remark(frame) }, paper));
    const { tee, end, bar } = paper.glyphs;
    const inner = branch === '' ? indent : indent + (branch === end ? '   ' : bar);
    for (const [index, child] of [...frame.children.entries()].reverse())
      waiting.push([child, inner, index === frame.children.length - 1 ? end : tee]);
  }
  return lines;
}

/** Most abandoned frames that get a line; the newest do. */
const mostLeft = 8;

/** The frames that going back took out of the tree, a line for each: title, and the entries that were said in it. */
export function leftLines(frames: readonly LeftFrame[], paper: Paper): readonly string[] {
  if (frames.length === 0) return [];
  const older = frames.length - mostLeft;
  const lines = frames.slice(-mostLeft).map(({ id, title, entries }) => {
    const range = entries === null ? '' : `  ${rangeText(entries)}`;
    const name = cut(
      `${id} ${titleText(title)}`,
      paper.longest - widthOf(range) - 2,
      paper.glyphs.more,
    );
    return `  ${name}${range}`;
  });
  const count = older > 0 ? [`  ${older} older`] : [];
  return ['', 'Left by going back:', ...count, ...lines].map((one) => paper.paint(one, 'gray'));
}

const rangeText = ({ from, to }: NonNullable<LeftFrame['entries']>): string =>
  from === to ? from : `${from}–${to}`;

function frameLine(
  frame: FrameNode,
  sides: { lead: string; remark: string },
  paper: Paper,
): string {
  const { longest, glyphs, paint } = paper;
  const remark = sides.remark === '' ? '' : `  ${sides.remark}`;
  const room = longest - widthOf(remark);
  const lead = cut(sides.lead, Math.floor(longest / 2), glyphs.more);
  const sign = statusGlyph(frame.status, paper);
  const title = cut(
    `${sign} ${frame.id} ${titleText(frame.title)}`,
    Math.max(8, room - widthOf(lead)),
    glyphs.more,
  );
  const spare = room - widthOf(lead) - widthOf(title);
  const note =
    spare < 18 ? '' : cut(cleanLine(frame.results ?? frame.reason ?? ''), spare - 2, glyphs.more);
  const tail = note === '' ? '' : `  ${note}`;
  const format = formats[frame.status];
  const paintedTitle = frame.active ? paint(title, 'bold', format) : paint(title, format);
  return paint(lead, 'gray') + paintedTitle + paint(tail + alignRight(remark, spare, tail), 'gray');
}

/** A remark at the right edge, where there is one. */
function alignRight(remark: string, room: number, tail: string): string {
  if (remark === '' || !Number.isFinite(room)) return remark;
  return ' '.repeat(Math.max(0, room - widthOf(tail))) + remark;
}

/** `here` for the active frame; the status where the frame rests: planned, blocked, invalidated. */
function remarkOf(frame: FrameNode): string {
  if (frame.active) return 'here';
  return frame.status === 'in_progress' || frame.status === 'completed' ? '' : frame.status;
}
