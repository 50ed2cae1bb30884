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

/** What an answer with an error status says; `body` is its text. */
export function fromStatus(asked: Asked, status: number, body: string): EngineError {
  const cause = new Error(wordsOf(body) || `status ${status}`);
  const overflow = overflowIn(body);
  if (overflow !== null) return promptTooLong(asked, { ...overflow, cause });
  if (status === 413 && !byTime.test(body))
    return promptTooLong(asked, { tokens: null, window: null, cause });
  if (status === 401 || status === 403) return refused(asked, status);
  if (busy.has(status) && !unpaid.test(body)) return serverBusy(asked, cause);
  if (status === 502 || status === 504) return unreachable(asked, cause);
  if (tools.test(body)) return unsupported(asked, 'tools');
  const ability = /does not support (thinking|reasoning|chat)/i.exec(body)?.[1]?.toLowerCase();
  if (ability !== undefined) return unsupported(asked, ability === 'chat' ? 'chat' : 'thinking');
  if (status < 500 && missing.test(body)) return modelNotFound(asked);
  return modelFailed(asked, status, cause);
}

/** What an error in the midst of an answer says; `body` is its text. */
export function fromEvent(asked: Asked, body: string): EngineError {
  const cause = new Error(wordsOf(body) || 'the server sent an error');
  const overflow = overflowIn(body);
  if (overflow !== null) return promptTooLong(asked, { ...overflow, cause });
  return interrupted(asked, cause);
}

/** Too many requests, not now, and Anthropic's and Cloudflare's own for it. */
const busy: ReadonlySet<number> = new Set([429, 503, 529]);

/** A limit that no waiting helps against. */
const unpaid = /insufficient_quota|billing|credit balance/i;

const byTime = /rate.?limit|per min/i;

const tools =
  /does not support (?:tools|tool|function)|support tool use|requires? (?:the )?--(?:jinja|enable-auto-tool-choice)/i;

const missing =
  /model_not_found|\bmodels?\b[^\n]{0,200}?(?:not found|does not exist|not a valid model)|not a valid model|no models? loaded|no endpoints found/i;

/** The words of an error in its body, wherever a server puts them; '' if there are none. */
function wordsOf(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return body.trim();
  }
  for (const field of ['error', 'message', 'detail', 'error_msg']) {
    const inner = (value as Readonly<Record<string, unknown>> | null)?.[field];
    if (typeof inner === 'string') return inner;
    if (typeof inner === 'object' && inner !== null) return wordsOf(JSON.stringify(inner));
  }
  return typeof value === 'string' ? value : body;
}
