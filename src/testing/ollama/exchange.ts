import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OllamaBody, OllamaMessage } from './wire.ts';

/** One request that a scripted Ollama server took. */
export interface OllamaCall {
  readonly method: string;
  readonly path: string;
  readonly body: OllamaBody;
  /** Status that went out; null if none did. */
  readonly status: number | null;
  /** Whether the client hung up before the answer was whole. */
  readonly aborted: boolean;
  /** Whether the answer ended, or never will. */
  readonly ended: boolean;
  /** Whether the model was loaded for it, for the first time or with another window. */
  readonly loaded: boolean;
  /** Window in force, in tokens; null where no prompt was read. */
  readonly numCtx: number | null;
  /** Tokens of the prompt as it was sent; null where none was read. */
  readonly asked: number | null;
  /** Tokens of the prompt that the model read; null where it read none. */
  readonly tokens: number | null;
  /** Messages that were dropped, oldest first. */
  readonly dropped: readonly OllamaMessage[];
  /** Tokens cut out of the middle. */
  readonly middle: number;
}

/** What a call's record becomes while it is served. */
export type OpenCall = { -readonly [Key in keyof OllamaCall]: OllamaCall[Key] };

/** A request and its way back. */
export interface Exchange {
  readonly call: OpenCall;
  /** Aborts when the connection is lost. */
  readonly signal: AbortSignal;
  /** The body as it came; rejects if the connection is lost. */
  text(): Promise<string>;
  json(status: number, value: unknown): void;
  plain(status: number, text: string): void;
  /** Says what went wrong: with `status`, or as the last line of a stream that began. */
  fail(status: number, error: string): void;
  /** Sends one line of a stream, and the status before the first. */
  line(value: unknown): void;
  /** Ends a stream. */
  end(): void;
  /** Drops the connection, after what was sent. */
  drop(): void;
}

/** Opens the record of a request, and the means to answer it. */
export function openExchange(request: IncomingMessage, response: ServerResponse): Exchange {
  const controller = new AbortController();
  const call = toCall(request);
  let ours = false;
  response.on('close', () => {
    call.aborted = !response.writableFinished && !ours;
    call.ended = true;
    controller.abort();
  });
  // A client that hangs up makes writes fail; that is its business.
  response.on('error', () => undefined);
  const begin = (status: number, type: string): void => {
    if (response.headersSent) return;
    call.status = status;
    response.writeHead(status, { 'content-type': type });
  };
  const exchange: Exchange = {
    call,
    signal: controller.signal,
    async text() {
      let text = '';
      request.setEncoding('utf8');
      for await (const part of request) text += part as string;
      return text;
    },
    json(status, value) {
      begin(status, 'application/json; charset=utf-8');
      response.end(JSON.stringify(value));
    },
    plain(status, text) {
      begin(status, 'text/plain; charset=utf-8');
      response.end(text);
    },
    fail(status, error) {
      if (!response.headersSent) return exchange.json(status, { error });
      exchange.line({ error });
      exchange.end();
    },
    line(value) {
      begin(200, 'application/x-ndjson');
      response.write(`${JSON.stringify(value)}\n`);
    },
    end() {
      begin(200, 'application/x-ndjson');
      response.end();
    },
    drop() {
      ours = true;
      response.socket?.destroySoon();
    },
  };
  return exchange;
}

function toCall(request: IncomingMessage): OpenCall {
  return {
    method: request.method ?? 'GET',
    path: (request.url ?? '/').replace(/[?#].*/, ''),
    body: {},
    status: null,
    aborted: false,
    ended: false,
    loaded: false,
    numCtx: null,
    asked: null,
    tokens: null,
    dropped: [],
    middle: 0,
  };
}
