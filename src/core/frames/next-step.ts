import type { Frame } from './frame.ts';
import type { Goal } from './goal.ts';
import { childrenOf, frameOf, type FrameTree } from './tree.ts';

/** What is told of the work by people, by the model, or by a plan. */
interface KeptWork {
  readonly goal: Goal | null;
  readonly frames: FrameTree;
  readonly active: Frame['id'];
}

/**
 * The next step that a goal or the tree names, which prompt, documents and recovery tell alike: the
 * first of the goal, its milestone in progress, what is planned below the active frame, its first
 * milestone ahead; null for none.
 */
export function nextStepOf({ goal, frames, active }: KeptWork): string | null {
  const aim = goal?.status === 'completed' ? null : goal;
  const planned = childrenOf(frames, frameOf(frames, active)).find(
    ({ status }) => status === 'planned',
  );
  const inStep = aim?.milestones.find(({ status }) => status === 'in_progress');
  const pending = aim?.milestones.find(({ status }) => status === 'pending');
  return aim?.next[0] ?? inStep?.text ?? planned?.title ?? pending?.text ?? null;
}
