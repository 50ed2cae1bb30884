import { lifecycles } from '../../../machines/lifecycle.ts';
import { fail } from '../../core/values/error.ts';
import type { Frame } from '../../core/frames/frame.ts';
import { entryId, type FrameId } from '../../core/values/id.ts';
import { limitIn } from '../../core/state/limit.ts';
import type { RewindCause, Undoable } from '../../core/state/timeline.ts';
import type { Input, Recorded, PastState } from '../../core/state/input.ts';
import { embedded } from '../../core/budget/options.ts';
import { rewoundState, toRestoredFact } from '../../core/host-history/restored-state.ts';
import type { State } from '../../core/state/state.ts';
import { change, path } from '../../core/frames/tree.ts';
import { cancelCompression } from '../compression/compress.ts';
import { digestLengths, harvestFrame } from './frame-digest.ts';
import { newDraft, type Draft } from '../step/draft.ts';
import { fits, isDue } from '../step/measure.ts';
import { beginEpoch } from '../compression/begin-epoch.ts';
import { cancelRecovery } from './recovery.ts';
import { snapshotOf } from '../step/snapshots.ts';
import { runLadder, compressNow, overflow, shortenWithin } from '../compression/overflow-ladder.ts';
import { clearResults } from '../compression/shrink-entries.ts';

// Going back is one step like any other. Its input says only by which way (undo,
// redo, a snapshot); the state that is to come back is read from the journal
// before it is decided, and again where the step is decided again, so that
// `replay` needs no more than the journal. The fact it leads to is sufficient by
// itself: it holds all that differs, so the fold never looks back, and a crash
// leaves either the whole step or nothing of it.
//
// Where nothing since changed what stands before the entries, the old epoch is
// shown again byte for byte. Else it is laid out anew. What does not fit goes up
// the ladder, as for any assembly: what was said since may be far more than the
// window. An undone compression goes up to where nothing is summarized, for that
// is what is taken back. If it cannot fit, it is refused with the sizes. Where a
// host takes another way, that is so whether it fits or not, and the next
// assembly makes room.
//
// What was gone back to may be over the trigger, as it is before a compression:
// it is held, and compressed by itself only when it no longer fits.

/** A way back, as it is recorded. */
export type Rewind = Extract<Recorded, { type: 'restore' }>;

/** The record that a way back leads to, and the step it is about; throws `UNDO_EMPTY`, `REDO_EMPTY`, `SNAPSHOT_NOT_FOUND`. */
export function targetOf(
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
          'There is no compression, pop, push, invalidation, restore, goal or recovery from documents to take back',
          { session },
        );
      return { from: step.to, what: step.what };
    }
    case 'redo': {
      const step = timeline.undone.at(-1);
      if (step === undefined)
        throw fail('REDO_EMPTY', 'There is no step to take again', { session });
      return { from: step.back, what: step.what };
    }
    case 'fork':
      return { from: fork!.from, what: 'restore' };
    case 'restore':
      return { from: snapshotOf(state, snapshot ?? '').seq, what: 'restore' };
  }
}

/** Goes back; throws `CONTEXT_OVERFLOW` where the result cannot fit. */
export function restore(draft: Draft, input: Extract<Input, { type: 'restore' }>): void {
  const { cause, snapshot, fork, past } = input;
  const { from, what } = targetOf(draft.state, input);
  waitForNothing(draft);
  if (cause === 'undo' && what === 'recovery') cancelRecovery(draft);
  const { count, at } = draft;
  const given = { cause, fork, count, at, lifecycles };
  const state = withPartials(draft, rewoundState(draft.state, past, given), past);
  const isSame = isAsItWas(draft.state, state, past);
  if (snapshot !== null) draft.record({ type: 'snapshot.restored', snapshot });
  draft.record(toRestoredFact(draft.state, state, { cause, what, from }));
  if (cause === 'fork') {
    if (!isSame || !fits(draft.state)) beginEpoch(draft, 1);
    return;
  }
  if (!isSame || !fits(draft.state)) shrinkRewound(draft, { cause, what });
  hold(draft);
}

/** Lets what is at the trigger stand as long as it fits. */
function hold(draft: Draft): void {
  const { active: frame, views } = draft.state;
  if (!views.has(frame) || !isDue(draft.state)) return;
  draft.record({ type: 'compression.skipped', frame, reason: 'gone back' });
}

/** A new partial result for each frame of the path that is set aside and took entries since: the old one says nothing of them. */
function withPartials(draft: Draft, state: State, { since }: PastState): State {
  const grown = new Set(since.map((fact) => (fact.type === 'entry.appended' ? fact.frame : null)));
  const { count, bodies, at } = draft;
  const aside = path(state.frames, state.active).filter(({ id }) => id !== state.active);
  const changed = aside.flatMap((frame): readonly Frame[] => {
    const { id, span } = frame;
    if (!grown.has(id) || span === null) return [];
    const restored = newDraft(state, { count, bodies, at });
    const text = harvestFrame(restored, frame, {
      purpose: 'partial',
      target: digestLengths.partial,
    });
    const range = { from: entryId(span[0]), to: entryId(span[1]) };
    const partial = { text: draft.write(text), tokens: count(text), ...range, by: embedded };
    return [{ ...frame, partial }];
  });
  return changed.length === 0 ? state : { ...state, frames: change(state.frames, changed) };
}

/** The most that a frame may hold before it is made to fit, in tokens: it is read and summarized in one step. */
const most = 2_000_000;

/** Refuses what is too much to be put together. */
export function refuseTooMuch(
  { views }: State,
  since: ReadonlyMap<FrameId, number>,
  cause: RewindCause,
): void {
  for (const [frame, view] of views) {
    const total = view.tokens + (since.get(frame) ?? 0);
    if (total <= most) continue;
    throw fail(
      'CONTEXT_OVERFLOW',
      `Frame ${frame} as it was, with what was said since, has ${total} tokens; at most ${most} can be made to fit`,
      { limit: most, total, parts: { working: total }, cause },
    );
  }
}

/** Ends compressions under way and whatever a summarizer owes: its answer would be about what is no more. */
function waitForNothing(draft: Draft): void {
  for (const frame of draft.state.views.keys()) cancelCompression(draft, frame);
  for (const key of draft.state.outbox.keys()) draft.record({ type: 'effect.ended', key });
  for (const key of draft.state.timers.keys()) draft.record({ type: 'timer.ended', key });
}

/** Whether what stands before the entries can be what it was: all that came since stands behind it. */
function isAsItWas(present: State, restored: State, { state: old, since }: PastState): boolean {
  return (
    restored.timeline.left.length === old.timeline.left.length &&
    since.every((fact) => fact.type !== 'entry.appended' || fact.frame === restored.active) &&
    limitIn(restored) === limitIn(old) &&
    present.tools.tokens === old.tools.tokens &&
    present.shown.sizes.system === old.shown.sizes.system &&
    present.watch.recovered === null &&
    old.watch.recovered === null
  );
}

// What was gone back to has all that was said since behind it, which may be far
// more than the window. The rungs of the ladder lay out a new epoch after each,
// and where that cannot fit yet, human text is offloaded for nothing. So here an
// epoch is tried first, and begins only where it fits.

/** A way to make some room; says whether it did. */
type Way = (draft: Draft) => boolean;

/**
 * Lays what was gone back to out anew, and makes it fit: first with every entry
 * in its place; then, unless it is a compression that was taken back, by
 * compressing it. Throws `CONTEXT_OVERFLOW` where it cannot fit.
 */
export function shrinkRewound(
  draft: Draft,
  { cause, what }: { readonly cause: RewindCause; readonly what: Undoable },
): void {
  const isManual = draft.state.options.compression === 'manual';
  const staysWhole = isManual || (cause === 'undo' && what === 'compression');
  const ways: readonly Way[] = [nothing, shortenWithin, isManual ? nothing : clear];
  if (ways.some((way) => way(draft) && laidOut(draft))) return;
  if (staysWhole) {
    beginEpoch(draft, 1);
    throw overflow(draft.state, cause);
  }
  compressNow(draft);
  if (!runLadder(draft)) throw overflow(draft.state, cause);
}

const nothing: Way = () => true;

const clear: Way = (draft) => clearResults(draft, { frame: draft.state.active, keep: 0 });

/** Whether a new epoch fits; then it has begun. */
function laidOut(draft: Draft): boolean {
  const trial = draft.fork();
  beginEpoch(trial, 1);
  if (!fits(trial.state)) return false;
  draft.adopt(trial);
  return true;
}
