/** That a session was named where words are looked for, and how it is named there; nothing where none was. */
export function asWord(words: readonly string[]): readonly string[] {
  const name = words.find((word) => /^@\d+$/.test(word));
  return name === undefined ? [] : [`${name} was taken for a word; a session: --session ${name}`];
}
