import { isEngineError, type EngineError } from '../../core/values/error.ts';
import { untilAborted } from '../until-aborted.ts';
import { fieldOf, jsonOf } from '../../core/values/json.ts';
import {
  answerTooLong,
  interrupted,
  modelNotFound,
  noAnswer,
  type ModelAddress,
} from './model-error.ts';
import type { FetchOptions } from './patient-fetch.ts';
import { errorOfStatus } from './server-error.ts';

/** The API of a server, and the model that is asked there. */
export interface Endpoint {
  readonly asked: ModelAddress;
  /** Address of its API. */
  readonly base: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly send: (address: string, sent: FetchOptions) => Promise<Response>;
}

/** An endpoint, and the signal that ends the call. */
export interface Call {
  readonly endpoint: Endpoint;
  readonly signal?: AbortSignal | undefined;
}

/** An address without name, password and query, any of which may be a key; a password may have a slash in it. */
export function shownAddress(address: string): string {
  return address.replace(/[?#].*/, '').replace(/\/\/.*@/, '//');
}

/** The address of a path of the API. */
export function apiAddress({ base }: Endpoint, path: string): string {
  const url = new URL(base);
  url.pathname += path;
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
  const sent: FetchOptions = {
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

/**
 * What is read of a server, in UTF-16 units: of a stream, which may spend 500 on a token; and of a line of
 * it, or of what comes whole, as an error, which may repeat the request.
 */
export const longest = { stream: 128_000_000, line: 32_000_000 } as const;

/**
 * The text of a response as it comes, up to the limit of a stream; whoever stops listening ends the
 * request.
 */
export async function* textChunks(
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
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await untilAborted(read(), signal);
      if (done) break;
      const part = decoder.decode(value, { stream: true });
      length += part.length;
      if (length > longest.stream) throw answerTooLong(endpoint.asked, longest.stream);
      yield part;
    }
    yield decoder.decode();
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** The text of a response, whole; '' of an error that is too long: what is cut may show of it no more than the request that it repeats. */
export async function textOf(call: Call, response: Response): Promise<string> {
  let text = '';
  for await (const part of textChunks(call, response)) {
    text += part;
    if (text.length <= longest.line) continue;
    if (response.ok) throw answerTooLong(call.endpoint.asked, longest.line);
    return '';
  }
  return text;
}

/** The error of a response that is not ok; `MODEL_NOT_FOUND` lists the models that there are. */
export async function errorOf(
  call: Call,
  response: Pick<Response, 'status' | 'headers'>,
  body: string,
): Promise<EngineError> {
  return withKnownModels(call, errorOfStatus(call.endpoint.asked, response, body));
}

/** The same error; `MODEL_NOT_FOUND` with the models that there are. */
export async function withKnownModels(call: Call, error: EngineError): Promise<EngineError> {
  if (!isEngineError(error, 'MODEL_NOT_FOUND')) return error;
  const known = await listModels(call).catch(() => []);
  call.signal?.throwIfAborted();
  return modelNotFound(
    call.endpoint.asked,
    known.map(({ id }) => id),
  );
}

/** A model in a server's list, with whatever else the server says of it. */
export interface ListedModel {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** The models on the server. */
export async function listModels(call: Call): Promise<readonly ListedModel[]> {
  const { endpoint } = call;
  const path = endpoint.asked.api === 'ollama' ? '/tags' : '/models';
  const response = await send(call, apiAddress(endpoint, path));
  const body = await textOf(call, response);
  if (!response.ok) throw errorOfStatus(endpoint.asked, response, body);
  return modelsIn(jsonOf(body));
}

/** The models in a list, which is bare, under `data`, or with names under `models` as Ollama has it. */
export function modelsIn(value: unknown): readonly ListedModel[] {
  const list = [value, fieldOf(value, 'data'), fieldOf(value, 'models')].find(Array.isArray) ?? [];
  return (list as readonly unknown[]).flatMap((item) => {
    const id = fieldOf(item, 'id') ?? fieldOf(item, 'name');
    return typeof id === 'string' ? [{ ...(item as object), id }] : [];
  });
}
