import type { Assembly } from '../core/assembly/assembly.ts';
import type { AssistantMessage } from '../core/messages/message.ts';
import type { ToolSpec } from '../core/messages/tool-spec.ts';
import type { Summarizer } from './summarizer.ts';

/** What a model is asked to answer. */
export interface ChatRequest {
  readonly assembly: Assembly;
  /** The tools it may call; the same that were given to `assemble`. */
  readonly tools?: readonly ToolSpec[];
  /** Whether it may think first, where it can; as the server does unless told. */
  readonly think?: boolean;
}

/** Who hears an answer while it comes, and how it is ended. */
export interface ChatListener {
  /** Ends the request at any moment; the call then rejects with its reason. */
  readonly signal?: AbortSignal;
  onText?(text: string): void;
  onThinking?(text: string): void;
}

/** An answer, whole. */
export interface ChatReply {
  /** To be appended as it is. */
  readonly message: AssistantMessage;
  /** By the server's own count, in tokens; left out where it said nothing. */
  readonly usage: {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    /** Of what it read, what a cache served. */
    readonly cachedInputTokens?: number;
  };
  /** What it sent as a count and is none: `prompt_tokens 12.5`; left out where all are counts. */
  readonly ignored?: readonly string[];
}

/** What a server says of a model; null for what it does not say. */
export interface ModelFacts {
  readonly name: string;
  /** Largest window it was trained for, in tokens. */
  readonly trained: number | null;
  /** Window that it is set up with, in tokens. */
  readonly configured: number | null;
  /** Window in force now, in tokens; null while it is not loaded. */
  readonly loaded: number | null;
  /** Parameters, in billions. */
  readonly size: number | null;
  readonly tools: boolean | null;
  readonly thinking: boolean | null;
}

/**
 * One model on one server.
 *
 * **Contract:** every call ends soon after its signal aborts, and rejects then
 * with `signal.reason`; anything that goes wrong is an `EngineError` whose code
 * begins with `MODEL_`. What was heard before an error is not taken back.
 */
export interface ChatModel {
  readonly name: string;
  /** Address of the server, without a key. */
  readonly server: string;
  /** Sends an assembly, and hears the answer as it comes. */
  reply(request: ChatRequest, listener?: ChatListener): Promise<ChatReply>;
  /** Asks the server about the model; `MODEL_NOT_FOUND` where it is not there. */
  facts(options?: { readonly signal?: AbortSignal }): Promise<ModelFacts>;
  /** Names of the models on the server. */
  models(options?: { readonly signal?: AbortSignal }): Promise<readonly string[]>;
  /** Writes summaries with this model. */
  summarizer(): Summarizer;
}
