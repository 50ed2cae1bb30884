import type { Writer } from '../io.ts';
import { flow } from '../paper/flow.ts';
import { hanging, widthOf } from '../paper/width.ts';

/** The narrowest that help is laid out for, and the least room for what stands beside a name, in cells. */
const leastWidth = 40;
const leastBeside = 16;

/** A name, and the gap before what is said of it. */
const named = /^ +\S+(?: \S+)* {2,}(?=\S)/;

/**
 * A help text for `writer`: at a terminal narrower than it was written for its lines are parted between words, what
 * is said of a name below its beginning, and prose is filled anew. A word that is too long stays whole. Elsewhere the text as it is.
 */
export function helpText(text: string, writer: Writer): string {
  if (writer.isTTY !== true) return text;
  const columns = Math.max(leastWidth, writer.columns || 80);
  const fits = (line: string): boolean => widthOf(line) <= columns;
  const parted = (line: string): readonly string[] => {
    if (fits(line)) return [line];
    const [head = ''] = named.exec(line) ?? [];
    const said = line.slice(head.length);
    const longest = Math.max(leastBeside, ...said.split(' ').map(widthOf));
    if (head !== '' && columns - head.length >= longest) return hanging(head, said, columns);
    const inset = ' '.repeat(/^ */.exec(line)![0].length + 4);
    const below = head === '' ? [] : hanging(inset, said, columns);
    const first = head === '' ? line : head.trimEnd();
    const terminal = { write: () => undefined, isTTY: true, columns };
    return [...flow(first, terminal, isProse(line) ? 0 : 4), ...below];
  };
  return blocksOf(text)
    .flatMap((block) => (block.every(fits) ? block : parted(block.join(' '))))
    .join('\n');
}

/** The lines of a text, those of prose, which are not indented, together. */
function blocksOf(text: string): readonly (readonly string[])[] {
  const blocks: string[][] = [];
  for (const line of text.split('\n')) {
    const last = blocks.at(-1);
    if (isProse(line) && isProse(last?.[0] ?? '')) last!.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

const isProse = (line: string): boolean => /^\S/.test(line);
