import type { CommandCall } from '../../call/call.ts';
import type { Teller } from './chat-event.ts';

/** Tells a chat as JSON, an event per line on stdout. */
export function jsonTeller(call: CommandCall): Teller {
  return { tell: (event) => call.emit('flamestack.chat/1', event) };
}
