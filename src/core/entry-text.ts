import { argumentsOf, type Message } from './message.ts';
import { contentText } from './wire.ts';

/** What an entry says as one text: its content, then each call on a line of its own. */
export interface EntryText {
  readonly text: string;
  /** Where the calls begin; the length of the text where there are none. */
  readonly calls: number;
}

/** The text of an entry as search finds it and recall gives it; what it thought is left out. */
export function entryText(message: Message): EntryText {
  const content = contentText(message.content);
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  if (calls.length === 0) return { text: content, calls: content.length };
  const lines = calls.map((call) => `call ${call.name} ${argumentsOf(call)}`).join('\n');
  const head = content === '' ? '' : `${content}\n`;
  return { text: head + lines, calls: head.length };
}

/** Most units of UTF-16 in a piece. */
const longest = 1_500;

/**
 * The pieces of a text, as the ends of each: none is longer than 1,500 units. They are cut at line
 * ends where one is near, else between words; together they are the text. An empty text is one piece.
 */
export function piecesOf(text: string): readonly number[] {
  const ends: number[] = [];
  let start = 0;
  while (text.length - start > longest) {
    start = cutBefore(text, start, start + longest);
    ends.push(start);
  }
  return [...ends, text.length];
}

function cutBefore(text: string, start: number, limit: number): number {
  const line = text.lastIndexOf('\n', limit - 1);
  if (line >= start + longest / 2) return line + 1;
  for (let at = limit; at > start + longest / 2; at -= 1)
    if (isGap(text.charCodeAt(at - 1))) return at;
  const unit = text.charCodeAt(limit - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? limit - 1 : limit;
}

const isGap = (unit: number): boolean => unit <= 32 || unit === 44 || unit === 59;
