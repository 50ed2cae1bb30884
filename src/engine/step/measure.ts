import { expectedGrown } from '../../core/budget/calibration.ts';
import { budgetOf, type Budget } from '../../core/budget/budget.ts';
import { limitIn } from '../../core/state/limit.ts';
import { certainty, type State } from '../../core/state/state.ts';

/** The budget of what `assemble` would now give. */
export function measure(state: State): Budget {
  const { options, epochView, views, active, calibration, epoch } = state;
  const count = certainty(state);
  const budget = budgetOf({
    options,
    sizes: epochView.sizes,
    working: views.get(active)?.tokens ?? 0,
    limit: limitIn(state),
    count,
  });
  if (count !== 'measured') return budget;
  const counted = expectedGrown(calibration, { estimate: budget.total, epoch });
  return { ...budget, counted: Math.round(counted) };
}

/** Whether the assembly stays within the limit. */
export function fits(state: State): boolean {
  return measure(state).total <= limitIn(state);
}

/** Whether older human text and entries together have reached the trigger. */
export function isDue(state: State): boolean {
  const { human, working, threshold } = measure(state);
  return human + working >= threshold;
}
