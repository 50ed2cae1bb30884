import { charactersOf, type Category } from './character-class.ts';

// The published expressions are written for Rust. JavaScript reads four things in
// them otherwise:
//
//   \p{L} …     the letters, marks and numbers of its own version of Unicode
//   \s \S       Rust's white space has U+0085 (next line) and lacks U+FEFF (byte order mark)
//   (?i:'s|…)   js-tiktoken spells out both cases, but `ſ` (U+017F) is an `s` too

/** White space as Rust has it, for the inside of a character class. */
const whiteSpace =
  '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

/** The source of the published expression as JavaScript must have it, for the flag `u`. */
export function toPattern(published: string): string {
  return published
    .replaceAll('[^\\s', `[^${whiteSpace}`)
    .replaceAll('\\s', `[${whiteSpace}]`)
    .replaceAll('\\S', `[^${whiteSpace}]`)
    .replaceAll("'s|'S|", "'s|'S|'ſ|")
    .replaceAll(/(\[[^\]]*\])|\\p\{(\w+)\}/g, (whole: string, group: string | undefined) =>
      group === undefined ? `[${inside(whole)}]` : inside(group),
    );
}

/** `source`, which is the inside of a character class, with its categories spelled out. */
function inside(source: string): string {
  return source.replaceAll(/\\p\{(Lu|Ll|Lt|Lm|Lo|L|M|N)\}/g, (_, category: Category) =>
    charactersOf(category),
  );
}
