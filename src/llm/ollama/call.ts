import type { Ollama } from 'ollama';
import { isObject, jsonOf } from '../fields.ts';
import {
  errorOf,
  inside,
  partsOf,
  send,
  shownAddress,
  textOf,
  withKnown,
  type Call,
} from '../model-call.ts';
import { interrupted, modelFailed } from '../model-error.ts';
import { patientFetch } from '../retry-fetch.ts';
import { fromStream } from '../server-error.ts';

// The client can end a stream once it has begun, and nothing else; and Node's
// fetch does not wait for a slow model. So the client says where and how a request
// goes, and it is sent and read as for any other server.

/** A call to the server of a client. */
export interface OllamaCall extends Call {
  readonly client: Ollama;
}

/** A call to the server that `client` speaks to, as the client would make it. */
export function toCall(client: Ollama, model: string, signal?: AbortSignal): OllamaCall {
  const { host, headers } = client['config'];
  const { OLLAMA_API_KEY: key } = process.env;
  const own = client['fetch'];
  const base = new URL(`${host}/api`);
  const endpoint = {
    asked: { server: shownAddress(host), api: 'ollama', model } as const,
    base,
    headers: {
      ...(base.origin === 'https://ollama.com' && key && { authorization: `Bearer ${key}` }),
      ...Object.fromEntries(new Headers(headers)),
    },
    send: own === globalThis.fetch ? patientFetch : own,
  };
  return { client, endpoint, signal };
}

/** An object of JSON. */
type Json = Readonly<Record<string, unknown>>;

/** The answer to a request, whole. */
export async function ask(call: Call, path: string, body?: object): Promise<Json> {
  const text = await textOf(call, await answered(call, path, body));
  const answer = jsonOf(text);
  if (!isObject(answer)) throw modelFailed(call.endpoint.asked, null, text);
  return answer;
}

/** The values of an answer as they come, one a line; whoever stops listening ends the request, and so does `client.abort()`. */
export async function* hear(call: OllamaCall, path: string, body: object): AsyncGenerator<Json> {
  const { asked } = call.endpoint;
  const ending = new AbortController();
  const ongoing: { abort(): void }[] = call.client['ongoingStreamedRequests'];
  const own = { abort: () => ending.abort(interrupted(asked, 'the client ended it')) };
  const signal = AbortSignal.any([ending.signal, ...(call.signal ? [call.signal] : [])]);
  ongoing.push(own);
  try {
    yield* valuesOf({ ...call, signal }, path, { ...body, stream: true });
  } finally {
    const index = ongoing.indexOf(own);
    if (index >= 0) ongoing.splice(index, 1);
  }
}

async function* valuesOf(call: Call, path: string, body: object): AsyncGenerator<Json> {
  const { asked } = call.endpoint;
  const response = await answered(call, path, body);
  for await (const line of linesIn(partsOf(call, response))) {
    if (line.trim() === '') continue;
    const value = jsonOf(line);
    if (!isObject(value)) throw interrupted(asked, `no answer in the stream: ${line}`);
    if ('error' in value) throw await withKnown(call, fromStream(asked, line));
    yield value;
    call.signal?.throwIfAborted();
    if (value['done'] === true || value['status'] === 'success') return;
  }
  throw interrupted(asked, 'the stream ended before the answer did');
}

async function* linesIn(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const part of parts) {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

/** What the server answers well; rejects with what it says otherwise. */
async function answered(call: Call, path: string, body?: object): Promise<Response> {
  const response = await send(call, inside(call.endpoint, path), body);
  if (response.ok) return response;
  throw await errorOf(call, response, await textOf(call, response));
}
