// What the window keeps of session files, measured without a model.
export {
  evaluate,
  totalsOf,
  type Evaluation,
  type EvaluationProgress,
  type Loss,
  type Result,
  type Total,
} from './evaluation.ts';
export { baselines } from './baselines.ts';
export { flamestack } from './flamestack.ts';
export type { MethodKind } from './method.ts';
export type { Rates, Share, Tally } from './tally.ts';
