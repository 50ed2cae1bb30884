// A model as the AI SDK specifies it, in versions 2 to 4 of its specification (5 to 7 of the SDK), as far
// as it is used here.

/** A language model that a provider made. */
export interface Model {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls?: unknown;
  doGenerate(params: CallParams): PromiseLike<Generated>;
  doStream(params: CallParams): PromiseLike<Streamed>;
}

/** What a model is called with. */
export interface CallParams {
  readonly prompt: readonly PromptMessage[];
  readonly tools?: readonly object[] | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly providerOptions?: Readonly<Record<string, object | undefined>> | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A message of a prompt. */
export interface PromptMessage {
  readonly role: string;
  readonly content: string | readonly object[];
}

/** A part of an answer, or of the stream of one. */
export interface AnswerPart {
  readonly type: string;
  readonly id?: string;
  readonly text?: string;
  readonly delta?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly result?: unknown;
  readonly isError?: boolean | undefined;
  readonly providerExecuted?: boolean | undefined;
  readonly providerMetadata?: object | undefined;
  readonly usage?: object;
  readonly finishReason?: Finish;
  readonly error?: unknown;
}

/** Why a model stopped: a word, or the word and what the provider calls it. */
type Finish = string | { readonly unified?: string };

/** A whole answer. */
export interface Generated {
  readonly content: readonly AnswerPart[];
  readonly finishReason?: Finish | undefined;
  readonly usage?: object | undefined;
}

/** An answer that comes in parts. */
export interface Streamed {
  readonly stream: ReadableStream<AnswerPart>;
}
