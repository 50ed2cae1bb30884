import type { Ollama } from 'ollama';
import { isEngineError, type EngineError } from '../core/error.ts';
import { modelFailed, modelNotFound, noAnswer, type Asked } from './model-error.ts';
import { fromStatus, fromStream } from './ollama-error.ts';
import { patientFetch, type Sent } from './patient-fetch.ts';
import { withRetryAfter } from './retry-after.ts';
import { untilAborted } from './until-aborted.ts';

// The client can end a stream once it has begun, and nothing else. So each call
// goes through a view of the user's client whose `fetch` carries a signal, and
// which reads what is not an answer before the client sees it.

/** Whom a call goes to, and what ends it. */
export interface Call {
  readonly client: Ollama;
  readonly asked: Asked;
  readonly signal?: AbortSignal | undefined;
}

/** A stream of the client. */
type Stream<Part> = AsyncIterable<Part>;

/** What the client keeps to itself. */
interface Inside {
  readonly config: { readonly host: string };
  readonly fetch: (address: string, sent?: Sent) => Promise<Response>;
  readonly ongoingStreamedRequests: Stream<object>[];
}

/** Address of the server that a client speaks to, without name and password. */
export function serverOf(client: Ollama): string {
  const { host } = inside(client).config;
  return host.replace(/^(\w+:\/\/)[^/]*@/, '$1');
}

/** The answer to one call, whole. */
export async function ask<Answer>(
  call: Call,
  work: (client: Ollama) => Promise<Answer>,
): Promise<Answer> {
  const scope = open(call);
  try {
    return await untilAborted(work(scope.client), call.signal);
  } catch (error) {
    throw await explained(call, scope.client, error);
  } finally {
    scope.close();
  }
}

/** The parts of an answer as they come; whoever stops listening ends the request. */
export async function* hear<Part extends object>(
  call: Call,
  start: (client: Ollama) => Promise<Stream<Part>>,
): AsyncGenerator<Part> {
  const scope = open(call);
  const { ongoingStreamedRequests: ongoing } = inside(call.client);
  let stream: Stream<Part> | undefined;
  let parts: AsyncIterator<Part> | undefined;
  let whole = false;
  try {
    stream = await untilAborted(start(scope.client), call.signal);
    parts = stream[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await untilAborted(parts.next(), call.signal);
      if (done === true) break;
      yield value;
    }
    whole = true;
  } catch (error) {
    throw await explained(call, scope.client, error);
  } finally {
    if (!whole) scope.stop();
    if (!whole) parts?.return?.().catch(() => {});
    scope.close();
    const index = stream === undefined ? -1 : ongoing.indexOf(stream);
    if (index >= 0) ongoing.splice(index, 1);
  }
}

/** Names of the models on the server. */
export async function namesOn(client: Ollama): Promise<readonly string[]> {
  return listedIn(await client.list()).map(({ name }) => name);
}

/** What has a name in an answer that lists models; nothing where it lists none. */
export function listedIn(answer: unknown): readonly { readonly name: string }[] {
  const list = (answer as { models?: unknown } | null)?.models;
  if (!Array.isArray(list)) return [];
  return (list as readonly ({ readonly name?: unknown } | null)[]).filter(
    (item) => typeof item?.name === 'string',
  ) as { name: string }[];
}

interface Scope {
  /** The user's client, but for its `fetch`. */
  readonly client: Ollama;
  /** Ends the request. */
  stop(): void;
  /** Lets go of the signal. */
  close(): void;
}

function open(call: Call): Scope {
  const { client, asked, signal } = call;
  signal?.throwIfAborted();
  const ending = new AbortController();
  const stop = (): void => ending.abort();
  signal?.addEventListener('abort', stop, { once: true });
  const own = inside(client).fetch;
  const send = own === globalThis.fetch ? patientFetch : own;
  const fetch = async (address: string, sent: Sent = {}): Promise<Response> => {
    sent.signal?.addEventListener('abort', stop, { once: true });
    const asking = send(address, { ...sent, signal: ending.signal }).catch((cause) => {
      throw noAnswer(asked, cause);
    });
    const response = await untilAborted(asking, ending.signal);
    if (response.ok) return response;
    const body = await untilAborted(response.text(), ending.signal);
    throw withRetryAfter(fromStatus(asked, response.status, body), response);
  };
  return {
    client: Object.create(client, { fetch: { value: fetch } }) as Ollama,
    stop,
    close: () => signal?.removeEventListener('abort', stop),
  };
}

/** What a call failed of, in our words; the signal's reason where that was it. */
async function explained(call: Call, client: Ollama, error: unknown): Promise<unknown> {
  const { asked, signal } = call;
  const failure = ours(asked, error);
  const isMissing = failure.code === 'MODEL_NOT_FOUND';
  const known = isMissing ? await namesOn(client).catch(() => []) : [];
  if (signal?.aborted === true) return signal.reason;
  return isMissing ? modelNotFound(asked, known) : failure;
}

function ours(asked: Asked, error: unknown): EngineError {
  if (isEngineError(error)) return error;
  return error instanceof SyntaxError ? modelFailed(asked, null, error) : fromStream(asked, error);
}

function inside(client: Ollama): Inside {
  return client as unknown as Inside;
}
