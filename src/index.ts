// Open a store and its sessions.
export { openStore } from './engine/open/open-store.ts';
export type { Store } from './engine/open/open-store.ts';
export { openReader, type StoreReader } from './engine/open/store-reader.ts';
export {
  sessionLogic,
  type SessionActorEvent,
  type SessionAnswer,
  type SessionEmitted,
  type SessionInput,
  type SessionLogic,
  type SessionMethod,
  type SessionSnapshot,
} from './engine/session/session-logic.ts';
export type { StoreOptions } from './engine/open/store-options.ts';
export { postgresHost, type PostgresOptions } from './store/postgres/postgres-host.ts';
export { storeOwner, type StoreOwner } from './store/level/owner.ts';
export type { Compaction, CompactOptions, OpenOptions, StoreHost } from './store/store.ts';
export type { SessionsOptions, SessionSummary } from './engine/journal/sessions/list-sessions.ts';
export type { SessionOptions } from './engine/commands/configure.ts';
export type { Clock } from './engine/live/clock.ts';
export type { EffectOptions } from './engine/effects/effects.ts';

// Run a machine of your own.
export { durable } from './engine/durable/durable.ts';
export type {
  DurableMachine,
  DurableOptions,
  DurablePorts,
  DurableReplayStep,
  DurableState,
  DurableStep,
  StoredMachine,
} from './engine/durable/durable-machine.ts';
export {
  durableMachines,
  type MachineSummary,
  type RestSummary,
} from './engine/durable/list-machines.ts';
export type { DurableDifference } from './engine/durable/replay-machine.ts';
export type { PortCall } from './engine/durable/port-runs.ts';

// Append, assemble, work in frames.
export type { ExportOptions, LogOptions, Session } from './engine/session/session.ts';
export type { DamagedRow, LostEntries, LostRows, OnLost } from './engine/journal/whole-rows.ts';
export type { CopyOptions, StoreCopy } from './store/copy-store.ts';
export type { Redaction } from './engine/commands/redact.ts';
export type { SessionDeletion } from './engine/open/delete-session.ts';
export {
  salvageStore,
  type Salvage,
  type SalvagedSession,
} from './engine/open/repair/salvage-store.ts';
export type { SalvagedMachine } from './store/salvage/salvage-machines.ts';
export { repairStore, type Repair, type RepairOptions } from './engine/open/repair/repair-store.ts';
export {
  restoreStore,
  type Restored,
  type RestoreOptions,
} from './engine/open/repair/restore-store.ts';
export type { SalvageOptions } from './store/salvage/salvage-rows.ts';
export type { UnreadFile } from './store/salvage/unread.ts';
export type { FileDamage } from './store/store.ts';
export type { KnownRows } from './engine/journal/known-losses.ts';
export type { SessionCheck } from './engine/journal/verify-session.ts';
export type { VerifyOptions } from './engine/journal/verify.ts';
export type { AssembleOptions, ToolSchema } from './engine/commands/assemble-command.ts';
export type { CommandOptions, FrameGiven, PopGiven } from './engine/commands/command.ts';
export type { AppendOptions } from './engine/commands/append-command.ts';
export type { Usage } from './core/messages/usage.ts';
export type { Judgment, ReportGiven } from './engine/commands/report.ts';
export type { RecoveryAnswer, RecoverySummary } from './engine/step/session-state.ts';
export type { Synced, SyncOptions } from './engine/sync/sync.ts';
export type { RecoveredContext } from './core/truncation/recovery.ts';
export type { Truncation, TruncationRule } from './core/truncation/detect.ts';
export type { CheckpointSummary, SessionState } from './engine/step/session-state.ts';
export type { SessionFact } from './engine/live/listening/listeners.ts';
export type {
  AssistantMessage,
  Content,
  FilePart,
  Message,
  Meta,
  Part,
  ToolCall,
  ToolMessage,
  UserMessage,
} from './core/messages/message.ts';
export type { ModelName } from './core/messages/model-name.ts';
export type { ProviderMessage } from './core/messages/provider-message.ts';
export type { Assembly, OutMessage } from './core/assembly/assembly.ts';
export { sections, type Section } from './core/sections/section-name.ts';
export type {
  EntityTally,
  Quality,
  Reliability,
  ReliabilityBand,
} from './core/budget/reliability.ts';
export { qualityOf } from './core/budget/reliability.ts';
export type { Budget, Certainty } from './core/budget/budget.ts';
export type { FrameStatus } from './core/frames/frame.ts';
export type { FrameNode, LeftFrame } from './core/frames/tree.ts';
export type {
  Goal,
  GoalPatch,
  Milestone,
  Decision,
  Artifact,
  Priority,
} from './core/frames/goal.ts';
export type { Place } from './core/assembly/locate.ts';

// Find what was said.
export type { ExpandOptions } from './engine/recall/recall-options.ts';
export { queryTerms, type Hit } from './engine/recall/recall.ts';
export { type RecallOptions } from './engine/recall/recall-options.ts';
export type { Between, RecallFilter, Role } from './engine/recall/recall-filter.ts';
export { isReference } from './core/breadcrumbs/reference.ts';
export type { TraceGiven, TraceOptions } from './engine/recall/recall-options.ts';
export type { StoreHit } from './engine/recall/recall-store.ts';
export type { StoreRecallOptions } from './engine/recall/recall-options.ts';

// Hear what happened.
export type { Gap } from './core/assembly/locate.ts';
export type { View } from './engine/time-travel/view-at.ts';
export type { Moment } from './engine/time-travel/moment.ts';
export type { ReplayOptions, ReplayStep } from './engine/time-travel/replay.ts';
export type { ReplayDifference } from './engine/time-travel/decide-again.ts';
export type { Difference, EntryChange, NamedFact, SectionChange } from './core/assembly/diff.ts';
export type { Snapshot, Undoable } from './core/state/timeline.ts';
export type { GoneBack, Snapshots } from './engine/commands/rewind-command.ts';
export type { TakenStep, TakenSteps } from './engine/commands/undo-steps.ts';
export type { Fact } from './core/state/fact.ts';
export type { Inspection } from './engine/inspect/inspection.ts';
export type { InspectOptions } from './engine/session/session.ts';
export { toStately, type StatelyEvent, type StatelySnapshot } from './engine/inspect/stately.ts';

// Checkpoint documents and breadcrumbs.
export type { WrittenDocument } from './engine/commands/write-document.ts';
export type { Breadcrumb, BreadcrumbType } from './core/breadcrumbs/breadcrumb.ts';
export type { ListItem } from './core/documents/list-item.ts';
export type { CheckpointDocument, FileChange } from './core/documents/document.ts';
export type { DocumentReason } from './core/state/document-schedule.ts';
export { documentFile, printDocument } from './core/documents/document.ts';
export { foldDocuments } from './core/documents/fold-documents.ts';
export { parseDocuments } from './core/documents/parse-document.ts';
export { readDocuments } from './engine/effects/documents/read-documents.ts';

// Bring session files in.
export type {
  ImportOptions,
  ImportProgress,
  ImportResult,
} from './engine/import/import-options.ts';
export type { LateEntry } from './engine/import/late.ts';
export { formats } from './import/format-name.ts';

// Spell an assembly for a server, and read its answer.
export { fromOllama, toOllama } from './core/formats/ollama.ts';
export { fromOpenAI } from './core/formats/from-chat.ts';
export { toOpenAI } from './core/formats/openai.ts';
export { toAiSdk } from './core/formats/ai-sdk.ts';
export { fromAiSdk } from './core/formats/from-ai-sdk.ts';

// Ask a model.
export type {
  ChatListener,
  ChatModel,
  ChatReply,
  ChatRequest,
  ModelFacts,
} from './llm/chat-model.ts';
export type { ToolSpec } from './core/messages/tool-spec.ts';
export {
  ollamaModel,
  type OllamaModel,
  type OllamaOptions,
  type PullProgress,
} from './llm/ollama/ollama.ts';
export { ollamaSummarizer, type OllamaSummarizerOptions } from './llm/ollama/summarizer.ts';
export { openaiModel, type OpenAIModelOptions } from './llm/openai/openai-compatible.ts';
export { openaiSummarizer, type OpenAISummarizerOptions } from './llm/openai/summarizer.ts';
export { frameInstructions, recallInstructions, toolSpecs } from './engine/tools/tool-specs.ts';
export { fittingTools } from './engine/tools/tools.ts';
export type { SessionTool, ToolAnswer, ToolsOptions } from './engine/session/session-tool.ts';

// Summaries, counts, errors.
export type { LogEntry, Summarizer, SummaryTask } from './llm/summarizer.ts';
export { countTokens, loadTokenizer, tokenStream } from './tokenizer/tiktoken.ts';
export type { TokenStream } from './tokenizer/stream.ts';
export type { Encoding, Tokenizer } from './tokenizer/tokenizer.ts';
export { EngineError, isEngineError, type ErrorCode } from './core/values/error.ts';
export type { ErrorDetails } from './core/values/error-details.ts';
