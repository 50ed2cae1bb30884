import { fail } from '../../core/values/error.ts';
import { shownAddress, type Call, type Endpoint } from '../server/model-call.ts';
import { patientFetch, type FetchOptions } from '../server/patient-fetch.ts';

/** Where a model is, and how it is asked. */
export interface OpenAIOptions {
  /** Address of the API, such as `http://127.0.0.1:8080/v1`; one without a path gets `/v1`. */
  readonly baseURL: string;
  readonly model: string;
  /** Sent as a bearer token; none unless told. */
  readonly apiKey?: string;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What requests go through; unless told, one that waits as long as it takes. */
  readonly fetch?: (address: string, sent: FetchOptions) => Promise<Response>;
}

/** A server of this kind. */
export interface OpenAIEndpoint extends Endpoint {
  /** Fields of a request that it has refused. */
  readonly refused: Set<string>;
}

/** A call to such a server. */
export interface OpenAICall extends Call {
  readonly endpoint: OpenAIEndpoint;
}

/**
 * The endpoint that options name; throws `OPTION_INVALID` where the base URL is
 * none, or where a header cannot carry the key or what else is sent with it. No
 * part of these is in the error, for any may be a secret.
 */
export function toEndpoint(options: OpenAIOptions): OpenAIEndpoint {
  const { baseURL, model, headers = {}, fetch = patientFetch } = options;
  const key = options.apiKey?.trim() ?? '';
  if (!/^https?:/i.test(baseURL) || !URL.canParse(baseURL))
    throw invalid('baseURL', 'The baseURL is not an http address');
  if (!canCarry(key)) throw invalid('apiKey', 'The key has a character that no header can carry');
  for (const [name, value] of Object.entries(headers))
    if (!isHeaderName(name) || !canCarry(value))
      throw invalid('headers', 'A header has a character that none can carry');
  const base = new URL(baseURL);
  base.pathname = base.pathname.replace(/\/+$/, '') || '/v1';
  return {
    asked: { server: shownAddress(`${base.origin}${base.pathname}`), api: 'openai', model },
    base,
    headers: { ...(key !== '' && { authorization: `Bearer ${key}` }), ...headers },
    send: fetch,
    refused: new Set(),
  };
}

const invalid = (option: keyof OpenAIOptions, said: string): Error =>
  fail('OPTION_INVALID', said, { option });

const canCarry = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);
