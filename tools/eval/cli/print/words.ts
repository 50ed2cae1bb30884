import type { Paper } from '../../../../src/cli/paper/paper.ts';
import { padEnd, widthOf, wrap } from '../../../../src/cli/paper/width.ts';

/** Words and what they mean, in two columns. */
export function wordLines(
  words: readonly (readonly [word: string, about: string])[],
  { width, paint }: Paper,
): readonly string[] {
  const inset = Math.max(0, ...words.map(([word]) => widthOf(word))) + 2;
  return words.flatMap(([word, about]) =>
    wrap(about, Math.max(20, width - inset)).map((line, index) =>
      paint(padEnd(index === 0 ? word : '', inset), 'bold').concat(line),
    ),
  );
}
