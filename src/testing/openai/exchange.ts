import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import {
  connect,
  noteRequest,
  type Connection,
  type NotedRequest,
  type OpenRequest,
} from '../http/connection.ts';
import { untilAborted } from '../http/patience.ts';

/** A body of chat completions, as far as the server reads it; any field may be missing. */
export interface OpenAIBody {
  readonly model?: string;
  readonly messages?: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_calls?: readonly unknown[];
  }[];
  readonly tools?: readonly unknown[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly response_format?: unknown;
  readonly [field: string]: unknown;
}

/** One request that a scripted OpenAI-compatible server took. */
export interface OpenAIExchanged extends NotedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: OpenAIBody;
  /** Tokens of the prompt; null where none was read. */
  readonly tokens: number | null;
}

/** A request and its way back. */
export interface Exchange extends Pick<Connection, 'signal' | 'ended' | 'text'> {
  readonly call: OpenRequest<OpenAIExchanged>;
  /** Sends a whole body; a text as it is, anything else as JSON. */
  send(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void;
  /** Sends a part of a stream, and the status before the first; in chunks of so many bytes where told. Resolves when it is on its way. */
  part(
    text: string,
    options?: { readonly type?: string | undefined; readonly chunk?: number | undefined },
  ): Promise<void>;
  /** Ends a stream. */
  end(): void;
  /** Drops the connection. */
  drop(): void;
}

/** Opens the record of a request, and the means to answer it. */
export function openExchange(request: IncomingMessage, response: ServerResponse): Exchange {
  const { headers } = request;
  const call: OpenRequest<OpenAIExchanged> = {
    ...noteRequest(request),
    headers,
    body: {},
    tokens: null,
  };
  const { begin, own, ...connection } = connect(call, request, response);
  const { signal } = connection;
  return {
    ...connection,
    call,
    send(status, body, headers = {}) {
      const isText = typeof body === 'string';
      const type = isText ? 'text/html; charset=utf-8' : 'application/json';
      begin(status, { 'content-type': type, ...headers });
      response.end(isText ? body : JSON.stringify(body));
    },
    async part(text, { type = 'text/event-stream', chunk = Number.POSITIVE_INFINITY } = {}) {
      begin(200, { 'content-type': type, 'cache-control': 'no-cache' });
      const bytes = Buffer.from(text);
      for (let start = 0; start < bytes.length; start += chunk) {
        if (signal.aborted) return;
        const piece = bytes.subarray(start, start + chunk);
        const written = new Promise<void>((resolve) => {
          response.write(piece, () => setImmediate(resolve));
        });
        await untilAborted(written, signal);
      }
    },
    end: () => response.end(),
    drop() {
      own();
      response.destroy();
    },
  };
}
