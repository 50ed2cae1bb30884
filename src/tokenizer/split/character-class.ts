import { unicodeRanges } from './unicode.ts';

// Which characters are letters depends on the version of Unicode, and each Node has its own. The
// vocabularies were split by one version, and the same log must count alike everywhere.

/** A general category that the published expressions name. */
export type Category = keyof typeof unicodeRanges | 'L';

const letters = ['Lu', 'Ll', 'Lt', 'Lm', 'Lo'] as const;

const made = new Map<Category, string>();

/** The characters of `category`, for the inside of a character class of an expression with the flag `u`. */
export function charactersOf(category: Category): string {
  const known = made.get(category) ?? make(category);
  made.set(category, known);
  return known;
}

function make(category: Category): string {
  if (category === 'L') return letters.map(charactersOf).join('');
  let at = 0;
  return unicodeRanges[category]
    .split(' ')
    .map((range) => {
      const [gap = '', more = '0'] = range.split('-');
      const start = at + Number.parseInt(gap, 36);
      at = start + Number.parseInt(more, 36);
      return at > start ? `${escaped(start)}-${escaped(at)}` : escaped(start);
    })
    .join('');
}

function escaped(point: number): string {
  return `\\u{${point.toString(16)}}`;
}
