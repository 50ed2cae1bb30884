// Flamestack in pi: the engine in place of pi's own compaction, and the issues of beads.
export { flamestackExtension, type PiOptions } from './adapters/pi/extension.ts';
export type { PiHost } from './adapters/pi/host.ts';
