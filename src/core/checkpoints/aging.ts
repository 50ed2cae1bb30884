import type { Age, Checkpoint } from './checkpoint.ts';
import type { CheckpointId } from '../values/id.ts';

// A checkpoint is written long, then shortened each time a newer one appears:
//
//   newest ─┐
//           recent 1200   old 600   ancient 300   merged 150
//
// The two oldest become one when both would be `merged`, so a frame never
// holds more than four, and a session can compress without end. Nothing here
// rewrites text: aging is a plan of which checkpoints to shorten, and to what age.
// The compression machine says when it is carried out.

/** Longest checkpoint of each age, in tokens, where the limit is large enough. */
export const lengths: Readonly<Record<Age, number>> = {
  recent: 1200,
  old: 600,
  ancient: 300,
  merged: 150,
};

/** Longest checkpoint of each age, as a share of the limit; the smaller of the two counts. */
const shares: Readonly<Record<Age, number>> = {
  recent: 0.1,
  old: 0.05,
  ancient: 0.025,
  merged: 0.0125,
};

/** Least target of an age, in tokens; a shorter text could not say anything, so the age is left out. */
const leastTokens = 40;

/** All ages, from the finest to the shortest. */
export const ages: readonly Age[] = ['recent', 'old', 'ancient', 'merged'];

/** Longest checkpoint of `age`, in tokens, under `limit` and the factor that scales all caps; 0 if the age is left out. */
export function targetOf(age: Age, scale: { limit: number; factor: number }): number {
  const target = Math.floor(
    Math.min(lengths[age], shares[age] * scale.limit) * Math.min(1, scale.factor),
  );
  return target < leastTokens && age !== 'recent' ? 0 : Math.max(target, 1);
}

/** One checkpoint to shorten. */
export interface AgingStep {
  readonly checkpoint: CheckpointId;
  readonly age: Age;
}

/** The changes that a new checkpoint makes to those before it. */
export interface AgingPlan {
  readonly steps: readonly AgingStep[];
  /** Checkpoints to join into one, oldest first; none, or at least two. */
  readonly merge: readonly CheckpointId[];
}

/**
 * The steps that bring `checkpoints` (oldest first, the new one not among
 * them) to the age their rank asks for. Each ages one step at a time and never
 * grows younger; those that are or become `merged` are joined.
 */
export function planAging(checkpoints: readonly Checkpoint[]): AgingPlan {
  const steps = checkpoints.flatMap((checkpoint, index) => {
    const age = older(checkpoint.age, ageOfRank(checkpoints.length - index));
    return age === checkpoint.age ? [] : [{ checkpoint: checkpoint.id, age }];
  });
  const stepped = new Map(steps.map((step) => [step.checkpoint, step.age]));
  const merged = checkpoints.filter(({ id, age }) => (stepped.get(id) ?? age) === 'merged');
  return { steps, merge: merged.length > 1 ? merged.map(({ id }) => id) : [] };
}

/** The age of the checkpoint with `rank` newer ones after it. */
function ageOfRank(rank: number): Age {
  return ages[Math.min(rank, ages.length - 1)]!;
}

function older(one: Age, other: Age): Age {
  return ages[Math.max(ages.indexOf(one), ages.indexOf(other))]!;
}
