export {
  compressionMachine,
  retries,
  type CompressionDemand,
  type CompressionEmitted,
  type CompressionEnd,
  type CompressionEvent,
  type CompressionInput,
  type CompressionSnapshot,
} from './compression.ts';
export { frameMachine, type FrameEnd, type FrameSnapshot } from './frame.ts';
export { frameTable, sessionTable } from './lifecycle.ts';
export { toArrows, type Arrow } from './arrows.ts';
export { toDefinition, type Definition } from './definition.ts';
export { toMermaid } from './mermaid.ts';
export { toScxml } from './scxml.ts';
export { toSource } from './source.ts';
export { body, pause, port } from './port.ts';
export {
  recoveryMachine,
  type RecoveryEmitted,
  type RecoveryEnd,
  type RecoveryEvent,
  type RecoveryInput,
  type RecoveryRequest,
  type RecoverySnapshot,
} from './recovery.ts';
export { sessionMachine, type SessionEvent } from './session.ts';
export {
  trackerMachine,
  turnsToNudge,
  type CloseRequest,
  type FoundProject,
  type TrackerEmitted,
  type TrackerEvent,
  type TrackerNote,
  type TrackerSnapshot,
} from './tracker.ts';
