import { plainSentence } from '../text/decisions.ts';
import { clip, oneLine } from '../text/sentences.ts';
import { entryId } from '../values/id.ts';

/** Longest text, in UTF-16 units. */
const longest = 200;

/** A text on one line, without a stop at its end; what is too long is cut at a pause. */
export function short(text: string, length: number = longest): string {
  const line = plainSentence(oneLine(text));
  if (line.length <= length) return line.replace(/[.:;,]$/, '');
  const head = clip(line, length);
  const pause = Math.max(...['. ', '; ', ': ', ' — ', ', '].map((mark) => head.lastIndexOf(mark)));
  return pause > length / 2 ? `${head.slice(0, pause)}…` : head;
}

/** The mark of an entry behind what it says. */
export const at = (n: number): string => `(${entryId(n)})`;

/** A person's words as theirs. */
export const quoted = (text: string, n: number): string =>
  `“${short(text).replace(/[“”]/g, '"')}” ${at(n)}`;
