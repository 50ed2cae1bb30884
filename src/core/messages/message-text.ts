import { argumentsOf, type Message, textOf, type Content, type Part } from './message.ts';

/** An entry as one text: its content, then each call on a line of its own. */
export interface EntryText {
  readonly text: string;
  /** Offset of the calls; the length of the text where there are none. */
  readonly calls: number;
}

/** The text of an entry as search finds it and recall gives it; thinking is left out. */
export function entryText(message: Message): EntryText {
  const content = contentText(message.content);
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  if (calls.length === 0) return { text: content, calls: content.length };
  const lines = calls.map((call) => `call ${call.name} ${argumentsOf(call)}`).join('\n');
  const head = content === '' ? '' : `${content}\n`;
  return { text: head + lines, calls: head.length };
}

/** Longest piece, in UTF-16 units. */
const longest = 1_500;

/**
 * The ends of the pieces that a text is indexed by, each at most 1,500 UTF-16 units long and cut at a
 * line end where one is near, else between words. An empty text is one piece.
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
  const least = start + longest / 2;
  // Only in this part: a text may have no line end at all.
  const line = text.slice(least, limit).lastIndexOf('\n');
  if (line >= 0) return least + line + 1;
  for (let at = limit; at > least; at -= 1) if (isSeparator(text.charCodeAt(at - 1))) return at;
  const unit = text.charCodeAt(limit - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? limit - 1 : limit;
}

const isSeparator = (unit: number): boolean => unit <= 32 || unit === 44 || unit === 59;

/** The text of a message's content, each file as one line. */
function contentText(content: Content): string {
  return shownText(partsOf(content));
}

/** A content as parts. */
export const partsOf = (content: Content): readonly Part[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** The text of parts, each file as one line; files that are sent themselves (`isSent`) are left out. */
export function shownText(
  parts: readonly Part[],
  isSent: (part: Part) => boolean = () => false,
): string {
  const visibleParts = parts.filter((part) => !isSent(part));
  return textOf(visibleParts.map((part) => ({ type: 'text', text: partText(part) })));
}

function partText(part: Part): string {
  if (part.type === 'text') return part.text;
  const name = part.name ?? (isUrl(part.data) ? part.data.slice(0, 200) : '');
  return `[file ${[name, part.mediaType].filter((word) => word !== '').join(', ')}]`;
}

/** Whether the data of a file is a URL, not base64. */
export const isUrl = (data: string): boolean => /^https?:\/\//i.test(data);
