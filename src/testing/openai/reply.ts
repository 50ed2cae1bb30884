import type { ReplyLine, Script } from '../http/script.ts';
import type { OpenAIBody } from './exchange.ts';

/** What a scripted model is given to answer. */
export interface OpenAIAsked {
  readonly body: OpenAIBody;
  /** Tokens of the prompt. */
  readonly tokens: number;
  /** How many were answered before. */
  readonly n: number;
  /** Aborts when the client hangs up or the server closes. */
  readonly signal: AbortSignal;
}

/** A call of a tool in an answer. */
export interface OpenAICalled {
  /** Numbered unless told. */
  readonly id?: string;
  readonly name: string;
  /** A text goes out as it is, JSON or not. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

/** What a scripted model answers; a text alone is its content. */
export interface OpenAIReply {
  /** Text, or a value to be sent as JSON. */
  readonly content?: unknown;
  readonly thinking?: string;
  /** The field that thinking goes out in; `reasoning_content` unless told. */
  readonly thinkingIn?: 'reasoning_content' | 'reasoning';
  readonly toolCalls?: readonly OpenAICalled[];
  /** Milliseconds until the status goes out; 0 unless told. */
  readonly delay?: number;
  /** Milliseconds before each further event; 0 unless told. */
  readonly pause?: number;
  /** Awaited before each event of a stream; the first is 0. */
  readonly before?: (event: number) => Promise<unknown> | undefined;
  /** Body of an error, a text as it is; goes out with `status`, or in the stream after `errorAfter` events. */
  readonly error?: unknown;
  /** Status of an error; 500 unless told. */
  readonly status?: number;
  /** Headers beside a status, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Events that go out before the error. */
  readonly errorAfter?: number;
  /** Events that go out before the socket is dropped; with 0 not even a status does. */
  readonly dropAfter?: number;
  /** Events that go out before the stream ends without its end. */
  readonly endAfter?: number;
  /** In place of what was counted; null leaves it out. */
  readonly usage?: Readonly<Record<string, unknown>> | null;
  /** In place of `stop`, `tool_calls` or `length`. */
  readonly finish?: string;
  /** Characters of text, thinking or arguments in an event; 12 unless told. */
  readonly piece?: number;
  /** Whether comments stand between the events, as servers send them to keep a connection; false unless told. */
  readonly comments?: boolean;
  /** Bytes in a chunk of the response, whatever they cut through; whole events unless told. */
  readonly chunk?: number;
  /** All of the response's body, byte for byte, in place of everything else. */
  readonly raw?: string;
  /** Media type of `raw`; `text/event-stream` unless told. */
  readonly type?: string;
}

/** Answers one request, or is the answer. */
export type OpenAILine = ReplyLine<OpenAIAsked, OpenAIReply>;

/** What a server's models answer. */
export type OpenAIScript = Script<OpenAIAsked, OpenAIReply>;
