import { limitIn, shareableIn, wholeIn } from '../state/limit.ts';
import { ages, targetOf } from '../checkpoints/aging.ts';
import {
  caps,
  factors,
  leastUsefulFactor,
  verbatimShare,
  workingAfter,
  workingMost,
} from '../budget/budget.ts';
import type { CompressionRange } from '../checkpoints/compression-state.ts';
import { entryId, ordinal, type FrameId } from '../values/id.ts';
import type { State } from '../state/state.ts';
import { readOnce } from '../values/read-once.ts';
import { offloadedHuman, olderHuman, quotesOf, shownHuman } from '../sections/human-section.ts';
import {
  isClearable,
  unitsOf,
  type HumanEntry,
  type Quote,
  type WorkingItem,
  type Unit,
  type FrameView,
} from '../state/view.ts';

// What a compression takes: whole units, oldest first, until what stays fills the
// window as far as it should be filled then, at the cut that comes closest to it.
// How much that is depends on parts that the compression itself makes, so these are
// estimated; but no more stays than leaves room for what comes next, were these as
// large as their caps under the least useful factor. Of what stays, the
// newest is verbatim; before it, tool results give way to markers: what an agent
// said and did is taken up again more often than what it was shown.

/**
 * The range of the oldest units of a frame that a compression replaces, so that the rest is within
 * its allowance; all units but the newest where `onlyNewest`. Null where that is less than a
 * checkpoint is worth. The newest unit always stays; one that waits for results is always the newest.
 */
export function select(state: State, frame: FrameId, onlyNewest = false): CompressionRange | null {
  const view = state.views.get(frame);
  if (view === undefined) return null;
  const units = unitsOf(view);
  if (onlyNewest) return rangeBefore(frame, view, units.at(-1));
  const cached = selected.get(state);
  if (cached?.frame === frame) return cached.range;
  const range = rangeBefore(frame, view, units[firstKeptUnit(state, frame, units)]);
  selected.set(state, { frame, range });
  return range;
}

/** What was selected last of a state: whether there is anything is asked before it is taken. */
const selected = new WeakMap<
  State,
  { readonly frame: FrameId; readonly range: CompressionRange | null }
>();

/** The range of the items before a unit; null where it is not worth a checkpoint. */
function rangeBefore(
  frame: FrameId,
  view: FrameView,
  kept: Unit | undefined,
): CompressionRange | null {
  const items = view.items.slice(0, kept?.start ?? 0);
  const replaced = items.filter(({ human }) => !human);
  const entries = new Set(replaced.map(({ n }) => n));
  const tokens = replaced.reduce((sum, { shown }) => sum + shown, 0);
  if (tokens < leastRange) return null;
  return {
    frame,
    from: entryId(Math.min(...entries)),
    to: entryId(Math.max(...items.map(({ n }) => n))),
    entries: entries.size,
    tokens,
  };
}

/** The same where there is room for all: leaves only the newest entries, up to their share of the limit. */
export function selectToRecent(state: State, frame: FrameId): CompressionRange | null {
  const most = Math.floor(caps.recent * wholeIn(state));
  const preserveRecent = Math.min(most, state.options.preserveRecent ?? most);
  return select({ ...state, options: { ...state.options, preserveRecent } }, frame);
}

/** The items of a view up to the end of a range. */
export function itemsIn(view: FrameView, range: CompressionRange): readonly WorkingItem[] {
  const last = ordinal(range.to);
  return view.items.filter((item) => item.n <= last);
}

/** What the working part may keep after a compression, in tokens, and the factor that leaves it so much. */
interface Allowance {
  /** For the newest entries. */
  readonly keep: number;
  /** For those of them that stay verbatim as a whole. */
  readonly whole: number;
  /** For human text and the newest entries together. */
  readonly room: number;
  /** Scales the caps of all sections. */
  readonly factor: number;
}

/**
 * What the newest entries of a frame may keep: all that the window has room for afterwards, or
 * `preserveRecent` within that; under the largest factor that leaves them their share.
 */
export function allowance(state: State, frame: FrameId): Allowance {
  const whole = wholeIn(state);
  const shareable = shareableIn(state);
  const human = spokenOutside(state, humanOutside(state, frame)).without([]);
  const quotes = quoteTokens(state);
  const { preserveRecent } = state.options;
  const least = Math.floor(Math.min(caps.recent * whole, preserveRecent ?? whole));
  const under = (factor: number): Allowance => {
    const spoken = humanTokens(state, human, { cap: caps.human * whole * factor, quotes });
    const memory = memoryTokens(state, { frame, factor, spoken });
    const fixed =
      headTokens(state, treeBound(state, factor)) + Math.min(memory.most, memory.likely);
    const most = workingAfter(state.options, shareable, fixed) - spoken;
    const keep = Math.min(most, preserveRecent ?? most);
    const verbatim = preserveRecent === null ? Math.floor(keep * verbatimShare) : keep;
    return { keep, whole: verbatim, room: keep + spoken, factor };
  };
  const largest = factors.find((factor) => under(factor).keep >= least * factor);
  return under(largest ?? 0);
}

/** Tokens of the tags around a checkpoint. */
export const checkpointTagTokens = 40;

/** Fewest tokens that are worth a checkpoint, whose tags alone cost half of it. */
export const leastRange: number = 2 * checkpointTagTokens;

/** About how many tokens human entries grow by where they stand together: their title, a head for each, and indented lines. */
function movedTokens({ entries, shown }: Spoken): number {
  return entries === 0 ? 0 : 30 + 10 * entries + Math.ceil(shown / 8);
}

/** Most tokens of the breadcrumb over offloaded human text. */
const breadcrumbTokens = 32;

/** Most tokens of a marker in place of a result. */
const clearedTokens = 20;

/** Most tokens of the tree in its final form: three titles, a count and a range for each. */
const leastTree = 240;

/** The index of the first unit that stays: the one with which the newest come closest to their room, among those that surely leave some. */
function firstKeptUnit(state: State, frame: FrameId, units: readonly Unit[]): number {
  const { room, keep, whole, factor } = allowance(state, frame);
  const cap = caps.human * wholeIn(state) * factor;
  const sure = sureRoom(state, frame, Math.min(factor, leastUsefulFactor));
  const items = state.views.get(frame)!.items;
  const quotes = quoteTokens(state);
  const outside = spokenOutside(state, humanOutside(state, frame));
  let left = 0;
  let most = 0;
  let first = units.length;
  for (let kept = 0, least = 0, newer = 0; first > 0; first -= 1) {
    const { start, end, tokens } = units[first - 1]!;
    const unit = items.slice(start, end);
    const said = unit.filter(({ human }) => human).map(({ n }) => n);
    if (said.length > 0 || first === units.length) {
      const spoken = outside.without(said);
      left = room - humanTokens(state, spoken, { cap, quotes });
      most = sure(spoken);
    }
    const bare = unit.reduce((sum, item) => sum + clearedCost(item), 0);
    const before = kept;
    const isVerbatim = newer < whole && (whole === keep || kept + tokens <= left);
    kept += isVerbatim || first === units.length ? tokens : bare;
    least += first === units.length ? tokens : bare;
    newer += tokens;
    if (first < units.length && (kept - left > left - before || least > most)) break;
  }
  return first;
}

/**
 * What entries may take where so much human text stands before them, in tokens, so that there is room
 * for what comes next under a factor, whatever a compression makes of the sections.
 */
function sureRoom(state: State, frame: FrameId, factor: number): (older: Spoken) => number {
  const whole = wholeIn(state);
  const shareable = shareableIn(state);
  const quotes = quoteTokens(state);
  const isPlain = state.frames.length === 1 && state.timeline.left.length === 0;
  const head = headTokens(state, isPlain ? 0 : treeCap(state, factor));
  const checkpoints = checkpointTokens(state, frame, factor);
  const memory = memoryCap(whole, factor);
  return (older) => {
    const spoken = humanTokens(state, older, { cap: caps.human * whole * factor, quotes });
    const most = checkpoints + Math.max(0, memory - spoken);
    return workingMost(state.options) * (shareable - head - most) - spoken - movedTokens(older);
  };
}

const clearedCost = (item: WorkingItem): number =>
  isClearable(item) ? Math.min(item.shown, clearedTokens) : item.shown;

/** Human entries that stand before the items of a frame, or will once these are replaced; oldest first. */
function humanOutside(state: State, frame: FrameId): readonly HumanEntry[] {
  return frame === state.active ? shownHuman(state) : olderHuman(state, state.newest);
}

/** How much people said. */
interface Spoken {
  readonly entries: number;
  /** Tokens of all entries. */
  readonly shown: number;
  /** Those of the first and the newest of them, which are never offloaded. */
  readonly pinned: number;
}

/** How much people said where entries are left out, more and more of them. */
function spokenOutside(
  { newest }: State,
  human: readonly HumanEntry[],
): { without(gone: readonly number[]): Spoken } {
  const remaining = new Map(human.map(({ n, shown }) => [n, shown]));
  let all = human.reduce((sum, { shown }) => sum + shown, 0);
  let first = 0;
  return {
    without(gone) {
      for (const n of gone) {
        all -= remaining.get(n) ?? 0;
        remaining.delete(n);
      }
      while (first < human.length && !remaining.has(human[first]!.n)) first += 1;
      const pinned = new Set([human[first]?.n ?? 0, newest?.n ?? 0]);
      const pinnedTokens = [...pinned].reduce((sum, n) => sum + (remaining.get(n) ?? 0), 0);
      return { entries: remaining.size, shown: all, pinned: pinnedTokens };
    },
  };
}

/** Tokens of human text before the working part, with its quotes: up to its cap, but never less than the first and the newest entry. */
function humanTokens(
  state: State,
  { shown, pinned }: Spoken,
  { cap, quotes }: { cap: number; quotes: number },
): number {
  const breadcrumb = shown > cap || offloadedHuman(state) !== null ? breadcrumbTokens : 0;
  return Math.max(pinned + breadcrumb, Math.min(shown + quotes, cap));
}

/** Tokens of all quotes, estimated at one for two characters; scripts that cost more are bounded by the cap. */
const quoteTokens = (state: State): number => estimated(quotesOf(state));

const estimated = readOnce((quotes: readonly Quote[]) =>
  quotes.reduce((sum, { text }) => sum + text.length / 2 + breadcrumbTokens / 2, 0),
);

/** Most tokens of the goal: its size, or its cap if it is another than the one shown. */
function goalBound(state: State): number {
  const { goal, epochView } = state;
  return goal === epochView.goal ? epochView.sizes.goal : Math.floor(caps.goal * limitIn(state));
}

/** Tokens of the goal, which no compression changes, and of a tree. */
const headTokens = (state: State, tree: number): number => goalBound(state) + tree;

/** Most tokens of the tree: its size, or its cap if frames came since; never below its final form. */
function treeBound(state: State, factor: number): number {
  const { frames, epochView } = state;
  const most = treeCap(state, factor);
  return frames.length === epochView.frames.length ? Math.min(epochView.sizes.frames, most) : most;
}

/** Most tokens of any tree under a factor. */
const treeCap = (state: State, factor: number): number =>
  Math.max(leastTree, caps.frames * wholeIn(state) * factor);

/** Tokens of chronicle and checkpoints after one more compression of a frame: as a rule, and at most beside so much human text. */
function memoryTokens(
  state: State,
  options: { readonly frame: FrameId; readonly factor: number; readonly spoken: number },
): { readonly likely: number; readonly most: number } {
  const { frame, factor, spoken } = options;
  const whole = wholeIn(state);
  const { checkpoints, chronicle } = state.epochView.sizes;
  return {
    likely:
      checkpoints + chronicle + targetOf('recent', { limit: whole, factor }) + checkpointTagTokens,
    most: checkpointTokens(state, frame, factor) + Math.max(0, memoryCap(whole, factor) - spoken),
  };
}

/** Most tokens of older human text and chronicle together. */
const memoryCap = (whole: number, factor: number): number =>
  (caps.human + caps.chronicle) * whole * factor;

/** Most tokens of the checkpoints of a frame after one more compression, with what was recovered. */
function checkpointTokens(state: State, frame: FrameId, factor: number): number {
  const scale = { limit: wholeIn(state), factor };
  const existing = state.views.get(frame)?.checkpoints ?? [];
  const lengths = ages
    .slice(0, existing.length + 1)
    .map((age) => targetOf(age, scale) + checkpointTagTokens);
  const oldest = existing[0]?.age === 'merged' ? existing[0].tokens : 0;
  return (
    lengths.reduce((sum, tokens) => sum + tokens, 0) +
    Math.max(0, oldest - targetOf('merged', scale)) +
    (state.losses.recovered?.tokens ?? 0)
  );
}
