import type { Glyphs } from '../render/glyph.ts';
import { many, number } from '../render/size.ts';
import type { ChatEvent } from './event.ts';

/** `▼ compressed 6,120 → 2,480 tokens, facts kept 38/41, written by the model`. */
export function compressedText(
  event: Extract<ChatEvent, { type: 'compressed' }>,
  glyphs: Glyphs,
): string {
  const { before, after, facts, kept, by } = event;
  const parts = [
    `compressed ${number(before)} ${glyphs.to} ${many(after, 'token')}`,
    `facts kept ${number(kept)}/${number(facts)}`,
    by === 'fallback' ? 'written without the model' : 'written by the model',
  ];
  return `${glyphs.compression} ${parts.join(', ')}`;
}
