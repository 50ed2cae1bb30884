import { plainSentence } from './decisions.ts';
import { oneLine } from './sentences.ts';

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

/** A text of anybody as one line that could be taken for no tag and no marker; '' where nothing is left. */
export function sanitizeLine(text: string): string {
  let line = oneLine(text.replace(ourTags, '‹$1'));
  while (isGoalMarker(line)) line = line.replace(/^[^\]]*\][\s*_:]{0,8}/, '');
  return line;
}

/** A text with all lines but the first indented, blank ones left as they are: none of them begins as a line of ours does. */
export const indented = (text: string): string => text.replace(lineBreak, '$&  ');

/** What could be taken for a line break, before a line that is not blank. */
const lineBreak = /(?:\r\n|[\n\v\f\r\u0085\u2028\u2029])(?=[^\n\v\f\r\u0085\u2028\u2029])/g;

/** Tags that an assembly is made of. */
const ourTags = /<(\/?(?:checkpoint|frame|goal|recovered)\b)/gi;

/** Whether a line begins with a goal marker, which no text of ours may contain. */
const isGoalMarker = (line: string): boolean =>
  /^\W{0,12}\[(?:GOAL|CHECKPOINT|DECISION|ARTIFACT|NEXT)\]/.test(line);
