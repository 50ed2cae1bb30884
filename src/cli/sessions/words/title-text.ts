import { cleanLine } from '../../paper/clean.ts';
import { newSecrets } from '../../secrets/secrets.ts';

/** A link of Markdown, the end of which may be cut off. */
const link = /\[([^[\]\n]{1,400})\]\(\w+:[^()\s]{1,2000}(?:\)|$)/g;

/** A title on a line, its links by their texts, without keys: lists and status lines are seen by others, too. */
export function titleText(title: string): string {
  const line = cleanLine(title);
  // Most have none, and to look for two signs takes a tenth of a match.
  return newSecrets().hide(line.includes('](') ? line.replace(link, '$1') : line);
}
