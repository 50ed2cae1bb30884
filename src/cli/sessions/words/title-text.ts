import { cleanLine } from '../../paper/clean.ts';

/** A link of Markdown, the end of which may be cut off. */
const link = /\[([^[\]\n]{1,400})\]\(\w+:[^()\s]{1,2000}(?:\)|$)/g;

/** A title on a line, its links by their texts. */
export const titleText = (title: string): string => cleanLine(title).replace(link, '$1');
