import { EngineError, fail } from '../core/error.ts';
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

/** Nobody answers there. */
export function unreachable(asked: Asked, cause: unknown): EngineError {
  return new EngineError('MODEL_UNREACHABLE', `No model server answers at ${asked.server}`, {
    retryable: true,
    cause,
    detail: { server: asked.server, api: asked.api, model: asked.model },
  });
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
  return fail('MODEL_NOT_FOUND', `The server at ${asked.server} has no model "${asked.model}"`, {
    server: asked.server,
    api: asked.api,
    model: asked.model,
    known,
  });
}

/** The model cannot do what was asked of it: `chat`, `tools` or `thinking`. */
export function unsupported(asked: Asked, ability: string): EngineError {
  return fail('MODEL_UNSUPPORTED', `Model "${asked.model}" does not support ${ability}`, {
    server: asked.server,
    model: asked.model,
    ability,
  });
}

/** The prompt is longer than the window, alone or with its answer; the numbers are the server's own, null where it gave none. */
export function promptTooLong(
  asked: Asked,
  given: {
    readonly tokens: number | null;
    readonly window: number | null;
    readonly cause: unknown;
  },
): EngineError {
  const { tokens, window, cause } = given;
  const size = tokens === null ? 'The prompt' : `A prompt of ${tokens} tokens`;
  const fits = tokens !== null && window !== null && tokens <= window;
  const exceeds = fits ? 'and its answer exceed' : 'exceeds';
  const limit = window === null ? 'the window' : `the window of ${window}`;
  const said = `${size} ${exceeds} ${limit} of model "${asked.model}"`;
  return new EngineError('MODEL_OVERFLOW', said, {
    cause,
    detail: { server: asked.server, model: asked.model, tokens, window },
  });
}

/** The server has too much to do. */
export function serverBusy(asked: Asked, cause: unknown): EngineError {
  return new EngineError('MODEL_BUSY', `The server at ${asked.server} is busy`, {
    retryable: true,
    cause,
    detail: { server: asked.server, model: asked.model },
  });
}

/** The answer broke off: the socket was dropped, or an error came in mid-stream. */
export function interrupted(asked: Asked, cause: unknown): EngineError {
  return new EngineError(
    'MODEL_INTERRUPTED',
    `Model "${asked.model}" broke off: ${reason(cause)}`,
    {
      retryable: true,
      cause,
      detail: { server: asked.server, model: asked.model },
    },
  );
}

/** The server wants another key, or none of us. */
export function refused(asked: Asked, status: number): EngineError {
  return fail('MODEL_REFUSED', `The server at ${asked.server} refused the key (${status})`, {
    server: asked.server,
    model: asked.model,
    status,
  });
}

/** Anything else that a server answered; `status` is null where there was none. */
export function modelFailed(asked: Asked, status: number | null, cause: unknown): EngineError {
  const said = `Model "${asked.model}" failed: ${reason(cause)}`;
  return fail('MODEL_FAILED', said, {
    server: asked.server,
    model: asked.model,
    status,
    cause: reason(cause),
  });
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
