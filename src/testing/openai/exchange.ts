import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

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
export interface OpenAIExchanged {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: OpenAIBody;
  /** Status that went out; null if none did. */
  readonly status: number | null;
  /** Whether the client hung up before the answer was whole. */
  readonly aborted: boolean;
  /** Whether the answer ended, or never will. */
  readonly ended: boolean;
  /** Tokens of the prompt; null where none was read. */
  readonly tokens: number | null;
}

/** A request and its way back. */
export interface Exchange {
  readonly call: { -readonly [Key in keyof OpenAIExchanged]: OpenAIExchanged[Key] };
  /** Aborts when the connection is lost. */
  readonly signal: AbortSignal;
  /** The body as it came; rejects if the connection is lost. */
  text(): Promise<string>;
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
  const controller = new AbortController();
  const call: Exchange['call'] = {
    method: request.method ?? 'GET',
    path: (request.url ?? '/').replace(/[?#].*/, ''),
    headers: request.headers,
    body: {},
    status: null,
    aborted: false,
    ended: false,
    tokens: null,
  };
  let ours = false;
  response.on('close', () => {
    call.aborted = !response.writableFinished && !ours;
    call.ended = true;
    controller.abort();
  });
  const begin = (status: number, headers: Readonly<Record<string, string>>): void => {
    if (response.headersSent) return;
    call.status = status;
    response.writeHead(status, headers);
  };
  return {
    call,
    signal: controller.signal,
    async text() {
      let text = '';
      request.setEncoding('utf8');
      for await (const part of request) text += part as string;
      return text;
    },
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
        if (controller.signal.aborted) return;
        const piece = bytes.subarray(start, start + chunk);
        const written = new Promise<void>((resolve) => {
          response.write(piece, () => setImmediate(resolve));
        });
        await untilAborted(written, controller.signal);
      }
    },
    end: () => response.end(),
    drop() {
      ours = true;
      response.destroy();
    },
  };
}

/** The value of `promise`, or null once `signal` aborts. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(null);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
