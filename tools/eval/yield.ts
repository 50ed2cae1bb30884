import { sections, type Section } from '../../src/index.ts';
import type { Shown } from './said.ts';
import type { Share } from './share.ts';
import type { Uses } from './uses.ts';

/** Tokens by section of a context, and those of them that are used again. */
export type Yield = Readonly<Record<Section, Share>>;

/** Share of a session in whose contexts yield is measured: after the rest little comes that could use them. */
export const yieldingShare = 0.75;

/** Something for each section. */
export function bySection<Value>(of: (section: Section) => Value): Record<Section, Value> {
  return Object.fromEntries(sections.map((section) => [section, of(section)])) as Record<
    Section,
    Value
  >;
}

/** The yield of the context before the message at `place`. */
export function yieldOf(context: readonly Shown[], uses: Uses, place: number): Yield {
  const used = bySection(() => 0);
  const all = bySection(() => 0);
  for (const { section = 'working', text, tokens } of context) {
    all[section] += tokens;
    used[section] += tokens * uses.after(text, place);
  }
  return bySection((section) => ({ kept: used[section], of: all[section] }));
}
