import { factors, workingTarget } from '../../core/budget/budget.ts';
import { fail } from '../../core/values/error.ts';
import { shownHuman } from '../../core/sections/human-section.ts';
import type { State } from '../../core/state/state.ts';
import type { RewindCause } from '../../core/state/timeline.ts';
import type { HumanEntry } from '../../core/state/view.ts';
import { clearToRoom } from './clear-to-room.ts';
import {
  fallbackEvent,
  moveCompression,
  startCompression,
  type CompressionRequest,
} from './compress.ts';
import type { Draft } from '../step/draft.ts';
import { fits, measure } from '../step/measure.ts';
import { beginEpoch, smallestFactor } from './begin-epoch.ts';
import { inOrderOfLeaving, offloadHuman } from './human-text.ts';
import { clearResults, shortenGiants } from './shrink-entries.ts';
import { ageTo, mergeCheckpoints } from './age-checkpoints.ts';

// What happens when the prompt is too long, gentlest step first:
//
// 1. After a step that reaches the trigger, `compressIfDue` (its own file) starts a compression.
//    Giants and old tool results wait for the epoch that it begins anyway.
// 2. An assembly that does not fit cannot wait: `shrinkToFit` takes the rungs of
//    `ladder` in order, and at last starts the frame over (`rollOver`).
// 3. A rung is repeated while it makes progress, and left when it makes none; so
//    the ladder ends, at the latest with an error that names what cannot shrink.
//
// `compression: 'manual'` leaves only giants to the engine; `strategy: 'compress'`
// leaves out starting over, `'rollover'` starts over as soon as the trigger is reached.

/** One way to make the assembly smaller; says whether it made progress. */
type Rung = (draft: Draft) => boolean;

/** A rung, with a new epoch to show its progress. */
const inNewEpoch =
  (rung: Rung): Rung =>
  (draft) => {
    const progress = rung(draft);
    if (progress) beginEpoch(draft, 1);
    return progress;
  };

export const shortenInNewEpoch = inNewEpoch(shortenOversized);

const ladder: readonly Rung[] = [
  skipSummarizer,
  shortenInNewEpoch,
  inNewEpoch((draft) => clearToRoom(draft) !== null),
  inNewEpoch(clearAllResults),
  (draft) => compressNow(draft),
  (draft) => compressNow(draft, { onlyNewest: true }),
  inNewEpoch(shrinkOldest),
  inNewEpoch(mergeAllCheckpoints),
  inNewEpoch(offloadExcess),
  shrinkSections,
];

/**
 * Makes the assembly fit, whatever it takes; throws `CONTEXT_OVERFLOW` with the
 * size of each part where nothing more can shrink.
 */
export function shrinkToFit(draft: Draft): void {
  if (!runLadder(draft)) throw overflow(draft.state);
}

/** Takes every rung that is needed; says whether the assembly fits. */
export function runLadder(draft: Draft): boolean {
  const { compression, strategy } = draft.state.options;
  const rungs = compression === 'manual' ? [shortenInNewEpoch] : ladder;
  const last = compression === 'manual' || strategy === 'compress' ? [] : [rollOver];
  for (const rung of [...rungs, ...last]) {
    while (!fits(draft.state) && rung(draft)) continue;
    if (fits(draft.state)) return true;
  }
  return fits(draft.state);
}

/** The error for an assembly that cannot fit; `cause` is the rewind that led to it. */
export function overflow(state: State, cause?: RewindCause): Error {
  const { limit, total, system, tools, goal, frames, checkpoints, chronicle, human, working } =
    measure(state);
  const parts = { system, tools, goal, frames, checkpoints, chronicle, human, working };
  const named = Object.entries(parts)
    .filter(([, tokens]) => tokens > 0)
    .map(([part, tokens]) => `${part} ${tokens}`);
  return fail(
    'CONTEXT_OVERFLOW',
    `An assembly of ${total} tokens exceeds its limit of ${limit}: ${named.join(', ')}`,
    { limit, total, parts, ...(cause === undefined ? {} : { cause }) },
  );
}

/** Ends the wait for a summarizer with the deterministic summary. */
function skipSummarizer(draft: Draft): boolean {
  const { active } = draft.state;
  if (draft.state.views.get(active)?.compression == null) return false;
  moveCompression(draft, active, fallbackEvent);
  return true;
}

/** Shortens giants, and a newest unit that leaves no room for a compression; begins no epoch. */
export function shortenOversized(draft: Draft): boolean {
  return shortenGiants(draft, roomForNewest(draft));
}

/** What the newest unit may take so that a compression can reach its target, in tokens. */
function roomForNewest(draft: Draft): number {
  const { available, human } = measure(draft.state);
  const most = workingTarget(draft.state.options) * available;
  return Math.max(1, Math.floor(most - Math.min(human, most * 0.6)));
}

/** Clears the tool results of the active frame; begins no epoch. */
export function clearAllResults(draft: Draft): boolean {
  return clearResults(draft, { frame: draft.state.active, room: 0 });
}

/** Compresses the active frame without waiting for a summarizer; says whether there was anything to take. */
export function compressNow(
  draft: Draft,
  options: Pick<CompressionRequest, 'onlyNewest' | 'takesAny' | 'before'> = {},
): boolean {
  const { active: frame, checkpointCount } = draft.state;
  startCompression(draft, { takesAny: true, ...options, frame, atOnce: true, force: true });
  return draft.state.checkpointCount > checkpointCount;
}

/** Shortens the oldest checkpoint that is not yet as short as a merged one, with those before it, which are no younger. */
function shrinkOldest(draft: Draft): boolean {
  const { active: frame, views } = draft.state;
  const checkpoints = views.get(frame)?.checkpoints ?? [];
  const long = checkpoints.findIndex(({ age, tokens }) => age !== 'merged' && tokens > 0);
  for (const { id, age } of checkpoints.slice(0, long + 1))
    if (age !== 'merged') ageTo(draft, { frame, checkpoint: id, age: 'merged', factor: 1 });
  return long >= 0;
}

/** Merges the checkpoints of the active frame into one; begins no epoch. */
function mergeAllCheckpoints(draft: Draft): boolean {
  const { active: frame, views } = draft.state;
  const merge = views.get(frame)?.checkpoints.map(({ id }) => id) ?? [];
  if (merge.length < 2) return false;
  mergeCheckpoints(draft, { frame, merge });
  return true;
}

/** Offloads as much of what people said as is too much and as much again, for its quotes come back. */
function offloadExcess(draft: Draft): boolean {
  const { total, limit } = measure(draft.state);
  return offloadLongest(draft, 2 * (total - limit));
}

/** Offloads human entries of so many tokens, long and old ones first, but never the first and the latest; says whether any was shown. */
export function offloadLongest(draft: Draft, tokens: number): boolean {
  let left = tokens;
  const gone: HumanEntry[] = [];
  for (const entry of inOrderOfLeaving(draft, offloadable(draft.state))) {
    if (left <= 0) break;
    left -= entry.shown;
    gone.push(entry);
  }
  return offloadHuman(draft, gone);
}

const offloadable = (state: State): readonly HumanEntry[] =>
  shownHuman(state)
    .slice(1)
    .filter(({ n }) => n !== state.newest?.n);

/** Lays the sections out under the smallest factor: the tree as titles, no chronicle. */
function shrinkSections(draft: Draft): boolean {
  if (draft.state.epochView.plan.factor === factors.at(-1)) return false;
  beginEpoch(draft, smallestFactor);
  return true;
}

/**
 * Starts the active frame over: only its newest human entry, its newest unit and
 * one merged checkpoint stay in view, and the sections are laid out anew. What is
 * less than a checkpoint is worth stays, too, where there is room for it.
 */
export function rollOver(draft: Draft): boolean {
  const { active: frame } = draft.state;
  const before = measure(draft.state).total;
  compressNow(draft, { onlyNewest: true, takesAny: !fits(draft.state) });
  mergeAllCheckpoints(draft);
  const { newest } = draft.state;
  offloadHuman(
    draft,
    shownHuman(draft.state).filter(({ n }) => n !== newest?.n),
  );
  draft.record({ type: 'session.rolledOver', frame });
  const target = workingTarget(draft.state.options);
  beginEpoch(draft, target);
  const { available, human } = measure(draft.state);
  if (shortenGiants(draft, Math.max(1, Math.floor(available - human)))) beginEpoch(draft, target);
  return measure(draft.state).total < before;
}
