import { budgetOf, type Budget } from '../../core/budget/budget.ts';
import { limitIn } from '../../core/state/limit.ts';
import { certainty, type State } from '../../core/state/state.ts';

/** The budget of what `assemble` would now give. */
export function measure(state: State): Budget {
  return budgetOf({
    options: state.options,
    sizes: state.shown.sizes,
    working: state.views.get(state.active)?.tokens ?? 0,
    limit: limitIn(state),
    count: certainty(state),
  });
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
