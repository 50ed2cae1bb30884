// What the window keeps of session files, measured without a model.
export {
  evaluate,
  totalsOf,
  type Evaluation,
  type EvaluationOptions,
  type Loss,
  type Result,
  type Total,
} from './evaluation.ts';
export { baselines } from './baselines.ts';
export { flamestack } from './flamestack.ts';
export type { MethodKind } from './method.ts';
