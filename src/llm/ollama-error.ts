import type { EngineError } from '../core/error.ts';
import {
  interrupted,
  modelFailed,
  modelNotFound,
  promptTooLong,
  refused,
  serverBusy,
  unreachable,
  unsupported,
  type Asked,
} from './model-error.ts';
import { overflowIn } from './overflow.ts';

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

/** What an answer with an error status says; `body` is its text. */
export function fromStatus(asked: Asked, status: number, body: string): EngineError {
  const said = errorIn(body);
  const cause = new Error(said ?? (body.trim() || `status ${status}`));
  const overflow = overflowIn(body);
  if (overflow !== null) return promptTooLong(asked, { ...overflow, cause });
  if (status === 401 || status === 403) return refused(asked, status);
  if (status === 429 || status === 503) return serverBusy(asked, cause);
  if (said !== null && missing.test(said)) return modelNotFound(asked);
  const ability = said === null ? null : /does not support (\w+)/.exec(said);
  if (ability !== null) return unsupported(asked, ability[1]!);
  if (status === 502 || status === 504) return unreachable(asked, cause);
  return modelFailed(asked, status, cause);
}

const missing = /\bmodel\b.*\bnot found\b|^invalid model name/i;

/** What broke an answer off that had begun well. */
export function fromStream(asked: Asked, cause: unknown): EngineError {
  const said = cause instanceof Error ? cause.message : String(cause);
  const overflow = overflowIn(said);
  if (overflow !== null) return promptTooLong(asked, { ...overflow, cause });
  return unknown.test(said) ? modelNotFound(asked) : interrupted(asked, cause);
}

/** What a download says of a model that there is nowhere. */
const unknown = /^pull model manifest: (?:file does not exist|.*not found)/i;

/** The words of an error body; null if it is not one of Ollama's. */
function errorIn(body: string): string | null {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    if (error === undefined || error === null) return null;
    return typeof error === 'string' ? error : JSON.stringify(error);
  } catch {
    return null;
  }
}

/** The system's code of an error, or of what caused it; '' if there is none. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return typeof code === 'string' ? code : codeOf(cause);
}
