import type { Assembly, OutMessage } from '../../index.ts';

/** Tokens at the start of `next` that are the same, message by message, as in `before`. */
export function sameStart(before: Assembly, next: Assembly): number {
  let same = 0;
  for (const [index, message] of next.messages.entries()) {
    const old = before.messages[index];
    if (old === undefined || !isSame(old, message)) break;
    same += message.tokens;
  }
  return same;
}

function isSame(one: OutMessage, other: OutMessage): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
