import type { Assembly, FrameNode, SessionState } from '../../index.ts';
import { countedBudget } from '../../reader.ts';
import { cleanLine } from '../paper/clean.ts';
import type { Paper } from '../paper/paper.ts';
import { rule } from '../paper/rule.ts';
import { many, percent } from '../paper/size.ts';
import { cut, widthOf } from '../paper/width.ts';
import { bar, legend, meter } from '../render/bar.ts';
import { messageText, speakerOf } from '../render/message.ts';
import { titleText } from '../sessions/words/title-text.ts';

/** The state that the live region shows. */
export interface Scene {
  readonly title: string;
  readonly state: SessionState;
  readonly tree: FrameNode;
  /** The newest prompt; null where it was refused. */
  readonly assembly: Assembly | null;
  /** How far the file is, 0 to 1, where its size is known. */
  readonly done: number | undefined;
  /** What the keys do, part by part. */
  readonly hint: readonly string[];
}

/** The scene as lines for the bottom of a terminal. */
export function stageLines(scene: Scene, paper: Paper): readonly string[] {
  const { state } = scene;
  const { compressions } = state;
  const budget = countedBudget(state.budget);
  const place = [
    `turn ${state.turn}`,
    many(state.entries, 'entry', 'entries'),
    ...(scene.done === undefined ? [] : [percent(scene.done)]),
  ].join(` ${paper.glyphs.dot} `);
  return [
    rule(paper, titleText(scene.title), place),
    bar(budget, paper),
    meter(budget, paper, [many(compressions, 'compression')]),
    legend(budget, paper),
    pathLine(scene.tree, paper),
    activityLine(scene.assembly, paper),
    ...hintLines(scene.hint, paper),
  ];
}

/** The frames from the root to the active one; the first give way. */
function pathLine(tree: FrameNode, paper: Paper): string {
  const { glyphs, width, paint } = paper;
  const titles = pathTo(tree).map(({ title }) => titleText(title));
  const head = `${glyphs.active} `;
  const separator = ` ${glyphs.to} `;
  let path = titles.join(separator);
  for (let tail = titles.slice(1); widthOf(path) > width - 2 && tail.length > 0; tail.shift())
    path = [glyphs.more, ...tail].join(separator);
  return paint(head, 'green') + cut(path, width - 2, glyphs.more);
}

function pathTo(frame: FrameNode): readonly FrameNode[] {
  if (frame.active) return [frame];
  for (const child of frame.children.toReversed()) {
    const below = pathTo(child);
    if (below.length > 0) return [frame, ...below];
  }
  return [];
}

/** What the keys do, on as many lines as it takes: parted between two of them. */
function hintLines(hint: readonly string[], { glyphs, width, paint }: Paper): readonly string[] {
  const separator = ` ${glyphs.dot} `;
  const lines: string[] = [];
  for (const part of hint) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)}${separator}${part}`;
    if (widthOf(longer) > width) lines.push(part);
    else lines.splice(-1, 1, longer);
  }
  return lines.map((line) => paint(cut(line, width, glyphs.more), 'gray'));
}

/** What was said last, in a line. */
function activityLine(assembly: Assembly | null, paper: Paper): string {
  const { glyphs, width, paint } = paper;
  const last = assembly?.messages.at(-1);
  if (last === undefined) return '';
  const who = `  ${speakerOf(last)}  `;
  const text = cleanLine(messageText(last).slice(0, width * 8));
  return paint(who + cut(text, width - widthOf(who), glyphs.more), 'gray');
}
