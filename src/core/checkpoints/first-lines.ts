import { cutTo } from '../text/truncate.ts';
import type { Count } from '../messages/token-count.ts';

// A model's summary is a list of lines, the most important first. That order is its
// order of keeping: what is too long loses its last lines, at first and with every
// age, and nobody has to be asked again.

/**
 * A summary without so many of its last lines that it fits `target` tokens, and without
 * heads that nothing follows. Of lines that do not fit later ones that do may stay; where
 * none fits, the first is cut behind a sentence, else between words. A text within its
 * target comes back unchanged.
 */
export function firstLines(text: string, target: number, count: Count): string {
  if (count(text) <= target) return text;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  let remaining = target;
  const kept = lines.filter((line) => {
    const cost = remaining < 2 ? target + 1 : count(`${line}\n`);
    if (cost > remaining) return false;
    remaining -= cost;
    return true;
  });
  while (kept.length > 0 && count(withoutHeads(kept)) > target) kept.pop();
  const keptText = withoutHeads(kept);
  return keptText === ''
    ? cutLine(lines.find((line) => !isHead(line)) ?? text, target, count)
    : keptText;
}

/** The lines of several summaries in turn, each once: the first of each, then the second, so that each loses its last. */
export function linesInTurn(texts: readonly string[]): string {
  const lists = texts.map((text) => text.split('\n').filter((line) => line.trim() !== ''));
  const lines = new Set<string>();
  for (let at = 0; lists.some(({ length }) => length > at); at += 1)
    for (const list of lists) if (at < list.length) lines.add(list[at]!);
  return [...lines].join('\n');
}

/** A line that only announces those after it. */
const isHead = (line: string): boolean => /^(?:#{1,6}\s|(?![-*+•]\s).{1,80}:(?:\*\*)?$)/.test(line);

const withoutHeads = (lines: readonly string[]): string =>
  lines
    .filter((line, at) => !isHead(line) || (at + 1 < lines.length && !isHead(lines[at + 1]!)))
    .join('\n');

/** The start of a line that ends with a sentence, else with a word and an ellipsis. */
function cutLine(line: string, target: number, count: Count): string {
  const start = cutTo(line, target, count);
  if (start === line) return line;
  const sentence = /^[\s\S]*[.!?;](?=\s|$)/.exec(start)?.[0];
  if (sentence !== undefined && sentence.length > start.length / 3) return sentence;
  const shorter = cutTo(line, target - 1, count);
  const words = shorter.slice(0, Math.max(shorter.lastIndexOf(' '), shorter.length / 2)).trimEnd();
  const ended = `${words}…`;
  return count(ended) <= target ? ended : start;
}
