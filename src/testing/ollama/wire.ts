// What Ollama's clients send, as far as this server reads it. All fields may
// be missing: a body is whatever came in.

/** A message as Ollama's clients send it. */
export interface OllamaMessage {
  readonly role: string;
  readonly content?: string;
  readonly thinking?: string;
  readonly images?: readonly string[];
  readonly tool_calls?: readonly {
    readonly id?: string;
    readonly function: { readonly name: string; readonly arguments: unknown };
  }[];
  readonly tool_name?: string;
  readonly tool_call_id?: string;
}

/** Body of a request, whatever its path. */
export interface OllamaBody {
  readonly model?: string;
  /** The model, as older clients say it. */
  readonly name?: string;
  readonly messages?: readonly OllamaMessage[];
  readonly prompt?: string;
  readonly system?: string;
  readonly raw?: boolean;
  readonly images?: readonly string[];
  readonly input?: string | readonly string[];
  readonly tools?: readonly unknown[];
  readonly think?: boolean | string;
  readonly format?: unknown;
  readonly stream?: boolean;
  readonly truncate?: boolean;
  readonly shift?: boolean;
  readonly keep_alive?: string | number;
  readonly options?: {
    readonly num_ctx?: number;
    readonly num_keep?: number;
    readonly num_predict?: number;
  };
  readonly _debug_render_only?: boolean;
}
