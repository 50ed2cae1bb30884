import { EngineError, type ErrorCode } from '../core/error.ts';
import { clip } from '../core/sentence.ts';

// What can go wrong with a model's server, whichever kind it is. Each kind of
// server reads its own error shapes and makes one of these.

/** Where a request went. */
export interface Asked {
  /** Address of the server, without a key. */
  readonly server: string;
  /** How the server is spoken to. */
  readonly api: 'ollama' | 'openai';
  readonly model: string;
}

/** Codes of what may pass by itself. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'MODEL_BUSY',
  'MODEL_INTERRUPTED',
  'MODEL_UNREACHABLE',
]);

/** What is told of an error beside its code and where it was asked. */
interface Told {
  readonly said: string;
  readonly cause?: unknown;
  readonly detail?: Readonly<Record<string, unknown>>;
}

function failure(code: ErrorCode, asked: Asked, { said, cause, detail }: Told): EngineError {
  const { server, model } = asked;
  const retryable = passing.has(code);
  return new EngineError(code, said, { retryable, cause, detail: { server, model, ...detail } });
}

/** Nobody answers there. */
export function unreachable(asked: Asked, cause: unknown): EngineError {
  const said = `No model server answers at ${asked.server}`;
  return failure('MODEL_UNREACHABLE', asked, { said, cause, detail: { api: asked.api } });
}

/** What a request that got no answer failed of. */
export function noAnswer(asked: Asked, cause: unknown): EngineError {
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
export function modelNotFound(asked: Asked, known: readonly string[] = []): EngineError {
  const said = `The server at ${asked.server} has no model "${asked.model}"`;
  return failure('MODEL_NOT_FOUND', asked, { said, detail: { api: asked.api, known } });
}

/** The model cannot do what was asked of it: `chat`, `tools` or `thinking`. */
export function unsupported(asked: Asked, ability: string): EngineError {
  const said = `Model "${asked.model}" does not support ${ability}`;
  return failure('MODEL_UNSUPPORTED', asked, { said, detail: { ability } });
}

/** The prompt is longer than the window, alone or with its answer; the numbers are the server's own, null where it gave none. */
export function promptTooLong(
  asked: Asked,
  { tokens, window }: Readonly<Record<'tokens' | 'window', number | null>>,
  cause: unknown,
): EngineError {
  const size = tokens === null ? 'The prompt' : `A prompt of ${tokens} tokens`;
  const fits = tokens !== null && window !== null && tokens <= window;
  const exceeds = fits ? 'and its answer exceed' : 'exceeds';
  const limit = window === null ? 'the window' : `the window of ${window}`;
  const said = `${size} ${exceeds} ${limit} of model "${asked.model}"`;
  return failure('MODEL_OVERFLOW', asked, { said, cause, detail: { tokens, window } });
}

/** The server has too much to do; `retryAfter` is in milliseconds, null where it does not say. */
export function serverBusy(asked: Asked, cause: unknown, retryAfter: number | null): EngineError {
  const said = `The server at ${asked.server} is busy`;
  const detail = retryAfter === null ? {} : { retryAfter };
  return failure('MODEL_BUSY', asked, { said, cause, detail });
}

/** The answer broke off: the socket was dropped, or an error came in mid-stream. */
export function interrupted(asked: Asked, cause: unknown): EngineError {
  const said = `Model "${asked.model}" broke off: ${reason(cause)}`;
  return failure('MODEL_INTERRUPTED', asked, { said, cause });
}

/** The server wants another key, or none of us. */
export function refused(asked: Asked, status: number): EngineError {
  const said = `The server at ${asked.server} refused the key (${status})`;
  return failure('MODEL_REFUSED', asked, { said, detail: { status } });
}

/** Anything else that a server answered; `status` is null where there was none. */
export function modelFailed(asked: Asked, status: number | null, cause: unknown): EngineError {
  const said = `Model "${asked.model}" failed: ${reason(cause)}`;
  return failure('MODEL_FAILED', asked, { said, detail: { status, cause: reason(cause) } });
}

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
