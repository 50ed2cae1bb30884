import type { FrameNode, ImportResult, SessionState } from '../../index.ts';
import { countedBudget } from '../../reader.ts';
import { cleanLine } from '../paper/clean.ts';
import type { Paper } from '../paper/paper.ts';
import { rule } from '../paper/rule.ts';
import { duration, many, number, percent } from '../paper/size.ts';
import { padEnd, wrap } from '../paper/width.ts';
import { placesText, type Places } from './entry-places.ts';
import type { PlayCounts } from './play-counts.ts';

/** The data of a finished play. */
export interface PlayEnding {
  readonly state: SessionState;
  readonly tree: FrameNode;
  readonly tally: PlayCounts;
  readonly places: Places | null;
  /** The window that the session had before, in tokens, where it was asked for another. */
  readonly windowBefore: number | null;
  readonly format: string | null;
  readonly skipped: ImportResult['skipped'];
  readonly interrupted: boolean;
  readonly ms: number;
}

/** Reasons for skipped lines that are printed. */
const mostReasons = 10;

/** A summary of the play, in lines. */
export function summaryLines(ending: PlayEnding, paper: Paper): readonly string[] {
  const label = 16;
  const rows = rowsOf(ending, paper.glyphs.to);
  const lines = rows.flatMap(([name, text]) =>
    wrap(text, paper.width - label).map(
      (line, index) => padEnd(index === 0 ? `  ${name}` : '', label) + line,
    ),
  );
  return [rule(paper, ending.interrupted ? 'so far' : 'what happened'), ...lines];
}

type Row = readonly [name: string, text: string];

function rowsOf(ending: PlayEnding, to: string): readonly Row[] {
  const { state, tally, places, ms } = ending;
  const { entries, turn, tokens } = state;
  const budget = countedBudget(state.budget);
  return [
    [
      'said',
      `${many(entries, 'entry', 'entries')} in ${many(turn, 'turn')}, ${number(tokens)} tokens`,
    ],
    [
      'window',
      `${windowBeforeText(ending, to)}${number(budget.window)} tokens: ${number(budget.limit)} for the prompt, ${number(budget.reserve)} for the answer`,
    ],
    ...(tally.assemblies + tally.refused === 0
      ? []
      : [['fit', fitText(tally, budget === state.budget ? budget.limit : null)] as const]),
    ['compressions', compressionText(ending)],
    ...reliefRow(tally),
    ...framesRow(ending.tree),
    ...(places === null ? [] : [['nothing lost', readBackText(places, entries)] as const]),
    ...(tally.sent === 0
      ? []
      : [
          [
            'reuse',
            `${percent(tally.reused / tally.sent)} of a prompt repeats the start of the one before (a server's cache keeps that)`,
          ] as const,
        ]),
    ...skippedRow(ending.skipped),
    ['took', duration(ms)],
  ];
}

function readBackText(places: Places, entries: number): string {
  if (entries === 0) return 'there was no entry to lose';
  const where = placesText(places);
  const read = `${number(places.logged)} of ${number(entries)} entries read back from the log`;
  return where === '' ? read : `${read}: ${where}`;
}

/** Whether all prompts fit; the limit that they were held to is told where it is in our tokens. */
function fitText(tally: PlayCounts, limit: number | null): string {
  const { assemblies, largest, over, refused } = tally;
  const verdict = over + refused === 0 ? 'always' : 'NOT always';
  const counts = `${many(assemblies, 'prompt')}, the largest ${number(largest)}${limit === null ? '' : ` of ${number(limit)}`} tokens, ${over} over`;
  return `${verdict}: ${counts}${refused === 0 ? '' : `, ${refused} refused`}`;
}

function compressionText({ tally, state }: PlayEnding): string {
  if (tally.compressions > 0) return number(tally.compressions);
  const isWhole = tally.entries === state.entries;
  return isWhole ? 'none: everything fits as it is' : 'none in these steps';
}

function windowBeforeText({ windowBefore, state }: PlayEnding, to: string): string {
  const isOther = windowBefore !== null && windowBefore !== state.budget.window;
  return isOther ? `${number(windowBefore)} ${to} ` : '';
}

function reliefRow({ shortened, cleared, offloaded }: PlayCounts): readonly Row[] {
  const parts = [
    ...(shortened > 0 ? [`${many(shortened, 'long entry', 'long entries')} shortened`] : []),
    ...(cleared > 0 ? [`${many(cleared, 'old result')} cleared`] : []),
    ...(offloaded > 0 ? [`${many(offloaded, 'human text')} offloaded`] : []),
  ];
  return parts.length === 0 ? [] : [['relief', parts.join(', ')]];
}

function framesRow(tree: FrameNode): readonly Row[] {
  const counts = frameCounts(tree);
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  if (all === 1) return [];
  const text = Object.entries(counts).map(([status, n]) => `${n} ${status.replace('_', ' ')}`);
  return [['frames', `${all}: ${text.join(', ')}`]];
}

/** Frames of the tree by status. */
function frameCounts(tree: FrameNode): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  const waiting = [tree];
  for (let frame = waiting.pop(); frame !== undefined; frame = waiting.pop()) {
    counts[frame.status] = (counts[frame.status] ?? 0) + 1;
    waiting.push(...frame.children);
  }
  return counts;
}

function skippedRow(skipped: PlayEnding['skipped']): readonly Row[] {
  return skipped.length === 0 ? [] : [['skipped', skippedText(skipped)]];
}

/** How many lines were skipped, with the first few reasons. */
export function skippedText(skipped: ImportResult['skipped']): string {
  const reasons = skipped
    .slice(0, mostReasons)
    .map(({ line, reason }) => `line ${line}: ${cleanLine(reason)}`);
  const moreCount = skipped.length - mostReasons;
  const more = moreCount > 0 ? `; ${number(moreCount)} more: --json` : '';
  return `${many(skipped.length, 'line')} (${reasons.join('; ')}${more})`;
}

/** The same for scripts. */
export function summaryDocument(ending: PlayEnding): Readonly<Record<string, unknown>> {
  const { state, tree, tally, places, format, skipped, interrupted, ms } = ending;
  const { assemblies, largest, over, refused, calls, sent, reused } = tally;
  return {
    id: state.id,
    format,
    entries: state.entries,
    appended: tally.entries,
    turns: state.turn,
    tokens: state.tokens,
    window: state.budget.window,
    limit: state.budget.limit,
    assemblies: { made: assemblies, largest, over, refused },
    compressions: tally.compressions,
    facts: state.facts,
    shortened: tally.shortened,
    cleared: tally.cleared,
    offloaded: tally.offloaded,
    frames: frameCounts(tree),
    places,
    calls,
    reuse: sent === 0 ? null : reused / sent,
    skipped,
    interrupted,
    ms,
  };
}
