import { basename } from 'node:path';
import type { FrameNode } from '../../index.ts';
import { countedBudget } from '../../reader.ts';
import { quote, storeArgument, type CommandCall } from '../call/call.ts';
import { cleanLine } from '../paper/clean.ts';
import { rule } from '../paper/rule.ts';
import { many, number } from '../paper/size.ts';
import { bar, legend, meter } from '../render/bar.ts';
import { treeLines } from '../render/tree.ts';
import { windowText } from '../sessions/window-change.ts';
import { farewellLines } from './farewell.ts';
import { summaryLines, type PlayEnding } from './summary.ts';

/** Frames of the tree that are printed at the end. */
const mostFrames = 20;

/** The last lines of a play. */
export function endingLines(
  ending: PlayEnding,
  context: { file: string; call: CommandCall; tour: boolean },
): readonly string[] {
  const { call, file } = context;
  const { state, tally, interrupted } = ending;
  const id = cleanLine(state.id);
  const isOld = tally.entries === 0 && !interrupted && state.entries > 0;
  const look = `Kept. Look at it: flamestack show ${quote(id)}${storeArgument(call)}`;
  return [
    ...(isOld ? nothingNewLines(ending, file, call) : playedLines(ending, call)),
    ...(call.store === undefined ? [] : ['', look]),
    ...(context.tour && !interrupted && !call.quiet
      ? farewellLines('npx flamestack', call.paper())
      : []),
  ];
}

function nothingNewLines(
  { state, windowBefore }: PlayEnding,
  file: string,
  call: CommandCall,
): readonly string[] {
  const name = cleanLine(basename(file));
  const { window } = state.budget;
  const had = `session ${cleanLine(state.id)} had all ${number(state.entries)} entries already`;
  const isOther = windowBefore !== null && windowBefore !== window;
  const change = isOther
    ? [`Its ${windowText({ before: windowBefore, window }, call.paper().glyphs.to)}.`]
    : [];
  return [`Nothing new in ${name}: ${had}.`, ...change];
}

/** What was played: context and frames as they are in the end, and numbers. */
export function playedLines(ending: PlayEnding, call: CommandCall): readonly string[] {
  const paper = call.paper();
  const budget = countedBudget(ending.state.budget);
  const context = [bar(budget, paper), meter(budget, paper), legend(budget, paper)];
  const pictures = call.quiet
    ? []
    : ['', rule(paper, 'context at the end'), ...context, ...frameLines(ending, call)];
  return [...pictures, ...summaryLines(ending, paper)];
}

/** The frames, where there is more than the root. */
function frameLines({ tree, tally, state }: PlayEnding, call: CommandCall): readonly string[] {
  if (tree.children.length === 0) return [];
  const remark = ({ id, status }: FrameNode): string =>
    status === 'planned' ? status : many(tally.byFrame.get(id) ?? 0, 'token');
  const isWhole = tally.entries === state.entries;
  const lines = treeLines(tree, call.paper(), isWhole ? remark : undefined);
  const moreCount = lines.length - mostFrames;
  const rest = moreCount > 0 ? [`  and ${many(moreCount, 'frame')} more`] : [];
  return [rule(call.paper(), 'frames'), ...lines.slice(0, mostFrames), ...rest];
}
