import { clip } from '../../core/text/sentences.ts';
import { EngineError, fail } from '../../core/values/error.ts';

// What can go wrong with a model's server, whichever kind it is. Each kind of
// server reads its own error shapes and makes one of these.

/** Where a request went. */
export interface ModelAddress {
  /** Address of the server, without a key. */
  readonly server: string;
  /** How the server is spoken to. */
  readonly api: 'ollama' | 'openai';
  readonly model: string;
}

/** No server answers at the address. */
export function unreachable({ server, api, model }: ModelAddress, cause: unknown): EngineError {
  const said = `No model server answers at ${server}`;
  return new EngineError('MODEL_UNREACHABLE', said, {
    retryable: true,
    cause,
    detail: { server, api, model },
  });
}

/** The error of a request that got no answer. */
export function noAnswer(asked: ModelAddress, cause: unknown): EngineError {
  return broken.has(codeOf(cause)) ? interrupted(asked, cause) : unreachable(asked, cause);
}

/** Codes of a connection that was there and broke, from `node:http` and from Node's fetch. */
const broken: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
]);

/** The server does not have the model. */
export function modelNotFound(
  { server, api, model }: ModelAddress,
  known: readonly string[] = [],
): EngineError {
  const said = `The server at ${server} has no model "${model}"`;
  return fail('MODEL_NOT_FOUND', said, { server, api, model, known });
}

/** The model cannot do what was asked of it: `chat`, `tools` or `thinking`. */
export function unsupported({ server, model }: ModelAddress, ability: string): EngineError {
  const said = `Model "${model}" does not support ${ability}`;
  return fail('MODEL_UNSUPPORTED', said, { server, model, ability });
}

/** The prompt is longer than the window, alone or with its answer; the numbers are the server's own, null where it gave none. */
export function promptTooLong(
  { server, model }: ModelAddress,
  { tokens, window }: Readonly<Record<'tokens' | 'window', number | null>>,
  cause: unknown,
): EngineError {
  const size = tokens === null ? 'The prompt' : `A prompt of ${tokens} tokens`;
  const fits = tokens !== null && window !== null && tokens <= window;
  const exceeds = fits ? 'and its answer exceed' : 'exceeds';
  const limit = window === null ? 'the window' : `the window of ${window}`;
  const said = `${size} ${exceeds} ${limit} of model "${model}"`;
  return new EngineError('MODEL_OVERFLOW', said, {
    cause,
    detail: { server, model, tokens, window },
  });
}

/** The server has too much to do; `retryAfter` is in milliseconds, null where it does not say. */
export function serverBusy(
  { server, model }: ModelAddress,
  cause: unknown,
  retryAfter: number | null,
): EngineError {
  return new EngineError('MODEL_BUSY', `The server at ${server} is busy`, {
    retryable: true,
    cause,
    detail: { server, model, ...(retryAfter !== null && { retryAfter }) },
  });
}

/** The answer broke off: the socket was dropped, or an error came in mid-stream. */
export function interrupted({ server, model }: ModelAddress, cause: unknown): EngineError {
  return new EngineError('MODEL_INTERRUPTED', `Model "${model}" broke off: ${reason(cause)}`, {
    retryable: true,
    cause,
    detail: { server, model },
  });
}

/** The server wants another key, or none of us. */
export function refused({ server, model }: ModelAddress, status: number): EngineError {
  const said = `The server at ${server} refused the key (${status})`;
  return fail('MODEL_REFUSED', said, { server, model, status });
}

/** Anything else that a server answered; `status` is null where there was none. */
export function modelFailed(
  { server, model }: ModelAddress,
  status: number | null,
  cause: unknown,
): EngineError {
  const said = `Model "${model}" failed: ${reason(cause)}`;
  return fail('MODEL_FAILED', said, { server, model, status, cause: reason(cause) });
}

/** An answer, or a line of one, of more than `most` UTF-16 units, which nobody reads. */
export const answerTooLong = (
  asked: ModelAddress,
  most: number,
  part = 'its answer',
): EngineError => modelFailed(asked, null, `${part} exceeds ${most} characters`);

function reason(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return clip(text.replace(/\s+/g, ' '), 300);
}

/** The system's code of an error, or of what caused it; '' if there is none. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return typeof code === 'string' ? code : codeOf(cause);
}
