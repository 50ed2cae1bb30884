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
export { readHistory, type History } from './history.ts';
export { readProbes, type Probes } from './probes/probe.ts';
export { probeAll, probeTotals, type ProbeResult, type ProbeTotal } from './probes/probe-result.ts';
export { sampleOf, type Lot, type Sample } from './sample/sample.ts';
export { sessionFile } from './probes/session-file.ts';
export { rate, type Share } from './share.ts';
