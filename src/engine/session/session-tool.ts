import type { ToolSpec } from '../../core/messages/tool-spec.ts';

/**
 * A tool of the session itself, for any agent loop: `execute` takes what the
 * model gave and resolves with a short text for it, also where the model was
 * wrong. Rejects only if the signal aborts, or the session or its store is
 * closed or damaged.
 */
export interface SessionTool extends ToolSpec {
  execute(given: unknown, options?: { readonly signal?: AbortSignal }): Promise<string>;
}
