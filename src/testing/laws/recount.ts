import type { OutMessage } from '../../core/assembly/assembly.ts';
import type { Message } from '../../core/messages/message.ts';
import type { Count } from '../../core/messages/token-count.ts';

type Counted = Message | OutMessage | { readonly role: 'system'; readonly content: string };

/**
 * Tokens of a message by the rule of the design, written down a second time:
 * its text, the name and JSON of each call, 4 for the message, 8 for each call,
 * 1,000 for each file; as JSON where a provider spelled it, if that is more.
 */
export function recount(message: Counted, count: Count): number {
  const { content } = message;
  let text = '';
  let files = 0;
  if (typeof content === 'string') text = content;
  else {
    const texts: string[] = [];
    for (const part of content) {
      if (part.type === 'text') texts.push(part.text);
      else files += 1;
    }
    text = texts.join('\n');
  }
  let tokens = 4 + count(text);
  if (message.role === 'assistant')
    for (const { name, arguments: args } of message.toolCalls ?? [])
      tokens += 8 + count(`${name} ${typeof args === 'string' ? args : JSON.stringify(args)}`);
  if (message.role !== 'system' && message.provider !== undefined)
    tokens = Math.max(tokens, 4 + count(JSON.stringify(message.provider.raw)));
  return tokens + 1_000 * files;
}

/** The message under the labels of an assembly, as JSON: what was said, as it is sent. */
export function unlabeled(message: OutMessage): string {
  const { kind: _, section: __, tokens: ___, entry: ____, entries: _____, ...said } = message;
  return JSON.stringify(said);
}

const writtenBytes = new WeakMap<OutMessage, string>();
const countedTokens = new WeakMap<OutMessage, number>();

/** What is sent of a message and what it is, as JSON; remembered by identity unless `afresh`. */
export function bytesOf(message: OutMessage, afresh = false): string {
  const known = writtenBytes.get(message);
  if (known !== undefined && !afresh) return known;
  const { tokens: _, ...rest } = message;
  const bytes = JSON.stringify(rest);
  writtenBytes.set(message, bytes);
  return bytes;
}

/** {@link recount}, remembered by identity unless `afresh`. */
export function recountOut(
  message: OutMessage,
  { count, afresh = false }: { count: Count; afresh?: boolean },
): number {
  const known = countedTokens.get(message);
  if (known !== undefined && !afresh) return known;
  const tokens = recount(message, count);
  countedTokens.set(message, tokens);
  return tokens;
}
