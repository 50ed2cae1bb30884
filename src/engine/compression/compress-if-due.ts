import { limitIn } from '../../core/state/limit.ts';
import { workingTarget } from '../../core/budget/budget.ts';
import type { State } from '../../core/state/state.ts';
import { select } from '../../core/assembly/select-entries.ts';
import { clearToRoom } from './clear-to-room.ts';
import { limitHuman } from './human-text.ts';
import { startCompression } from './compress.ts';
import type { Draft } from '../step/draft.ts';
import { fits, isDue, measure } from '../step/measure.ts';
import { beginEpoch } from './begin-epoch.ts';
import {
  offloadLongest,
  shortenInNewEpoch,
  shortenOversized,
  rollOver,
} from './overflow-ladder.ts';

/** Starts a compression of the active frame if its working part has reached the trigger. */
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
  // A state that does not fit gets a new epoch at once; a compression makes use of it, due or not.
  // Where old results are enough to give way, nothing else does.
  const isShortened = !fits(draft.state) && draft.stage(shortenOversized);
  // Before anything is selected: what human text gives up, no other entry has to.
  if (draft.stage(limitHuman)) {
    beginEpoch(draft, 1);
    if (!isDue(draft.state)) return;
  }
  const found = draft.part(() => select(draft.state, active));
  const planned = found === null ? clearToRoom(draft) : null;
  if (planned !== null) {
    beginEpoch(draft, workingTarget(options), { planned });
    if (!isDue(draft.state)) return;
  }
  const before = draft.state.checkpointCount;
  startCompression(draft, { frame: active, force: isShortened });
  if (isShortened && draft.state.checkpointCount === before) beginEpoch(draft, 1);
  const isStillDue = (): boolean =>
    isDue(draft.state) && draft.state.views.get(active)?.compression === null;
  if (isStillDue()) shortenInNewEpoch(draft);
  if (isStillDue()) offloadToTarget(draft);
}

/** How much a frame must grow, in tokens, before a compression that found nothing to take is tried again. */
function growthToRetry(state: State): number {
  return Math.ceil(limitIn(state) * 0.02);
}

/** Offloads what people said until the working part is down to its target. */
function offloadToTarget(draft: Draft): void {
  const target = workingTarget(draft.state.options);
  const { human, working, available } = measure(draft.state);
  if (offloadLongest(draft, human + working - target * available)) beginEpoch(draft, target);
}
