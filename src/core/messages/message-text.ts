import { argumentsOf, type Message, textOf, type Content, type Part } from './message.ts';

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

/** The text of a message's content, each file as one line. */
export function contentText(content: Content): string {
  return shownText(partsOf(content));
}

export const partsOf = (content: Content): readonly Part[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** The text of parts; a file stands in it as one line, unless `isSent` says that it goes along. */
export function shownText(
  parts: readonly Part[],
  isSent: (part: Part) => boolean = () => false,
): string {
  const shown = parts.filter((part) => !isSent(part));
  return textOf(shown.map((part) => ({ type: 'text', text: lineOf(part) })));
}

function lineOf(part: Part): string {
  if (part.type === 'text') return part.text;
  const name = part.name ?? (isUrl(part.data) ? part.data.slice(0, 200) : '');
  return `[file ${[name, part.mediaType].filter((word) => word !== '').join(', ')}]`;
}

export const isUrl = (data: string): boolean => /^https?:\/\//i.test(data);
