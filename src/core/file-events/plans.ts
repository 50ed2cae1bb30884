import { isHuman, personText, type LeavingEntry } from '../messages/message.ts';
import { refusalIn } from '../messages/refusal.ts';
import { asksForPlan, ordersPlan } from '../commands/plan-calls.ts';
import type { Exchange } from '../outcomes/exchanges.ts';
import { isRejected, mostTurnsBack } from '../people/rejections.ts';

// Which entries hold a plan, and which plans a person turned down: with a plan that was
// refused goes what led to it in its turn.

/** What is known of the plans in entries. */
export interface Plans {
  /** Positions of entries whose words are a plan: one that asks whether to carry it out, and the report of a sub-agent that was to make one. */
  readonly in: ReadonlySet<number>;
  /** Whether a person turned down what was planned at a position. */
  readonly isRefused: (n: number, text: string) => boolean;
}

/** The plans in entries, as their calls and people tell. */
export function plansIn(entries: readonly LeavingEntry[], exchanges: readonly Exchange[]): Plans {
  const asked = exchanges.filter(({ call }) => asksForPlan(call));
  const reported = exchanges.filter(({ call }) => ordersPlan(call));
  const people = entries.flatMap(({ n, message }) =>
    isHuman(message) ? [{ n, text: personText(message) }] : [],
  );
  const refused = asked.flatMap(({ n, result }) =>
    result === undefined || refusalIn(result) === null
      ? []
      : [{ from: people.findLast((one) => one.n < n)?.n ?? 0, to: n }],
  );
  return {
    in: new Set([...asked.map(({ n }) => n), ...reported.map(({ to }) => to)]),
    isRefused: (n, text) =>
      refused.some(({ from, to }) => from <= n && n <= to) ||
      people
        .filter((one) => one.n > n)
        .slice(0, mostTurnsBack)
        .some((said, index) => isRejected(text, said.text, index === 0)),
  };
}
