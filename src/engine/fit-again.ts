import type { Cause, Undoable } from '../core/timeline.ts';
import type { Draft } from './draft.ts';
import { climb, compressNow, overflow, shortenWithin } from './ladder.ts';
import { fits } from './measure.ts';
import { raiseEpoch } from './raise-epoch.ts';
import { clearResults } from './spill.ts';

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
export function fitAgain(
  draft: Draft,
  { cause, what }: { readonly cause: Cause; readonly what: Undoable },
): void {
  const isManual = draft.state.options.compression === 'manual';
  const staysWhole = isManual || (cause === 'undo' && what === 'compression');
  const ways: readonly Way[] = [nothing, shortenWithin, isManual ? nothing : clear];
  if (ways.some((way) => way(draft) && laidOut(draft))) return;
  if (staysWhole) {
    raiseEpoch(draft, 1);
    throw overflow(draft.state, cause);
  }
  compressNow(draft);
  if (!climb(draft)) throw overflow(draft.state, cause);
}

const nothing: Way = () => true;

const clear: Way = (draft) => clearResults(draft, { frame: draft.state.active, keep: 0 });

/** Whether a new epoch fits; then it has begun. */
function laidOut(draft: Draft): boolean {
  const trial = draft.fork();
  raiseEpoch(trial, 1);
  if (!fits(trial.state)) return false;
  draft.adopt(trial);
  return true;
}
