export { compressionMachine, retries, type CompressionInput } from './compression.ts';
export { frameMachine } from './frame.ts';
export { frameTable, sessionTable } from './lifecycle.ts';
export { toMermaid } from './mermaid.ts';
export { body, port } from './port.ts';
export { recoveryMachine, type RecoveryEvent, type RecoveryInput } from './recovery.ts';
export { sessionMachine, type SessionEvent } from './session.ts';
