import { limitIn } from '../state/limit.ts';
import { ages, targetOf } from '../checkpoints/aging.ts';
import { caps, factors, mostRecent, workingTarget, verbatimShare } from '../budget/budget.ts';
import type { CompressionRange } from '../checkpoints/compression-state.ts';
import { entryId, ordinal, type FrameId } from '../values/id.ts';
import type { State } from '../state/state.ts';
import { offloadedHuman, olderHuman, quotesOf, shownHuman } from './human-section.ts';
import {
  isClearable,
  unitsOf,
  type Human,
  type WorkingItem,
  type Unit,
  type FrameView,
} from '../state/view.ts';

// What a compression takes: whole units, oldest first, until what stays is
// within `preserveRecent` and at most half of what will then be available. How
// much that is depends on parts that the compression itself makes, so they are
// reckoned at their caps. Of what stays, the newest is verbatim; before it, tool
// results give way to markers: what an agent said and did is taken up again
// more often than what it was shown.

/** What may stay of a working part after a compression, and the factor that this takes. */
export interface Allowance {
  /** Tokens for the newest entries. */
  readonly keep: number;
  /** Tokens of these that stay wholly verbatim. */
  readonly whole: number;
  /** Tokens for human text and the newest entries together. */
  readonly room: number;
  /** What all caps are scaled by, so that the rest fits. */
  readonly factor: number;
}

/**
 * The tokens that the newest entries of a frame may keep: `preserveRecent`,
 * within half of what is available afterwards. What other parts do not need is
 * left to the entries that follow, so that the next compression comes later.
 */
export function allowance(state: State, frame: FrameId): Allowance {
  const limit = limitIn(state);
  const { sizes } = state.shown;
  const free = limit - sizes.system - state.tools.tokens;
  const human = humanAround(state, frame);
  const quotes = quoteBound(state);
  const wanted =
    state.options.preserveRecent ?? Math.floor(Math.min(caps.recent * limit, mostRecent));
  const at = (factor: number): Allowance => {
    const made =
      goalBound(state) +
      treeBound(state, caps.frames * limit * factor) +
      checkpointTokens(state, frame, factor) +
      caps.ledger * limit * factor;
    const talk = said(human, { state, cap: caps.human * limit * factor, quotes });
    const most = Math.floor(workingTarget(state.options) * (free - made)) - talk;
    const keep = Math.min(most, wanted);
    const whole = state.options.preserveRecent === null ? Math.floor(keep * verbatimShare) : keep;
    return { keep, whole, room: keep + talk, factor };
  };
  const enough = factors.find((factor) => at(factor).keep >= wanted * factor);
  return at(enough ?? 0);
}

/** What the goal will cost, in tokens; its cap, if it is another than the one shown. */
function goalBound(state: State): number {
  const { goal, shown } = state;
  return goal === shown.goal ? shown.sizes.goal : Math.floor(caps.goal * limitIn(state));
}

/** What a breadcrumb over offloaded human text costs at most, in tokens. */
const crumbTokens = 32;

/** What human text before the working part will cost with its quotes, in tokens: up to its cap, but never less than the first and the newest entry. */
function said(
  human: readonly Human[],
  { state, cap, quotes }: { state: State; cap: number; quotes: number },
): number {
  const all = human.reduce((sum, { shown }) => sum + shown, 0);
  const pinned = human.filter(({ n }, index) => index === 0 || n === state.newest?.n);
  const least = pinned.reduce((sum, { shown }) => sum + shown, 0);
  const crumb = all > cap || offloadedHuman(state).length > 0 ? crumbTokens : 0;
  return Math.max(least + crumb, Math.min(all + quotes, cap));
}

/** About what all quotes cost, in tokens, one in two characters; scripts that cost more are bounded by the cap. */
function quoteBound(state: State): number {
  return quotesOf(state).reduce((sum, { text }) => sum + text.length / 2 + crumbTokens / 2, 0);
}

/** What the tree costs at most in its final form, in tokens: three titles, a count and a range for each. */
const leastTree = 240;

/** What the tree will cost, in tokens: what it does, or its cap if frames came since, never below its final form. */
function treeBound({ frames, shown }: State, cap: number): number {
  const most = Math.max(leastTree, cap);
  return frames.length === shown.frames.length ? Math.min(shown.sizes.frames, most) : most;
}

/** The checkpoints of a frame after one more compression, at their full length, in tokens. */
function checkpointTokens(state: State, frame: FrameId, factor: number): number {
  const scale = { limit: limitIn(state), factor };
  const existing = state.views.get(frame)?.checkpoints ?? [];
  const lengths = ages
    .slice(0, existing.length + 1)
    .map((age) => targetOf(age, scale) + checkpointTagTokens);
  const oldest = existing[0]?.age === 'merged' ? existing[0].tokens : 0;
  return (
    lengths.reduce((sum, tokens) => sum + tokens, 0) +
    Math.max(0, oldest - targetOf('merged', scale))
  );
}

/** What the tags around a checkpoint cost, in tokens. */
export const checkpointTagTokens = 40;

/** A stretch below this many tokens is not worth a checkpoint, whose tags alone cost half of it. */
const leastStretch = 2 * checkpointTagTokens;

/**
 * The oldest units of a frame, so that what stays is within its allowance, or
 * all but the newest unit; null where there is nothing to take. The newest unit
 * always stays; a unit that waits for results is always the newest.
 */
export function select(state: State, frame: FrameId, onlyNewest = false): CompressionRange | null {
  const view = state.views.get(frame);
  if (view === undefined) return null;
  const units = unitsOf(view);
  const cut = onlyNewest ? units.length - 1 : firstKeptUnit(state, frame, units);
  const items = view.items.slice(0, units[cut]?.start ?? 0);
  const replaced = items.filter(({ human }) => !human);
  const entries = new Set(replaced.map(({ n }) => n));
  const tokens = replaced.reduce((sum, { shown }) => sum + shown, 0);
  if (tokens < leastStretch) return null;
  return {
    frame,
    from: entryId(Math.min(...entries)),
    to: entryId(Math.max(...items.map(({ n }) => n))),
    entries: entries.size,
    tokens,
  };
}

/** What people said that stands before the entries of a frame, or will when they are taken; oldest first. */
function humanAround(state: State, frame: FrameId): readonly Human[] {
  return frame === state.active ? shownHuman(state) : olderHuman(state, state.newest);
}

/** The first unit that stays: as many of the newest as the allowance of the frame has room for. */
function firstKeptUnit(state: State, frame: FrameId, units: readonly Unit[]): number {
  const { room, whole, factor } = allowance(state, frame);
  const cap = caps.human * limitIn(state) * factor;
  const items = state.views.get(frame)!.items;
  const human = humanAround(state, frame);
  const quotes = quoteBound(state);
  const stays = new Set<number>();
  let cut = units.length;
  for (let kept = 0, newer = 0; cut > 0; cut -= 1) {
    const { start, end, tokens } = units[cut - 1]!;
    const unit = items.slice(start, end);
    const verbatim = cut === units.length || newer < whole;
    kept += verbatim ? tokens : unit.reduce((sum, item) => sum + costCleared(item), 0);
    newer += tokens;
    for (const { n } of unit) stays.add(n);
    const older = human.filter(({ n }) => !stays.has(n));
    if (cut < units.length && kept + said(older, { state, cap, quotes }) > room) break;
  }
  return cut;
}

/** What an item costs at most once results are cleared, in tokens. */
const costCleared = (item: WorkingItem): number =>
  isClearable(item) ? Math.min(item.shown, clearedTokens) : item.shown;

/** What the marker in place of a result takes at most, in tokens. */
const clearedTokens = 20;

/** The items of a view that a stretch takes. */
export function itemsIn(view: FrameView, stretch: CompressionRange): readonly WorkingItem[] {
  const last = ordinal(stretch.to);
  return view.items.filter((item) => item.n <= last);
}
