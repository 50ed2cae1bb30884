import type { OutMessage } from '../../core/assembly/assembly.ts';
import { sections, type Section } from '../../core/sections/section-name.ts';
import type { LawContext } from './law.ts';
import { recountOut } from './recount.ts';
import { evenRatio, limitOf, mostCorrected } from './witness.ts';

/**
 * **Fit**: recounted, an assembly and its tools stay within the limit; each
 * label is the count of its message; the budget is the sum of the labels of
 * each section, and what follows from it follows by the formula. Where only
 * the byte bound is known, labels are upper bounds.
 *
 * With a model the limit is the engine's own word. It is held to what was
 * reported: by the count of a server that always told the same ratio, what is
 * sent stays within window less reserve; where ratios differ, only the most that
 * any report can make of it is known.
 */
export function* fitFaults({ assembly, state, witness, thorough }: LawContext): Iterable<string> {
  const { budget, messages } = assembly;
  const bound = budget.count === 'bound';
  const limit = limitOf(witness);
  const sums = new Map<Section, number>();
  let total = witness.tools;
  for (const message of messages) {
    const tokens = recountOut(message, { count: witness.count, afresh: thorough });
    total += tokens;
    sums.set(message.section, (sums.get(message.section) ?? 0) + message.tokens);
    if (bound ? message.tokens < tokens : message.tokens !== tokens)
      yield `${nameOf(message)} is labeled ${message.tokens} tokens and has ${tokens}`;
  }
  if (total > limit) yield `${total} tokens exceed the limit of ${limit}`;
  const room = witness.window - witness.reserve;
  const ratio = evenRatio(witness);
  if (ratio !== null && total * ratio > room)
    yield `${total} tokens are ${total * ratio} by the server's count, and there is room for ${room}`;
  if (limit > mostCorrected * room) yield `a limit of ${limit} is more than any report can make it`;
  if (budget.limit !== limit) yield `the budget says a limit of ${budget.limit}, not ${limit}`;
  for (const section of sections) {
    const sum = sums.get(section) ?? 0;
    if (budget[section] !== sum)
      yield `the budget says ${budget[section]} for ${section}; its labels are ${sum}`;
  }
  if (budget.tools !== witness.tools)
    yield `the budget says ${budget.tools} for tools, not ${witness.tools}`;
  yield* formulaFaults(assembly.budget);
  if (JSON.stringify(state.budget) !== JSON.stringify(budget))
    yield `the budget of the state is another: ${JSON.stringify(state.budget)}`;
}

function* formulaFaults(budget: LawContext['assembly']['budget']): Iterable<string> {
  const { limit, system, tools, goal, frames, checkpoints, chronicle, human, working } = budget;
  const available = limit - system - tools - goal - frames - checkpoints - chronicle;
  if (budget.available !== available)
    yield `available is said to be ${budget.available}, not ${available}`;
  const total = limit - available + human + working;
  if (budget.total !== total) yield `the total is said to be ${budget.total}, not ${total}`;
}

/** A message as a violation names it. */
export function nameOf(message: OutMessage): string {
  return message.entry ?? `the made ${message.section} message`;
}
