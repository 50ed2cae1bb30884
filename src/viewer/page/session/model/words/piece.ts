import { words } from '../axis/bands.ts';
import { number } from './amounts.ts';
import { parts, type PromptMessage } from '../wire.ts';

/** What a message of a prompt is called: as the legend of the chart calls its part, or by who said it; the newest of older words by both. */
export function pieceName({ section, kind, role }: PromptMessage): string {
  const part = Object.entries(words).find(([name]) => name === section)?.[1] ?? section;
  if (kind === 'made') return part;
  return section === 'human' ? `${role} (${part.toLowerCase()})` : role;
}

/** The tokens of a message of a prompt, whose parts have these `sizes`; of older words, which may stand in two messages, with those of both. */
export function pieceSize({ section, tokens }: PromptMessage, sizes: readonly number[]): string {
  const all = section === 'human' ? (sizes[parts.indexOf('human')] ?? tokens) : tokens;
  return all === tokens ? `${number(tokens)} tokens` : `${number(tokens)} of ${number(all)} tokens`;
}
