import { lifecycles } from '../../../machines/lifecycle.ts';
import { fail } from '../../core/values/error.ts';
import type { Frame } from '../../core/frames/frame.ts';
import { ordinal, type FrameId } from '../../core/values/id.ts';
import { at } from '../../core/values/persistent-vector.ts';
import { limitIn } from '../../core/state/limit.ts';
import type { RewindCause, Undoable } from '../../core/state/timeline.ts';
import type { InputOf, Recorded, PastState } from '../../core/state/input.ts';
import { rewoundState, toRestoredFact } from '../../core/host-history/restored-state.ts';
import type { State } from '../../core/state/state.ts';
import { change, path } from '../../core/frames/tree.ts';
import { cancelCompression } from '../compression/compress.ts';
import { digestLengths, extractDigest, toPartial } from './frame-digest.ts';
import { newDraft, type Draft } from '../step/draft.ts';
import { fits, isDue, measure } from '../step/measure.ts';
import { clearToRoom } from '../compression/clear-to-room.ts';
import { beginEpoch } from '../compression/begin-epoch.ts';
import { cancelRecovery } from './recovery.ts';
import { snapshotOf } from '../step/snapshots.ts';
import {
  runLadder,
  compressNow,
  overflow,
  shortenOversized,
  clearAllResults,
} from '../compression/overflow-ladder.ts';

// Undo, redo, restore and fork: the session goes back to an old state, and keeps
// all that was said since.
//
// 1. `rewindTarget` finds the journal record to go back to. The state after it is
//    read before the step is decided (`time-travel/read-past.ts`) and comes with
//    the input; it is never stored, so replay reads it again.
// 2. `rewind` puts the entries since behind that state, or leaves them, and records one fact,
//    `state.restored`, which holds all that differs: a fold never looks back.
// 3. Where nothing before the entries changed, the old epoch is shown again byte
//    for byte. Otherwise, or where it does not fit, `shrinkRewound` begins a new
//    one; what cannot fit is refused, and nothing has happened.
// 4. A state at its trigger, as it is before a compression, is left as it is and
//    compressed only once it does not fit.
//
// A host that forks its history is never refused: the next assembly makes room.

/** A rewind as the journal keeps it. */
export type Rewind = Extract<Recorded, { type: 'restore' }>;

/** The record that a rewind goes back to, and the step it takes back or again; throws `UNDO_EMPTY`, `REDO_EMPTY`, `SNAPSHOT_NOT_FOUND`. */
export function rewindTarget(
  state: State,
  { cause, snapshot, fork }: Pick<Rewind, 'cause' | 'snapshot' | 'fork'>,
): { readonly from: number; readonly what: Undoable } {
  const { session, timeline } = state;
  switch (cause) {
    case 'undo': {
      const step = timeline.done.at(-1);
      if (step === undefined)
        throw fail(
          'UNDO_EMPTY',
          'There is no step to take back: no compression, pop, push, invalidation, restore, goal or recovery from documents is left',
          { session },
        );
      return { from: step.to, what: step.what };
    }
    case 'redo': {
      const step = timeline.undone.at(-1);
      if (step === undefined)
        throw fail(
          'REDO_EMPTY',
          'There is no step to take again: none was taken back, or another was decided since',
          { session },
        );
      return { from: step.back, what: step.what };
    }
    case 'fork':
      return { from: fork!.from, what: 'restore' };
    case 'restore':
      return { from: snapshotOf(state, snapshot ?? '').seq, what: 'restore' };
  }
}

/** Most tokens of a frame that is made to fit: it is read and summarized in one step. */
const mostTokens = 2_000_000;

/** Refuses a rewind to frames that are too large with the tokens `since`; throws `CONTEXT_OVERFLOW`. */
export function checkRewindSize(
  { views }: State,
  since: ReadonlyMap<FrameId, number>,
  cause: RewindCause,
): void {
  for (const [frame, view] of views) {
    const total = view.tokens + (since.get(frame) ?? 0);
    if (total <= mostTokens) continue;
    throw fail(
      'CONTEXT_OVERFLOW',
      `Frame ${frame} as it was, with what was said since, has ${total} tokens; at most ${mostTokens} can be made to fit`,
      { limit: mostTokens, total, parts: { working: total }, cause },
    );
  }
}

/** Goes back; throws `CONTEXT_OVERFLOW` where the result cannot fit. */
export function rewind(draft: Draft, input: InputOf<'restore'>): void {
  const { cause, snapshot, fork, leaves, past } = input;
  const { from, what } = rewindTarget(draft.state, input);
  cancelPending(draft);
  if (cause === 'undo' && what === 'recovery') cancelRecovery(draft);
  const { count } = draft;
  const context = { cause, fork, leaves, count, at: draft.at, lifecycles };
  const rewound = rewoundState(draft.state, past, context);
  const state = withFreshPartials(draft, rewound, past);
  const isSame = isHeadUnchanged(draft.state, state, past);
  if (snapshot !== null) draft.record({ type: 'snapshot.restored', snapshot });
  draft.record(toRestoredFact(draft.state, state, { cause, what, from }));
  const isShown = isSame && fits(draft.state);
  if (cause === 'fork') {
    if (!isShown) beginEpoch(draft, 1);
    return;
  }
  if (!isShown) shrinkRewound(draft, { cause, what });
  if ((cause === 'undo' && what === 'compression') || isDue(draft.state)) hold(draft);
}

/** Ends compressions, effects and timers: their results would be about a state that is gone. */
function cancelPending(draft: Draft): void {
  for (const frame of draft.state.views.keys()) cancelCompression(draft, frame);
  for (const key of draft.state.outbox.keys()) draft.record({ type: 'effect.ended', key });
  for (const key of draft.state.timers.keys()) draft.record({ type: 'timer.ended', key });
}

/** The state with a new partial result for each parked frame that took entries since: the old one does not cover them. */
function withFreshPartials(draft: Draft, state: State, { state: old }: PastState): State {
  const { count, bodies } = draft;
  const parked = path(state.frames, state.active).filter(({ id }) => id !== state.active);
  const changed = parked.flatMap((frame): readonly Frame[] => {
    const { id, span } = frame;
    const before = at(old.frames, ordinal(id))?.span;
    if (span === null || span[1] === before?.[1]) return [];
    const restored = newDraft(state, { count, bodies, at: draft.at, part: draft.part });
    const text = extractDigest(restored, frame, {
      purpose: 'partial',
      target: digestLengths.partial,
    });
    return [{ ...frame, partial: toPartial(draft, span, text) }];
  });
  return changed.length === 0 ? state : { ...state, frames: change(state.frames, changed) };
}

/** Whether the sections before the entries are what they were in the old state. */
function isHeadUnchanged(
  present: State,
  restored: State,
  { state: old, since }: PastState,
): boolean {
  return (
    restored.timeline.left.length === old.timeline.left.length &&
    since.every(
      (fact) =>
        fact.type !== 'entry.redacted' &&
        (fact.type !== 'entry.appended' || fact.frame === restored.active),
    ) &&
    limitIn(restored) === limitIn(old) &&
    present.tools.tokens === old.tools.tokens &&
    present.epochView.sizes.system === old.epochView.sizes.system &&
    present.losses.recovered === null &&
    old.losses.recovered === null
  );
}

/**
 * Begins a new epoch that fits. First every entry keeps its place; then, unless a
 * compression was taken back, they are compressed and the ladder is run. The
 * ladder begins an epoch after each rung, and offloads human text in each that
 * does not fit yet; so an epoch is tried first, and begins only if it fits.
 * Throws `CONTEXT_OVERFLOW`.
 */
function shrinkRewound(
  draft: Draft,
  { cause, what }: { readonly cause: RewindCause; readonly what: Undoable },
): void {
  const isManual = draft.state.options.compression === 'manual';
  const staysWhole = isManual || (cause === 'undo' && what === 'compression');
  if (beginFittingEpoch(draft)) return;
  if (shortenOversized(draft) && beginFittingEpoch(draft)) return;
  if (!isManual && clearToRoom(draft) && beginFittingEpoch(draft)) return;
  if (!isManual && clearAllResults(draft) && beginFittingEpoch(draft)) return;
  if (staysWhole) {
    beginEpoch(draft, 1);
    throw overflow(draft.state, cause);
  }
  // What the ladder asks is whether the sections that are shown from now on fit.
  if (!compressNow(draft, { before: totalOfEpoch(draft) })) beginEpoch(draft, 1);
  if (!runLadder(draft)) throw overflow(draft.state, cause);
}

/** What the assembly would be in a new epoch: the sizes of the restored one are of other sections. */
function totalOfEpoch(draft: Draft): number {
  const trial = draft.fork();
  beginEpoch(trial, 1);
  return measure(trial.state).total;
}

/** Begins a new epoch if it fits; says whether it does. */
function beginFittingEpoch(draft: Draft): boolean {
  const trial = draft.fork();
  beginEpoch(trial, 1);
  if (!fits(trial.state)) return false;
  draft.adopt(trial);
  return true;
}

/** Puts off the compression of the active frame for as long as all fits: what was taken back stays so, and a state at its trigger is left as it is. */
function hold(draft: Draft): void {
  const { active: frame, views } = draft.state;
  if (views.has(frame)) draft.record({ type: 'compression.skipped', frame, reason: 'gone back' });
}
