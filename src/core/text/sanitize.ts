import { plainSentence } from './decisions.ts';
import { oneLine } from './sentences.ts';

/**
 * A summary, whoever wrote it, made safe to stand in an assembly: printable lines,
 * none empty, none that could be taken for a tag, a marker or the end of its section.
 */
export function sanitize(text: string): string {
  return untagged(text)
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
  let line = oneLine(untagged(text));
  while (isGoalMarker(line)) line = line.replace(/^[^\]]*\][\s*_:]{0,8}/, '');
  return line;
}

/** A text of anybody without what cannot be seen, and without tags that an assembly is made of. */
export const untagged = (text: string): string => text.replace(invisible, '').replace(ourTags, '‹');

/** A text of anybody below a head of ours: what in it could be taken for such a line is indented. */
export const inset = (text: string): string =>
  text.replace(line, (found) =>
    isHead.test(found.replace(unseen, '').replace(invisible, '')) ? `  ${found}` : found,
  );

/** A word of anybody to stand in the head of an entry, which it can neither end nor begin. */
export const inHead = (text: string): string =>
  oneLine(text).replace(/\[/g, '(').replace(/\]/g, ')').replace(/"/g, "'");

/** A text with all lines but the first indented, blank ones left as they are: none of them begins as a line of ours does. */
export const indented = (text: string): string => text.replace(lineBreak, '$&  ');

/** What could be taken for a line break, before a line that is not blank. */
const lineBreak = /(?:\r\n|[\n\v\f\r\u0085\u2028\u2029])(?=[^\n\v\f\r\u0085\u2028\u2029])/g;

/** What no line break interrupts. */
const line = /[^\n\v\f\r\u0085\u2028\u2029]+/g;

/** Tags that an assembly is made of, up to their names. */
const ourTags =
  /<(?=\s{0,8}\/?\s{0,8}(?:checkpoint|frame|child|goal|recovered|titles?|(?:partial-)?results|success-criteria|decisions|artifacts|failing|reason|left|more)(?![\w-]))/gi;

/** A line that begins as a head, an outcome or a section of ours. */
const isHead = new RegExp(`^(?:[\\[［【→]|${ourTags.source})`, 'i');

/** Characters that nobody sees, and that part a word for a program only. */
const invisible = /[\u00ad\u200b\u200e\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;

/** What nobody sees at the start of a line: what draws nothing, controls but the tab, colors of a terminal and titles for it. */
const unseen =
  /^(?:\u001b\[[\d;]{0,32}m|\u001b\][^\u0007\u001b\n]{0,256}(?:\u0007|\u001b\\)|(?!\t)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}])+/u;

/** Whether a line begins with a goal marker, which no text of ours may contain. */
const isGoalMarker = (line: string): boolean =>
  /^\W{0,12}\[(?:GOAL|CHECKPOINT|DECISION|ARTIFACT|NEXT)\]/.test(line);
