import { planAging, type AgingPlan } from '../../src/core/checkpoints/aging.ts';
import type { Age, Checkpoint } from '../../src/core/checkpoints/checkpoint.ts';
import { checkpointId, entryId, textId } from '../../src/core/values/id.ts';

/** Checkpoints, oldest first: `ancient 300, old 600, recent 1200`. */
export function checkpoints(line: string): Checkpoint[] {
  if (line === '') return [];
  return line.split(', ').map((word, index) => {
    const [age, tokens] = word.split(' ');
    return {
      id: checkpointId(index),
      age: age as Age,
      text: textId(index + 1),
      tokens: Number(tokens),
      from: entryId(index * 10 + 1),
      to: entryId(index * 10 + 10),
      entries: 10,
      before: 4_000,
      at: 0,
      by: 'embedded',
      hash: '',
      lines: [],
      names: 1,
      sources: [],
      decisions: [],
      files: [],
      next: [],
      questions: [],
    };
  });
}

/** Checkpoints on one line, as they are read. */
export const printCheckpoints = (all: readonly Checkpoint[]): string =>
  all.map(({ age, tokens }) => `${age} ${tokens}`).join(', ');

/** A plan on one line: `c0 → merged, c1 → ancient; c0 + c1`. */
function printPlan(plan: AgingPlan): string {
  const steps = plan.steps.map(({ checkpoint, age }) => `${checkpoint} → ${age}`).join(', ');
  return plan.merge.length === 0 ? steps : `${steps}; ${plan.merge.join(' + ')}`;
}

/** What a new checkpoint does to those of a line. */
export const plan = (line: string): string => printPlan(planAging(checkpoints(line)));
