// Drive a session without a model.
export {
  honest,
  scriptedSummarizer,
  type Behavior,
  type ScriptedCall,
  type ScriptedOptions,
  type ScriptedSummarizer,
} from './scripted-summarizer.ts';

// Time that stands still until it is told to pass.
export {
  simulatedClock,
  type SimulatedClock,
  type SimulatedClockOptions,
} from './simulated-clock.ts';

// Scripts: what happens to a session, and what must hold.
export { harness, runScript, type ScriptResult } from './harness/harness.ts';
export type {
  AnswerGiven,
  CallGiven,
  Command,
  Harness,
  HarnessOptions,
  RunOptions,
  SaidGiven,
  Script,
  ScriptStep,
  StepArguments,
  StepModifiers,
  StepName,
} from './harness/step.ts';
export {
  StepFailure,
  type Expectation,
  type ScriptPath,
  type TextExpected,
  type Unmet,
} from './harness/expectation.ts';
export { ScriptMistake } from './harness/mistake.ts';
export { traceOf } from './harness/printed.ts';

// Judge a prompt: what the matchers for vitest (`flamestack/testing/vitest`) are made of.
export { missingTexts, whyUnfit } from './assembly-checks.ts';

// The laws that hold of every session.
export { laws, type Law, type Violation } from './laws/law.ts';

// Ask models that follow a script, over HTTP.
export { startOllamaServer, type OllamaServer, type OllamaServerOptions } from './ollama-server.ts';
export type { Capability, OllamaModel } from './ollama/model.ts';
export type {
  OllamaAsked,
  OllamaCalled,
  OllamaLine,
  OllamaReply,
  OllamaScript,
} from './ollama/reply.ts';
export type { OllamaCall } from './ollama/exchange.ts';
export type { Counts, LoadedModel } from './ollama/host.ts';
export type { Rendered } from './ollama/template.ts';
export type { OllamaBody, OllamaMessage } from './ollama/wire.ts';

export { startOpenAIServer, type OpenAIServer, type OpenAIServerOptions } from './openai-server.ts';
export type { OpenAIDialect } from './openai/dialect.ts';
export type { OpenAIBody, OpenAIExchanged } from './openai/exchange.ts';
export type {
  OpenAIAsked,
  OpenAICalled,
  OpenAILine,
  OpenAIReply,
  OpenAIScript,
} from './openai/reply.ts';

// Work with a tracker of issues, `br` or `bd`, that is scripted.
export {
  startBeads,
  type BeadsTrouble,
  type ScriptedBeads,
  type ScriptedBeadsOptions,
  type ScriptedComment,
  type ScriptedIssue,
  type TrackedIssue,
} from './beads/start-beads.ts';

// Walk the machines with `xstate/graph`.
export { machineEvents, type MachineEvents } from './machine-events.ts';
export { modelMachine } from './model-machine.ts';

// Prove a store of your own against the contract.
export { hostSuite, type HostSuite } from './suites/host.ts';
export type { Change, RecordKind, KeyRange, RecordStore, StoreHost } from '../store/store.ts';
