import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  connect,
  noteRequest,
  type Connection,
  type NotedRequest,
  type OpenRequest,
} from '../http/connection.ts';
import type { OllamaBody, OllamaMessage } from './wire.ts';

/** One request that a scripted Ollama server took. */
export interface OllamaCall extends NotedRequest {
  readonly body: OllamaBody;
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

/** A request and its way back. */
export interface Exchange extends Pick<Connection, 'signal' | 'ended' | 'text'> {
  readonly call: OpenRequest<OllamaCall>;
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
  const call = toCall(request);
  const { begin, own, ...connection } = connect(call, request, response);
  const exchange: Exchange = {
    ...connection,
    call,
    json(status, value) {
      begin(status, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(value));
    },
    plain(status, text) {
      begin(status, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(text);
    },
    fail(status, error) {
      if (!response.headersSent) return exchange.json(status, { error });
      exchange.line({ error });
      exchange.end();
    },
    line(value) {
      begin(200, { 'content-type': 'application/x-ndjson' });
      response.write(`${JSON.stringify(value)}\n`);
    },
    end() {
      begin(200, { 'content-type': 'application/x-ndjson' });
      response.end();
    },
    drop() {
      own();
      response.socket?.destroySoon();
    },
  };
  return exchange;
}

function toCall(request: IncomingMessage): OpenRequest<OllamaCall> {
  return {
    ...noteRequest(request),
    body: {},
    loaded: false,
    numCtx: null,
    asked: null,
    tokens: null,
    dropped: [],
    middle: 0,
  };
}
