import type { ReplyLine, Script } from '../http/script.ts';
import type { OllamaBody, OllamaMessage } from './wire.ts';

/** What a scripted model is given to answer. */
export interface OllamaAsked {
  readonly path: '/api/chat' | '/api/generate';
  readonly body: OllamaBody;
  /** Messages that reach the model, oldest first. */
  readonly messages: readonly OllamaMessage[];
  /** The prompt that reaches the model. */
  readonly prompt: string;
  /** Tokens of that prompt. */
  readonly tokens: number;
  /** Window in force, in tokens. */
  readonly numCtx: number;
  /** Whether it is to think. */
  readonly think: boolean;
  /** How many were answered before. */
  readonly n: number;
  /** Aborts when the client hangs up or the server closes. */
  readonly signal: AbortSignal;
}

/** A call of a tool in an answer. */
export interface OllamaCalled {
  /** Numbered unless told. */
  readonly id?: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What a scripted model answers; a text alone is its content. */
export interface OllamaReply {
  /** Text, or a value to be sent as JSON. */
  readonly content?: unknown;
  /** Left out where the request says not to think. */
  readonly thinking?: string;
  readonly toolCalls?: readonly OllamaCalled[];
  /** Milliseconds until the status goes out; 0 unless told. */
  readonly delay?: number;
  /** Milliseconds before each further chunk; 0 unless told. */
  readonly pause?: number;
  /** Awaited before each chunk, the last with its numbers too; the first is 0. */
  readonly before?: (chunk: number) => unknown;
  /** Words of an error, with `status`, or in the stream after `errorAfter` chunks. */
  readonly error?: string;
  /** Status of an error; 500 unless told. */
  readonly status?: number;
  /** Chunks that go out before the error. */
  readonly errorAfter?: number;
  /** Chunks that go out before the socket is dropped; with 0 not even a status does. */
  readonly dropAfter?: number;
  /** Chunks that go out before the stream ends without its last chunk. */
  readonly endAfter?: number;
  /** In place of what was counted; null leaves it out. */
  readonly promptEvalCount?: number | null;
  /** In place of what was counted; null leaves it out. */
  readonly evalCount?: number | null;
  /** In place of `stop` or `length`. */
  readonly doneReason?: string;
}

/** Answers one request, or is the answer. */
export type OllamaLine = ReplyLine<OllamaAsked, OllamaReply>;

/** What a server's models answer. */
export type OllamaScript = Script<OllamaAsked, OllamaReply>;
