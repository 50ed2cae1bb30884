import type { TextId } from '../values/id.ts';
import type { Message } from './message.ts';

/**
 * A reader of texts and messages by id; the state holds ids only.
 *
 * **Contract:** answers for everything that the views, the tree, the newest
 * human entry and pending work of a state refer to; the same id always gives
 * the same body.
 */
export interface Bodies {
  /** The entry at position `n`, as it came in. */
  message(n: number): Message;
  /** A stored text. */
  text(id: TextId): string;
  /** A stored text that is a shortened message. */
  short(id: TextId): Message;
}
