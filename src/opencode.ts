// Flamestack in OpenCode: the engine's prompt in place of OpenCode's own list.
export { flamestackPlugin, type OpenCodeOptions } from './adapters/opencode/plugin.ts';
export type { OpenCodePlugin } from './adapters/opencode/host.ts';
