import type { Writer } from '../io.ts';
import { widthOf } from './width.ts';

/** What is not parted: a command behind a colon, what stands in marks, an option with its value, a word. */
const unit =
  /(?<=: )flamestack .+|`[^`\n]{1,400}`\S*|[^\s"]*(?:"[^"\n]{1,400}"[^\s"]*)+\S*|--[\w-]+ <[^>]{1,80}>\S*|\S+/g;

/**
 * A line of prose as lines for `writer`: at a terminal no wider than it is, parted between words, the further ones below
 * the first and `deeper` by so many cells. A word that is too long, as a path, stays whole. Elsewhere the line as it is.
 */
export function flow(line: string, writer: Writer, deeper = 0): readonly string[] {
  const width = writer.isTTY === true ? writer.columns || 80 : Number.POSITIVE_INFINITY;
  if (widthOf(line) <= width) return [line];
  const indent = /^ */.exec(line)![0];
  const lines: string[] = [];
  let last = indent;
  const words = [...line.matchAll(unit)].flatMap(([one]) =>
    widthOf(one) > width - indent.length - deeper ? one.split(' ') : [one],
  );
  for (const word of words) {
    const isFirst = last.trim() === '';
    const longer = isFirst ? last + word : `${last} ${word}`;
    if (isFirst || widthOf(longer) <= width) last = longer;
    else {
      lines.push(last);
      last = indent + ' '.repeat(deeper) + word;
    }
  }
  return [...lines, last];
}
