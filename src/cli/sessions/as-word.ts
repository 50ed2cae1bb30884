import { quote } from '../call/call.ts';
import { cleanLine } from '../paper/clean.ts';
import { begins } from './session-filter.ts';

/** Shortest beginning of an id that is no word by chance, in UTF-16 units. */
const leastBeginning = 4;

/** That a session was named where words are looked for, and how it is named there; nothing where none was: a place in the list, or as the only word an id or the beginning of one. */
export function asWord(
  words: readonly string[],
  sessions: readonly { readonly id: string }[],
): readonly string[] {
  const [only = ''] = words;
  const isName =
    words.length === 1 &&
    sessions.some(({ id }) => id === only || (only.length >= leastBeginning && begins(id, only)));
  const name = isName ? only : words.find((word) => /^@\d+$/.test(word));
  if (name === undefined) return [];
  const said = cleanLine(name);
  return [`${said} was taken for a word; a session: --session ${quote(said)}`];
}
