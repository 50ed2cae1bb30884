import type { ToolSpec } from '../../core/messages/tool-spec.ts';
import { flag, integer, objectOf, type Schema } from '../../core/values/validation.ts';

/** What a tool says to the model; as a text where one is wanted (`String(answer)`, a template). */
export interface ToolAnswer {
  readonly text: string;
  /** Whether it could not be done. */
  readonly isError: boolean;
  /** The text. */
  toString(): string;
}

/**
 * A tool of the session itself, for any agent loop: `execute` takes what the
 * model gave and resolves with a short text for it, also where the model was
 * wrong. Rejects only if the signal aborts, or the session or its store is
 * closed or damaged.
 */
export interface SessionTool extends ToolSpec {
  execute(given: unknown, options?: { readonly signal?: AbortSignal }): Promise<ToolAnswer>;
}

/** How the tools of a session answer. */
export interface ToolsOptions {
  /** Longest answer of `recall`, in tokens; a share of what is free in the session's window unless told. For a host that has a window of its own. */
  readonly answer?: number;
  /** Whether what moves between frames is done at once, and not after the other results of an answer: for a handle that does not live so long. */
  readonly atOnce?: boolean;
}

export const toolsOptions: Schema = objectOf<ToolsOptions>({ answer: integer(100), atOnce: flag });
