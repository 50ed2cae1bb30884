import { sections } from './section-name.ts';
import type { Budget } from '../budget/budget.ts';

/** The parts that a prompt is made of: its sections, and what its tools are called with. */
const parts = [...sections, 'tools'] as const;

/**
 * A budget in the tokens of the model's server, once it has counted: then its limit is the
 * window less the answer and stays so, and what is left falls by what is said. By our own
 * tokens the limit moves with all that is learned of the server's.
 */
export function countedBudget(budget: Budget): Budget {
  const { count, counted, total, limit, window, reserve, human, working, threshold } = budget;
  if (count !== 'measured' || total === 0) return budget;
  const room = window - reserve;
  const used = total > limit ? Math.max(counted, room + 1) : counted;
  const scaled = scaledTo(budget, used);
  const said = scaled.human + scaled.working;
  const remaining = room - used;
  const untilDue = Math.max(0, threshold - human - working) / Math.max(1, limit - total);
  return {
    ...budget,
    ...scaled,
    limit: room,
    total: used,
    available: remaining + said,
    threshold: said + Math.round(remaining * untilDue),
  };
}

/** The parts as shares of another sum, to the token: the largest takes what rounding leaves. */
function scaledTo(budget: Budget, sum: number): Pick<Budget, (typeof parts)[number]> {
  const sizes = parts.map((name) => Math.round((budget[name] * sum) / budget.total));
  const largest = sizes.indexOf(Math.max(...sizes));
  sizes[largest]! += sum - sizes.reduce((all, one) => all + one, 0);
  const scaled = Object.fromEntries(parts.map((name, index) => [name, sizes[index]]));
  return scaled as ReturnType<typeof scaledTo>;
}
