import type { Call } from '../../call.ts';
import type { Teller } from './chat-event.ts';

/** Tells a chat as JSON, an event per line on stdout. */
export function jsonTeller(call: Call): Teller {
  return { tell: (event) => call.emit('flamestack.chat/1', event) };
}
