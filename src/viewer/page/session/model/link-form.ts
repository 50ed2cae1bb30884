/** Ids of entries, ranges of them, frames, and nothing else that only looks like one. */
const ids = String.raw`\b(?:e\d+(?:-e\d+)?|f\d+)\b`;

/** Where a word may begin: behind no letter or digit, but for that of an escape that stands in a text as it is written. */
const beginning = String.raw`(?:(?<![\p{L}\p{N}_])|(?<=\\[nrt]))`;

/** Words where one begins with them, or else ids, which are its first group. */
export function linkForm(words: readonly string[]): RegExp {
  const each = words.map((word) => word.replace(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`));
  const marked = each.length === 0 ? '' : `${beginning}(?:${each.join('|')})|`;
  return new RegExp(`${marked}(${ids})`, 'giu');
}
