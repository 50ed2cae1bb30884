import { plainSentence } from '../text/decisions.ts';
import { oneLine } from '../text/sentences.ts';
import { isGoalMarker } from '../text/sections.ts';

/**
 * A summary, whoever wrote it, made safe to stand in an assembly: printable lines,
 * none empty, none that could be taken for a tag, a marker or the end of its section.
 */
export function sanitize(text: string): string {
  return text
    .replace(ourTags, '‹$1')
    .split(/\r?\n|\r/)
    .map((line) => {
      const clean = oneLine(line);
      if (isGoalMarker(clean)) return `- ${plainSentence(clean)}`;
      return /^[<[]/.test(clean) ? `- ${clean}` : clean;
    })
    .filter((line) => line !== '')
    .join('\n');
}

/** Tags that an assembly is made of. */
const ourTags = /<(\/?(?:checkpoint|frame|goal)\b)/gi;
