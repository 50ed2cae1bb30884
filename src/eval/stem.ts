// The suffix stripper of M. F. Porter (1980), with the two changes that its
// author made later (-bli, -logi). A rule is a suffix, what it becomes, and how
// much word must be left before it: the measure, which counts how often a run of
// vowels is followed by a run of consonants. A `y` after a consonant is a vowel.
// The search in src/core has one of its own, so that neither bends to the other.

type Rule = readonly [suffix: string, becomes: string];

const doubled: readonly Rule[] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['alli', 'al'],
  ['ator', 'ate'],
  ['logi', 'log'],
  ['bli', 'ble'],
  ['eli', 'e'],
];

const simple: readonly Rule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];

const last: readonly Rule[] =
  'ement ance ence able ible ment ant ent ism ate iti ous ive ize al er ic ou'
    .split(' ')
    .map((suffix) => [suffix, '']);

const stems = new Map<string, string>();

/** Most stems that are remembered. */
const mostStems = 100_000;

/** The stem of a lower-case word; a word with digits is left as it is. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= mostStems) stems.clear();
  const found = strip(word);
  stems.set(word, found);
  return found;
}

function strip(word: string): string {
  let rest = withoutPast(withoutPlural(word));
  if (rest.length > 2 && rest.endsWith('y') && hasVowel(rest.slice(0, -1)))
    rest = `${rest.slice(0, -1)}i`;
  rest = apply(doubled, rest, 0);
  rest = apply(simple, rest, 0);
  return withoutEnd(withoutLast(rest));
}

function withoutPlural(word: string): string {
  if (word.length > 4 && word.endsWith('sses')) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('ies')) return word.slice(0, -2);
  return word.length > 2 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.length > 3 && word.endsWith('eed'))
    return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const cut = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  const root = word.slice(0, -cut);
  if (cut === 0 || !hasVowel(root)) return word;
  if (/(at|bl|iz)$/.test(root)) return `${root}e`;
  if (isConsonant(root, root.length - 1) && /([^lsz])\1$/.test(root)) return root.slice(0, -1);
  return measure(root) === 1 && isClosed(root) ? `${root}e` : root;
}

/** The word by the first rule whose suffix it has, if more than `least` is left before that. */
function apply(rules: readonly Rule[], word: string, least: number): string {
  const rule = rules.find(([suffix]) => word.length > suffix.length && word.endsWith(suffix));
  if (rule === undefined) return word;
  const root = word.slice(0, -rule[0].length);
  return measure(root) > least ? root + rule[1] : word;
}

function withoutLast(word: string): string {
  if (!/[st]ion$/.test(word)) return apply(last, word, 1);
  const root = word.slice(0, -3);
  return root.length > 1 && measure(root) > 1 ? root : word;
}

function withoutEnd(word: string): string {
  let rest = word;
  if (rest.endsWith('e')) {
    const root = rest.slice(0, -1);
    const size = measure(root);
    if (size > 1 || (size === 1 && !isClosed(root))) rest = root;
  }
  return rest.endsWith('ll') && measure(rest) > 1 ? rest.slice(0, -1) : rest;
}

function isConsonant(word: string, index: number): boolean {
  const letter = word[index]!;
  if (letter === 'y') return index === 0 || !isConsonant(word, index - 1);
  return !'aeiou'.includes(letter);
}

function hasVowel(word: string): boolean {
  return Array.from(word).some((_, index) => !isConsonant(word, index));
}

function measure(word: string): number {
  let size = 0;
  for (let index = 1; index < word.length; index += 1)
    if (isConsonant(word, index) && !isConsonant(word, index - 1)) size += 1;
  return size;
}

/** Whether a word ends consonant, vowel, consonant, the last not w, x or y. */
function isClosed(word: string): boolean {
  const end = word.length - 1;
  return (
    end >= 2 &&
    isConsonant(word, end - 2) &&
    !isConsonant(word, end - 1) &&
    isConsonant(word, end) &&
    !/[wxy]$/.test(word)
  );
}
