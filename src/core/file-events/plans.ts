import { asksForPlan, ordersPlan } from '../commands/plan-calls.ts';
import { isHuman, personText, type LeavingEntry } from '../messages/message.ts';
import { refusalIn } from '../messages/refusal.ts';
import type { Exchange } from '../outcomes/exchanges.ts';
import { isRejected, isReversal } from '../people/rejections.ts';

// Which entries hold a plan, and which plans a person turned down: with a plan that was
// refused goes what led to it in its turn.

/** A stretch of entries, by the positions of the first and the last. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What is known of the plans in entries. */
interface Plans {
  /** Positions of entries whose words are a plan: one that asks whether to carry it out, and the report of a sub-agent that was to make one. */
  readonly in: ReadonlySet<number>;
  /** Where a person turned down what was planned. */
  readonly refused: readonly Stretch[];
}

/** The plans in entries, as their calls and people tell. */
export function plansIn(entries: readonly LeavingEntry[], exchanges: readonly Exchange[]): Plans {
  const asked = exchanges.filter(({ call }) => asksForPlan(call));
  const reported = exchanges.filter(({ call }) => ordersPlan(call));
  const people = entries.filter(({ message }) => isHuman(message));
  const turnOf = (n: number): number => people.findLast((one) => one.n < n)?.n ?? 0;
  const refused = asked.filter(({ result }) => result !== undefined && refusalIn(result) !== null);
  const rejected = people.filter(({ message }) => turnsDown(personText(message)));
  return {
    in: new Set([...asked.map(({ n }) => n), ...reported.map(({ to }) => to)]),
    refused: [...refused, ...rejected].map(({ n }) => ({ from: turnOf(n), to: n })),
  };
}

/** Whether a person turns down what was planned: who agrees to it first may speak against something else. */
const turnsDown = (text: string): boolean =>
  isRejected('', text, true) && (isReversal(text) || !agreeing.test(text));

const agreeing =
  /^\W{0,3}(?:yes|yep|yeah|sure|(?:please )?(?:go (?:ahead|on|for it)|do (?:it|that|so))|approved?|lgtm|perfect|great|(?:looks|sounds) (?:good|great|fine|right))\b(?!,? but\b)/i;
