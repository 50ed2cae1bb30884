import { limitIn } from '../../core/state/limit.ts';
import { factors, workingTarget } from '../../core/budget/budget.ts';
import { fail } from '../../core/values/error.ts';
import { shownHuman } from '../../core/assembly/human-section.ts';
import type { State } from '../../core/state/state.ts';
import type { RewindCause } from '../../core/state/timeline.ts';
import type { Human } from '../../core/state/view.ts';
import { fallback, moveCompression, startCompression } from './compress.ts';
import type { Draft } from '../step/draft.ts';
import { fits, isDue, measure } from '../step/measure.ts';
import { offload, beginEpoch, smallestFactor } from './begin-epoch.ts';
import { clearResults, shortenGiants } from './shrink-entries.ts';
import { ageTo, mergeCheckpoints } from './age-checkpoints.ts';

// What is done when the window runs short, gentlest first. After a step that
// reaches the trigger, `relieve` compresses: since a new epoch costs the same
// whatever little is done in it, giants and old results are not shortened in
// epochs of their own. `makeFit` is for an assembly that does not fit and cannot
// wait: it climbs every rung it needs. Each rung says whether it made progress;
// one that did not is not tried again, so the ladder ends, at the latest with a
// refusal that names what cannot shrink.
//
// `compression: 'manual'` leaves only giants to the engine; `strategy:
// 'compress'` leaves out starting over, `'rollover'` does
// that at once at the trigger.

/** After a step: if the working part has reached the trigger, begins to bring it down. */
export function compressIfDue(draft: Draft): void {
  const { options, active } = draft.state;
  if (options.compression === 'manual' || !isDue(draft.state)) return;
  const view = draft.state.views.get(active);
  if (view === undefined || view.compression !== null) return;
  if (view.isHeld === true) {
    if (fits(draft.state)) return;
  } else if (view.stuckAt > 0 && view.tokens < view.stuckAt + growthToRetry(draft.state)) return;
  if (options.strategy === 'rollover') {
    rollOver(draft);
    return;
  }
  // What cannot wait needs a new epoch anyway, so it is used for a compression, due or not.
  const spilled = !fits(draft.state) && shortenWithin(draft);
  const before = draft.state.checkpoints;
  startCompression(draft, { frame: active, force: spilled });
  if (spilled && draft.state.checkpoints === before) beginEpoch(draft, 1);
  const stillDue = (): boolean =>
    isDue(draft.state) && draft.state.views.get(active)?.compression === null;
  if (stillDue()) spillGiants(draft);
  if (stillDue()) offloadOld(draft);
}

/** How much a frame must grow, in tokens, before a compression that found nothing to take is tried again. */
function growthToRetry(state: State): number {
  return Math.ceil(limitIn(state) * 0.02);
}

type Rung = (draft: Draft) => boolean;

const ladder: readonly Rung[] = [
  skipSummarizer,
  spillGiants,
  clearAll,
  (draft) => compressNow(draft),
  (draft) => compressNow(draft, true),
  ageFurther,
  mergeAll,
  offloadHuman,
  shrinkHead,
];

/**
 * Makes the assembly fit, whatever it takes; throws `CONTEXT_OVERFLOW` with the
 * size of each part where nothing more can shrink.
 */
export function shrinkToFit(draft: Draft): void {
  if (!runLadder(draft)) throw overflow(draft.state);
}

/** Climbs every rung that is needed; says whether the assembly fits. */
export function runLadder(draft: Draft): boolean {
  const { compression, strategy } = draft.state.options;
  const rungs = compression === 'manual' ? [spillGiants] : ladder;
  const last = compression === 'manual' || strategy === 'compress' ? [] : [rollOver];
  for (const rung of [...rungs, ...last]) {
    while (!fits(draft.state) && rung(draft)) continue;
    if (fits(draft.state)) return true;
  }
  return fits(draft.state);
}

/** The refusal of a call that cannot fit, or of the way back that led to it. */
export function overflow(state: State, cause?: RewindCause): Error {
  const { limit, total, system, tools, goal, frames, checkpoints, ledger, human, working } =
    measure(state);
  const parts = { system, tools, goal, frames, checkpoints, ledger, human, working };
  const named = Object.entries(parts)
    .filter(([, tokens]) => tokens > 0)
    .map(([part, tokens]) => `${part} ${tokens}`);
  return fail(
    'CONTEXT_OVERFLOW',
    `An assembly of ${total} tokens exceeds its limit of ${limit}: ${named.join(', ')}`,
    { limit, total, parts, ...(cause === undefined ? {} : { cause }) },
  );
}

/** Waits for no summarizer. */
function skipSummarizer(draft: Draft): boolean {
  const { active } = draft.state;
  if (draft.state.views.get(active)?.compression == null) return false;
  moveCompression(draft, active, fallback);
  return true;
}

function spillGiants(draft: Draft): boolean {
  return raised(draft, shortenWithin(draft));
}

/** Shortens giants, and begins no epoch; says whether anything became shorter. */
export function shortenWithin(draft: Draft): boolean {
  return shortenGiants(draft, roomForNewest(draft));
}

/** What the newest unit may take so that a compression can reach its rest, in tokens. */
function roomForNewest(draft: Draft): number {
  const { available, human } = measure(draft.state);
  const most = workingTarget(draft.state.options) * available;
  return Math.max(1, Math.floor(most - Math.min(human, most * 0.6)));
}

function clearAll(draft: Draft): boolean {
  return raised(draft, clearResults(draft, { frame: draft.state.active, keep: 0 }));
}

/** Compresses the active frame without waiting for a summarizer; says whether there was anything to take. */
export function compressNow(draft: Draft, onlyNewest = false): boolean {
  const before = draft.state.checkpoints;
  startCompression(draft, { frame: draft.state.active, onlyNewest, hurry: true, force: true });
  return draft.state.checkpoints > before;
}

function ageFurther(draft: Draft): boolean {
  const { state } = draft;
  const { active: frame } = state;
  const step = state.views
    .get(frame)
    ?.checkpoints.find(({ age, tokens }) => age !== 'merged' && tokens > 0);
  if (step === undefined) return false;
  ageTo(draft, { frame, checkpoint: step.id, age: 'merged', factor: 1 });
  return raised(draft, true);
}

function mergeAll(draft: Draft): boolean {
  const { active: frame } = draft.state;
  const merge = draft.state.views.get(frame)?.checkpoints.map(({ id }) => id) ?? [];
  if (merge.length < 2) return false;
  mergeCheckpoints(draft, { frame, merge, factor: 1 });
  return raised(draft, true);
}

/** Offloads the oldest of what people said, where that is what fills the working part, until it is at its rest. */
function offloadOld(draft: Draft): void {
  const { human, working, available } = measure(draft.state);
  let over = human + working - workingTarget(draft.state.options) * available;
  const gone: Human[] = [];
  for (const entry of offloadable(draft.state)) {
    if (over <= 0) break;
    over -= entry.shown;
    gone.push(entry);
  }
  if (offload(draft, gone)) beginEpoch(draft, workingTarget(draft.state.options));
}

/** Offloads all human entries but the first and the latest. */
function offloadHuman(draft: Draft): boolean {
  const gone = offloadable(draft.state);
  return raised(draft, offload(draft, gone));
}

function offloadable(state: State): readonly Human[] {
  return shownHuman(state)
    .slice(1)
    .filter(({ n }) => n !== state.newest?.n);
}

/** Tree to titles, no ledger: the smallest factor. */
function shrinkHead(draft: Draft): boolean {
  if (draft.state.shown.plan.factor === factors.at(-1)) return false;
  beginEpoch(draft, smallestFactor);
  return true;
}

/**
 * Starts the frame's part over: of its own, only the newest human entry, the
 * newest unit and one merged checkpoint stay in view. Goal, tree and ledger are
 * laid out anew.
 */
function rollOver(draft: Draft): boolean {
  const { state } = draft;
  const { active: frame } = state;
  const before = measure(state).total;
  compressNow(draft, true);
  const checkpoints = draft.state.views.get(frame)?.checkpoints ?? [];
  if (checkpoints.length > 1)
    mergeCheckpoints(draft, { frame, merge: checkpoints.map(({ id }) => id), factor: 1 });
  const { newest } = draft.state;
  offload(
    draft,
    shownHuman(draft.state).filter(({ n }) => n !== newest?.n),
  );
  draft.record({ type: 'session.rolledOver', frame });
  beginEpoch(draft, workingTarget(draft.state.options));
  const { available, human } = measure(draft.state);
  if (shortenGiants(draft, Math.max(1, Math.floor(available - human))))
    beginEpoch(draft, workingTarget(draft.state.options));
  return measure(draft.state).total < before;
}

function raised(draft: Draft, progress: boolean): boolean {
  if (progress) beginEpoch(draft, 1);
  return progress;
}
