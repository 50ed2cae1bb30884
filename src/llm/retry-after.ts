import { EngineError } from '../core/error.ts';

/** What a server asks to be left alone, in milliseconds: seconds, or a date; null where it asks nothing that can be read. */
export function retryAfterOf(header: string | null | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const date = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** The same error, with `retryAfter` in its detail where a server that is busy says when to come back. */
export function withRetryAfter(
  error: EngineError,
  { headers }: Pick<Response, 'headers'>,
): EngineError {
  if (error.code !== 'MODEL_BUSY') return error;
  const retryAfter = retryAfterOf(headers.get('retry-after'), Date.now());
  if (retryAfter === null) return error;
  const { message, cause, detail } = error;
  return new EngineError('MODEL_BUSY', message, {
    retryable: true,
    cause,
    detail: { ...detail, retryAfter },
  });
}
