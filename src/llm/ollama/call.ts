import type { Ollama } from 'ollama';
import { fail } from '../../core/values/error.ts';
import { fieldOf, isObject, jsonOf } from '../../core/values/json.ts';
import {
  errorOf,
  apiAddress,
  longest,
  textChunks,
  send,
  shownAddress,
  textOf,
  withKnownModels,
  type Call,
} from '../server/model-call.ts';
import { answerTooLong, interrupted, modelFailed } from '../server/model-error.ts';
import { patientFetch } from '../server/patient-fetch.ts';
import { errorInStream } from '../server/server-error.ts';

// The client can end a stream once it has begun, and nothing else; and Node's
// fetch does not wait for a slow model. So the client says where and how a request
// goes, and it is sent and read as for any other server.

/** A call to the server of a client. */
export interface OllamaCall extends Call {
  readonly client: Ollama;
}

/** Refuses what is no client of the package `ollama`; throws `OPTION_INVALID`. */
export function checkClient(client: unknown): void {
  if (typeof fieldOf(fieldOf(client, 'config'), 'host') === 'string') return;
  const said = 'The client is not one of Ollama, as `new Ollama({ host })` of the package ollama';
  throw fail('OPTION_INVALID', said, { option: 'client' });
}

/** A call to the server that `client` speaks to, as the client would make it. */
export function callOf(client: Ollama, model: string, signal?: AbortSignal): OllamaCall {
  checkClient(client);
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

/** The JSON object that a request is answered with. */
export async function requestJson(call: Call, path: string, body?: object): Promise<Json> {
  const text = await textOf(call, await okResponse(call, path, body));
  const answer = jsonOf(text);
  if (!isObject(answer)) throw modelFailed(call.endpoint.asked, null, text);
  return answer;
}

/** The values of an answer as they come, one a line; whoever stops listening ends the request, and so does `client.abort()`. */
export async function* streamJson(
  call: OllamaCall,
  path: string,
  body: object,
): AsyncGenerator<Json> {
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
  const response = await okResponse(call, path, body);
  for await (const line of linesIn(call, response)) {
    if (line.trim() === '') continue;
    const value = jsonOf(line);
    if (!isObject(value)) throw interrupted(asked, `no answer in the stream: ${line}`);
    if ('error' in value) throw await withKnownModels(call, errorInStream(asked, line));
    yield value;
    call.signal?.throwIfAborted();
    if (value['done'] === true || value['status'] === 'success') return;
  }
  throw interrupted(asked, 'the stream ended before the answer did');
}

/** The lines of a response; one that comes in many parts is put together once. */
async function* linesIn(call: Call, response: Response): AsyncGenerator<string> {
  let open: string[] = [];
  let length = 0;
  for await (const part of textChunks(call, response)) {
    const [next = '', ...later] = part.split(/\n\s*/);
    open.push(next);
    length += next.length;
    if (length > longest.line)
      throw answerTooLong(call.endpoint.asked, longest.line, 'a line of its answer');
    if (later.length === 0) continue;
    yield open.join('');
    const rest = later.pop() ?? '';
    yield* later;
    open = [rest];
    length = rest.length;
  }
  yield open.join('');
}

/** A response with a status of success; rejects with the error of any other. */
async function okResponse(call: Call, path: string, body?: object): Promise<Response> {
  const response = await send(call, apiAddress(call.endpoint, path), body);
  if (response.ok) return response;
  throw await errorOf(call, response, await textOf(call, response));
}
