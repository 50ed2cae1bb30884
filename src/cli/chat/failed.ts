import { isEngineError } from '../../index.ts';
import { toFailure } from '../exit.ts';
import type { ChatEvent } from './event.ts';

/** An error as a chat tells it: what, and what to do. */
export function failedEvent(error: unknown): Extract<ChatEvent, { type: 'error' }> {
  const { code, message, advice: usual } = toFailure(error);
  const advice =
    code === 'CONTEXT_OVERFLOW' ? 'A larger window would hold it: /window <tokens>.' : usual;
  const isOfModel = isEngineError(error) && code.startsWith('MODEL_');
  const again = isOfModel ? ['What you said is kept; /retry asks again.'] : [];
  const lines = [advice, ...again].filter((line) => line !== '');
  return { type: 'error', code, message, advice: lines.join('\n') };
}
