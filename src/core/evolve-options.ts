import { uncalibrated, type Calibration } from './calibration.ts';
import type { Fact } from './fact.ts';
import type { State } from './state.ts';

/** Takes options over, and the calibration of the model that they name. */
export function changeOptions(
  state: State,
  fact: Extract<Fact, { type: 'options.changed' }>,
): State {
  const { system, options } = fact;
  const sizes = { ...state.shown.sizes, system };
  return { ...changeModel(state, options.model), options, shown: { ...state.shown, sizes } };
}

/** What was learned of one model's counts says nothing of another's, and is there when it comes back. */
function changeModel(state: State, model: string | null): State {
  const { options, calibration } = state;
  if (model === options.model) return state;
  const shelf =
    options.model === null ? state.shelf : { ...state.shelf, [options.model]: calibration };
  const known = model !== null && Object.hasOwn(shelf, model) ? shelf[model] : undefined;
  return { ...state, shelf, calibration: known ?? guessAfter(calibration) };
}

/** What one model taught is a guess at the next: it is no stranger, but its own counts are still to come. */
function guessAfter({ samples, ratio }: Calibration): Calibration {
  return samples === 0 ? uncalibrated : { ...uncalibrated, ratio, answered: true };
}
