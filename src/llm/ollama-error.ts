import type { EngineError } from '../core/error.ts';
import { messageOf, wordsOf } from './error-words.ts';
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

/** What an answer with an error status says; `body` is its text. */
export function fromStatus(asked: Asked, status: number, body: string): EngineError {
  const words = wordsOf(body);
  const cause = new Error(messageOf(body) || `status ${status}`);
  const overflow = overflowIn(body);
  if (overflow !== null) return promptTooLong(asked, { ...overflow, cause });
  if (status === 401 || status === 403) return refused(asked, status);
  if (status === 429 || status === 503) return serverBusy(asked, cause);
  if (missing.test(words)) return modelNotFound(asked);
  const ability = /does not support (\w+)/.exec(words);
  if (ability !== null) return unsupported(asked, ability[1]!);
  if (status === 502 || status === 504) return unreachable(asked, cause);
  return modelFailed(asked, status, cause);
}

const missing = /\bmodel\b.*\bnot found\b|^invalid model name/im;

/** What broke an answer off that had begun well. */
export function fromStream(asked: Asked, cause: unknown): EngineError {
  const said = cause instanceof Error ? cause.message : String(cause);
  const overflow = overflowIn(said);
  if (overflow !== null) return promptTooLong(asked, { ...overflow, cause });
  return unknown.test(said) ? modelNotFound(asked) : interrupted(asked, cause);
}

/** What a download says of a model that there is nowhere. */
const unknown = /^pull model manifest: (?:file does not exist|.*not found)/i;
