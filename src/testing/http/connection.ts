import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, jsonOf } from '../../core/values/json.ts';

/** What any scripted server notes of a request. */
export interface NotedRequest {
  readonly method: string;
  readonly path: string;
  /** Status that went out; null if none did. */
  readonly status: number | null;
  /** Whether the client hung up before the answer was whole. */
  readonly aborted: boolean;
  /** Whether the answer ended, or never will. */
  readonly ended: boolean;
}

/** A record that is still being written. */
export type OpenRequest<Call> = { -readonly [Key in keyof Call]: Call[Key] };

/** The means that an answer is made of. */
export interface Connection {
  /** Aborts when the connection is lost. */
  readonly signal: AbortSignal;
  /** Resolves when the connection has nothing more to hear. */
  readonly ended: Promise<void>;
  /** The body as it came; rejects if the connection is lost. */
  readonly text: () => Promise<string>;
  /** Sends the status, before anything else does. */
  readonly begin: (status: number, headers: Readonly<Record<string, string>>) => void;
  /** Takes what happens to the connection next as our own doing. */
  readonly own: () => void;
}

/** What is noted of a request that has just come. */
export function noteRequest(request: IncomingMessage): OpenRequest<NotedRequest> {
  const path = (request.url ?? '/').replace(/[?#].*/, '');
  return { method: request.method ?? 'GET', path, status: null, aborted: false, ended: false };
}

/** Keeps the record of a request while it is served. */
export function connect(
  call: OpenRequest<NotedRequest>,
  request: IncomingMessage,
  response: ServerResponse,
): Connection {
  const controller = new AbortController();
  let ours = false;
  // A client that hangs up makes writes fail; that is its business.
  response.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    response.on('close', () => {
      call.aborted = !response.writableFinished && !ours;
      call.ended = true;
      controller.abort();
      resolve();
    });
  });
  return {
    signal: controller.signal,
    ended,
    async text() {
      let text = '';
      request.setEncoding('utf8');
      for await (const part of request) text += part as string;
      return text;
    },
    begin(status, headers) {
      if (response.headersSent) return;
      call.status = status;
      response.writeHead(status, headers);
    },
    own: () => void (ours = true),
  };
}

/** The object that a body holds; null where it holds none. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  const value = jsonOf(text);
  return isObject(value) ? value : null;
}
