import { targetOf } from './aging.ts';
import { caps, factors, limitOf, rest } from './budget.ts';
import type { Stretch } from './compression.ts';
import { entryId } from './id.ts';
import type { State } from './state.ts';
import { olderHuman } from './human-section.ts';
import { unitsOf, type View } from './view.ts';
import type { FrameId } from './id.ts';

// What a compression takes: whole units, oldest first, until what stays is at
// most half of what will then be available. How much that is depends on parts
// that the compression itself makes, so they are reckoned at their caps.

/** What may stay of a working part after a compression, and the factor that this takes. */
export interface Allowance {
  /** Tokens for the newest entries. */
  readonly keep: number;
  /** What all caps are scaled by, so that the rest fits. */
  readonly factor: number;
}

/**
 * The tokens that the newest entries of a frame may keep: `preserveRecent`, and
 * what other parts do not need, within half of what is available afterwards.
 */
export function allowance(state: State, frame: FrameId): Allowance {
  const limit = limitOf(state.options, state.ratio);
  const { sizes } = state.shown;
  const free = limit - sizes.system - state.tools.tokens;
  const human = humanOf(state, frame);
  const wanted = state.options.preserveRecent ?? Math.floor(caps.recent * limit);
  for (const factor of factors) {
    const made =
      Math.min(sizes.goal, caps.goal * limit * factor) +
      Math.min(sizes.frames, caps.frames * limit * factor) +
      checkpointTokens(state, frame, factor) +
      caps.ledger * limit * factor;
    const said = Math.min(human, caps.human * limit * factor);
    const keep = Math.floor(rest * (free - made) - said);
    if (keep >= wanted * factor || factor === factors.at(-1)) return { keep, factor };
  }
  return { keep: 0, factor: 0 };
}

/** The checkpoints of a frame after one more compression, at their full length, in tokens. */
function checkpointTokens(state: State, frame: FrameId, factor: number): number {
  const limit = limitOf(state.options, state.ratio);
  const existing = state.views.get(frame)?.checkpoints.length ?? 0;
  const ages = (['recent', 'old', 'ancient', 'merged'] as const).slice(0, existing + 1);
  return ages.reduce((sum, age) => sum + targetOf(age, { limit, factor }) + blockTokens, 0);
}

/** What the tags around a checkpoint cost, in tokens. */
export const blockTokens = 40;

/** A stretch below this many tokens is not worth a checkpoint, whose tags alone cost half of it. */
const leastStretch = 2 * blockTokens;

function humanOf(state: State, frame: FrameId): number {
  const older = olderHuman(state, state.newest).reduce((sum, { shown }) => sum + shown, 0);
  if (frame !== state.active) return older;
  const items = state.views.get(frame)?.items ?? [];
  return older + items.reduce((sum, item) => sum + (item.human ? item.shown : 0), 0);
}

/**
 * The oldest units of a frame beyond `keep` tokens, or null where there is
 * nothing to take. The newest unit always stays, and so does a unit that waits
 * for results.
 */
export function select(state: State, frame: FrameId, keep: number): Stretch | null {
  const view = state.views.get(frame);
  if (view === undefined) return null;
  const units = unitsOf(view);
  let cut = units.length - 1;
  for (let kept = units[cut]?.tokens ?? 0; cut > 0; cut -= 1) {
    kept += units[cut - 1]!.tokens;
    if (kept > keep) break;
  }
  const items = view.items.slice(0, units[cut]?.start ?? 0);
  const taken = items.filter(({ human }) => !human);
  const entries = new Set(taken.map(({ n }) => n));
  const tokens = taken.reduce((sum, { shown }) => sum + shown, 0);
  if (tokens < leastStretch) return null;
  return {
    frame,
    from: entryId(Math.min(...entries)),
    to: entryId(items.at(-1)!.n),
    entries: entries.size,
    tokens,
  };
}

/** The items of a view that a stretch takes. */
export function taken(view: View, stretch: Stretch): readonly View['items'][number][] {
  const last = Number(stretch.to.slice(1));
  return view.items.filter((item) => item.n <= last);
}
