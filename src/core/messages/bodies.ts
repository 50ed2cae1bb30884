import type { TextId } from '../values/id.ts';
import type { Message } from './message.ts';

/**
 * Texts and messages by id, which the state names and does not hold.
 *
 * **Contract:** answers for everything that the views, the tree, the newest
 * human entry and pending work of a state refer to; the same id always gives
 * the same body.
 */
export interface Bodies {
  /** The entry at position `n`, as it came. */
  message(n: number): Message;
  /** A stored text. */
  text(id: TextId): string;
  /** A stored text that is a shortened message. */
  short(id: TextId): Message;
}
