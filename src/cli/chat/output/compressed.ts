import { cleanLine } from '../../paper/clean.ts';
import type { Glyphs } from '../../paper/glyph.ts';
import { many, number } from '../../paper/size.ts';
import type { ChatEvent } from './chat-event.ts';

/** Who wrote what stands for the past now. */
const authors = {
  embedded: 'told in the words of the log',
  model: 'written by the model',
  fallback: 'written without the model',
} as const;

/** `▼ compressed 6,120 → 2,480 tokens, told in the words of the log`. */
export function compressedText(
  event: Extract<ChatEvent, { type: 'compressed' }>,
  glyphs: Glyphs,
): string {
  const { before, after, by, reason } = event;
  const why = reason === null ? '' : ` (${cleanLine(reason)})`;
  const parts = [
    `compressed ${number(before)} ${glyphs.to} ${many(after, 'token')}`,
    `${authors[by]}${why}`,
  ];
  return `${glyphs.compression} ${parts.join(', ')}`;
}

/** `Your message of 31,436 tokens is sent shortened to 1,308; all of it is in the log (e1)`. */
export function shortenedText({
  entry,
  tokens,
  sent,
}: Extract<ChatEvent, { type: 'shortened' }>): string {
  const sizes = `Your message of ${many(tokens, 'token')} is sent shortened to ${number(sent)}`;
  return `${sizes}; all of it is in the log (${entry})`;
}
