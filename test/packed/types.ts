// Types that a program which embeds the machines or the server of tools names. Only compiled.
import type {
  CompressionEmitted,
  CompressionEnd,
  CompressionEvent,
  CompressionInput,
  CompressionSnapshot,
  FrameEnd,
  FrameSnapshot,
  RecoveryEmitted,
  RecoveryEnd,
  RecoveryEvent,
  RecoveryInput,
  RecoveryRequest,
  RecoverySnapshot,
  SessionEvent,
} from 'flamestack/machines';
import { compressionMachine, recoveryMachine } from 'flamestack/machines';
import { mcpServer } from 'flamestack/mcp';
import { createActor } from 'xstate';

export const input: CompressionInput = { once: { force: true } };
const actor = createActor(compressionMachine, { input });
export const event: CompressionEvent = { type: 'compression.cancel' };
actor.send(event);
actor.on('compression.finished', ({ stretch }) => stretch.from);
export const snapshot: CompressionSnapshot = actor.getSnapshot();
export const end: CompressionEnd | undefined = snapshot.output;
export const recovery: RecoverySnapshot = createActor(recoveryMachine).getSnapshot();
export type All = [
  CompressionEmitted,
  FrameEnd,
  FrameSnapshot,
  RecoveryEmitted,
  RecoveryEnd,
  RecoveryEvent,
  RecoveryInput,
  RecoveryRequest,
  SessionEvent,
];
export const server = mcpServer({ store: '.flamestack', session: 'notes' });
export const connect: (transport: Parameters<typeof server.connect>[0]) => Promise<void> = (one) =>
  server.connect(one);
