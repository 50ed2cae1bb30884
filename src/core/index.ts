// The pure functions, for those who write a runtime of their own.

/** Ids: `e42`, `f2`, `c3`. */
export { checkpointId, entryId, frameId } from './values/id.ts';
export type { CheckpointId, EntryId, FrameId, TextId } from './values/id.ts';

/** Whether what was thrown is ours, and of which code. */
export { isEngineError } from './values/error.ts';
export type { EngineError, ErrorCode } from './values/error.ts';

/** A message as it may come in, or a refusal that names what is wrong. */
export { checkMessage } from './messages/message.ts';
export type { AssistantMessage, Content, Message, Meta, Part } from './messages/message.ts';
export type { ModelName } from './messages/model-name.ts';
export type { ProviderMessage } from './messages/provider-message.ts';
export type { LeavingEntry, ToolCall, ToolMessage, UserMessage } from './messages/message.ts';

/** Tokens of a message with a counter of yours; `byteBound` is one that never counts too few. */
export { byteBound, messageTokens } from './messages/token-count.ts';
export type { Count } from './messages/token-count.ts';

/** Names, commands and decisions in a message or a text, by which a summary can be checked. */
export { entitiesIn, entitiesOf } from './entities/entities.ts';
export type { EntityKind, Entities } from './entities/entities.ts';

/** Sentences by which a person lays something down. */
export { directivesOf } from './people/directives.ts';

/** Goal markers in an assistant's text, and the goal after them. */
export { markersIn } from './frames/goal-markers.ts';
export type { Marker } from './frames/goal-markers.ts';
export { applyMarkers } from './frames/goal.ts';
export type { Artifact, Decision, Goal, Milestone, Priority } from './frames/goal.ts';

/** A tree of frames: begun, grown, with the frames that fall with one, and as people see it. */
export { cascade, grow, plant, toNode } from './frames/tree.ts';
export type { FrameNode, FrameTree } from './frames/tree.ts';
export type { Digest, Frame, FrameEvent, FrameStatus, FrameTable } from './frames/frame.ts';
export type { Identity, Results } from './frames/frame.ts';

/** How a window is divided, and when compression is due. */
export { budgetOf } from './budget/budget.ts';
export type { Budget, Certainty, Sizes } from './budget/budget.ts';
export type { Options, Triggered } from './budget/options.ts';

/** What happened in entries, in lines of their own words: a summary without a model. */
export { linesOf } from './chronicle/lines.ts';
export { fitLines, printLines } from './lines/line.ts';
export type { Line, LineKind, LinePlace } from './lines/line.ts';

/** Which checkpoints grow older beside a new one, and how long each may then be. */
export { planAging, targetOf } from './checkpoints/aging.ts';
export type { AgingPlan, AgingStep } from './checkpoints/aging.ts';
export type { Age, Checkpoint } from './checkpoints/checkpoint.ts';

/** The state of a session: after a fact, and after a record of the journal. */
export { evolve, fold } from './state/evolve.ts';
export type { Folding } from './state/evolve.ts';
export type { State } from './state/state.ts';
export type { Fact } from './state/fact.ts';
export type { JournalRecord } from './state/input.ts';

/** Whether a fact changes what was already assembled. */
export { beginsEpoch } from './state/epoch.ts';

/** Entries that a compression would replace, and where an entry is now. */
export { select } from './assembly/select-entries.ts';
export { where } from './assembly/locate.ts';
export type { Place } from './assembly/locate.ts';

/** What a machine's compression works on. */
export type {
  CompressionMemory,
  CommitRequest,
  CompressionMeasure,
  CompressionRange,
  Refusal,
  RefusedSummary,
  SummaryRequest,
} from './checkpoints/compression-state.ts';
