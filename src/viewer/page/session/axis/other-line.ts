import { aligned, beside } from '../lane/lanes.ts';
import { totalOf } from '../model/history.ts';
import type { Step } from '../model/wire.ts';

/** The steps of another window that stand at those of the session, each with its size as its limit; none where there is none. */
export const alignedOther = (): readonly Step[] =>
  [...(aligned.value ?? [])].map((at) => {
    const one = beside.value!.history.steps[at]!;
    return { ...one, sizes: [totalOf(one)], limit: totalOf(one) };
  });
