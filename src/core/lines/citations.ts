import type { PositionSpan } from '../values/span.ts';

// The ids that a line of a model's summary rests on, as it writes them: `(e12, e14–e16)`.

const cited = /\be([1-9]\d{0,11})(?:\s?(?:[-–—]|\.\.)\s?e([1-9]\d{0,11}))?\b/g;

/** The entries that a text names, single ones and ranges, in its order. */
export const citationsIn = (text: string): readonly PositionSpan[] =>
  [...text.matchAll(cited)].map(([, first = '', last = first]) => {
    const ends = [Number(first), Number(last)];
    return [Math.min(...ends), Math.max(...ends)];
  });

/** A line in two: what it says, and the entries in brackets at its end. */
export function splitCitations(line: string): {
  readonly text: string;
  readonly cited: readonly PositionSpan[];
} {
  const start = /[)\]]\.?$/.test(line)
    ? Math.max(line.lastIndexOf('('), line.lastIndexOf('['))
    : -1;
  const tail = line.slice(Math.max(0, start));
  const isIds = start > 0 && /^[[(](?:[,;\s]|and)*[)\]]\.?$/.test(tail.replace(cited, ''));
  return isIds
    ? { text: line.slice(0, start).trimEnd(), cited: citationsIn(tail) }
    : { text: line, cited: [] };
}
