import type { EngineError } from '../../core/values/error.ts';
import { errorMessage, errorWords } from './error-words.ts';
import {
  interrupted,
  modelFailed,
  modelNotFound,
  promptTooLong,
  refused,
  serverBusy,
  unreachable,
  unsupported,
  type ModelAddress,
} from './model-error.ts';
import { readOverflow } from './overflow-error.ts';

/** What an answer with an error status says; `body` is its text. */
export function errorOfStatus(
  asked: ModelAddress,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: string,
): EngineError {
  const words = errorWords(body);
  const cause = new Error(errorMessage(body) || `status ${status}`);
  const overflow = readOverflow(body);
  if (overflow !== null) return promptTooLong(asked, overflow, cause);
  if (status === 413 && !byTime.test(words))
    return promptTooLong(asked, { tokens: null, window: null }, cause);
  if (status === 401 || status === 403) return refused(asked, status);
  if (busy.has(status) && !unpaid.test(words))
    return serverBusy(asked, cause, retryAfterOf(headers.get('retry-after'), Date.now()));
  if (status === 502 || status === 504) return unreachable(asked, cause);
  if (tools.test(words)) return unsupported(asked, 'tools');
  const ability = /does not support (thinking|reasoning|chat)/i.exec(words)?.[1]?.toLowerCase();
  if (ability !== undefined) return unsupported(asked, ability === 'chat' ? 'chat' : 'thinking');
  if (status < 500 && missing.test(words)) return modelNotFound(asked);
  return modelFailed(asked, status, cause);
}

/** What an error in the midst of an answer says; `body` is its text. */
export function errorInStream(asked: ModelAddress, body: string): EngineError {
  const cause = new Error(errorMessage(body) || 'the server sent an error');
  const overflow = readOverflow(body);
  if (overflow !== null) return promptTooLong(asked, overflow, cause);
  return nowhere.test(cause.message) ? modelNotFound(asked) : interrupted(asked, cause);
}

/** What a server asks to be left alone, in milliseconds: seconds, or a date; null where it asks nothing that can be read. */
export function retryAfterOf(header: string | null | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const date = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Too many requests, not now, and Anthropic's and Cloudflare's own for it. */
const busy: ReadonlySet<number> = new Set([429, 503, 529]);

/** A limit that no waiting helps against. */
const unpaid = /insufficient_quota|billing|credit balance/i;

const byTime = /rate.?limit|per min/i;

const tools =
  /does not support (?:tools|tool|function)|support tool use|requires? (?:the )?--(?:jinja|enable-auto-tool-choice)/i;

const missing =
  /model_not_found|\bmodels?\b[^\n]{0,200}?(?:not found|does not exist|not a valid model)|not a valid model|^invalid model name|no models? loaded|no endpoints found/im;

/** What Ollama says of a model that no registry has for it to download. */
const nowhere = /^pull model manifest: (?:file does not exist|.*not found)/i;
