import { number } from './amounts.ts';
import type { Step } from '../wire.ts';

/** How the limit follows from the window. */
export const limitTitle = (window: number, limit: number): string =>
  `The window of ${number(window)} tokens less ${number(window - limit)}, which are kept for the answer, and for what a server counts otherwise`;

/** What the limit is called at a step: with the higher one that held before it fell, of which the chart may draw nothing but an edge. */
export function limitName(steps: readonly Step[], at: number): string {
  const limitAt = (index: number): number => steps[index]?.limit ?? 0;
  let since = at;
  while (since > 0 && limitAt(since - 1) === limitAt(at)) since -= 1;
  const fell = since > 0 && limitAt(since - 1) > limitAt(at);
  return fell ? `Limit (${number(limitAt(since - 1))} until turn ${steps[since]!.turn})` : 'Limit';
}
