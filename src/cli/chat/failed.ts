import { toFailure } from '../exit.ts';
import type { ChatEvent } from './event.ts';

/** An error as a chat tells it: what, and what to do. */
export function failedEvent(error: unknown): Extract<ChatEvent, { type: 'error' }> {
  const { code, message, advice } = toFailure(error);
  return { type: 'error', code, message, advice };
}
