import { fail, isEngineError } from '../core/error.ts';
import { interrupted, modelNotFound, noAnswer, type Asked } from './model-error.ts';
import { fromStatus } from './openai-error.ts';
import { patientFetch, type Sent } from './patient-fetch.ts';
import { withRetryAfter } from './retry-after.ts';
import { untilAborted } from './until-aborted.ts';

/** Where a model is, and how it is asked. */
export interface OpenAIOptions {
  /** Address of the API, such as `http://127.0.0.1:8080/v1`; one without a path gets `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token; none unless told. */
  readonly apiKey?: string;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What requests go through; unless told, one that waits as long as it takes. */
  readonly fetch?: (address: string, sent: Sent) => Promise<Response>;
}

/** A server as one model on it is asked. */
export interface Endpoint {
  readonly asked: Asked;
  readonly base: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly send: (address: string, sent: Sent) => Promise<Response>;
  /** Fields of a request that the server has refused. */
  readonly refused: Set<string>;
}

/** Whom a call goes to, and what ends it. */
export interface Call {
  readonly endpoint: Endpoint;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The endpoint that options name; throws `OPTION_INVALID` where the base URL is
 * none, or where a header cannot carry the key or what else is sent with it. No
 * part of these is in the error, for any may be a secret.
 */
export function toEndpoint(options: OpenAIOptions): Endpoint {
  const { baseUrl, model, apiKey = '', fetch = patientFetch } = options;
  if (!/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl))
    throw fail('OPTION_INVALID', 'The base URL is not an http address', { option: 'baseUrl' });
  if (!canCarry(apiKey.trim()))
    throw fail('OPTION_INVALID', 'The key has a character that no header can carry', {
      option: 'apiKey',
    });
  for (const [name, value] of Object.entries(options.headers ?? {}))
    if (!isHeaderName(name) || !canCarry(value))
      throw fail('OPTION_INVALID', 'A header has a character that none can carry', {
        option: 'headers',
      });
  const base = new URL(baseUrl);
  base.pathname = base.pathname.replace(/\/+$/, '') || '/v1';
  return {
    asked: { server: shownAddress(`${base.origin}${base.pathname}`), api: 'openai', model },
    base,
    headers: {
      ...(apiKey.trim() !== '' && { authorization: `Bearer ${apiKey.trim()}` }),
      ...options.headers,
    },
    send: fetch,
    refused: new Set(),
  };
}

/** An address without name, password and query, any of which may be a key; a password may have a slash in it. */
function shownAddress(address: string): string {
  return address.replace(/[?#].*/, '').replace(/\/\/.*@/, '//');
}

const canCarry = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

/** An address of the API itself. */
export function inside({ base }: Endpoint, path: string): string {
  const url = new URL(base);
  url.pathname += path;
  return url.href;
}

/** An address of the server beside its API. */
export function beside({ base }: Endpoint, path: string): string {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/v1$/, '') + path;
  return url.href;
}

/** Sends a request; resolves with whatever status came. */
export async function send(
  { endpoint, signal }: Call,
  address: string,
  body?: unknown,
): Promise<Response> {
  signal?.throwIfAborted();
  const { asked, headers } = endpoint;
  const sent: Sent = {
    headers,
    ...(signal && { signal }),
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  };
  return untilAborted(
    endpoint.send(address, sent).catch((cause) => {
      throw noAnswer(asked, cause);
    }),
    signal,
  );
}

/** The text of a response as it comes; whoever stops listening ends the request. */
export async function* partsOf(
  { endpoint, signal }: Call,
  response: Response,
): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const read = (): ReturnType<typeof reader.read> =>
    reader.read().catch((cause) => {
      throw interrupted(endpoint.asked, cause);
    });
  try {
    for (;;) {
      const { done, value } = await untilAborted(read(), signal);
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** The text of a response, whole. */
export async function textOf(call: Call, response: Response): Promise<string> {
  let text = '';
  for await (const part of partsOf(call, response)) text += part;
  return text;
}

/** What went wrong, with the models that there are where the one asked for is not. */
export async function errorOf(
  call: Call,
  response: Pick<Response, 'status' | 'headers'>,
  body: string,
): Promise<Error> {
  const error = withRetryAfter(fromStatus(call.endpoint.asked, response.status, body), response);
  if (!isEngineError(error, 'MODEL_NOT_FOUND')) return error;
  const known = await listOf(call).catch(() => []);
  call.signal?.throwIfAborted();
  return modelNotFound(
    call.endpoint.asked,
    known.map(({ id }) => id),
  );
}

/** A model in a server's list, with whatever else the server says of it. */
export interface Listed {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** The models on the server. */
export async function listOf(call: Call): Promise<readonly Listed[]> {
  const response = await send(call, inside(call.endpoint, '/models'));
  const body = await textOf(call, response);
  if (!response.ok)
    throw withRetryAfter(fromStatus(call.endpoint.asked, response.status, body), response);
  return listIn(parsed(body));
}

/** The models in a list, which is bare or under `data`. */
export function listIn(value: unknown): readonly Listed[] {
  const list = Array.isArray(value) ? value : (value as { data?: unknown } | null)?.data;
  if (!Array.isArray(list)) return [];
  return (list as readonly (Listed | null)[]).filter(
    (item) => typeof item?.id === 'string',
  ) as Listed[];
}

/** What a page of the server says; null where there is none that can be read. */
export async function pageOf(call: Call, address: string): Promise<unknown> {
  try {
    const response = await send(call, address);
    const body = await textOf(call, response);
    return response.ok ? parsed(body) : null;
  } catch (error) {
    call.signal?.throwIfAborted();
    if (isEngineError(error)) return null;
    throw error;
  }
}

/** The value of JSON; null where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
