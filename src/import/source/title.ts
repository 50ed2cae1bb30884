// A frame's title may have 30 tokens, but importers do not count tokens. The
// price below is an estimate that errs upwards: a word of letters costs one for
// each six of them, everything else about one a character or more.

/** What a title may cost, by the prices below; below the 30 tokens that the engine allows. */
const dearestTokens = 24;
/** Longest title, in characters. */
const longestTitle = 100;
/** Longest criteria, in characters. */
const longestCriteria = 400;

/** The first words of `text` as a title of at most 100 characters, safely below 30 tokens. */
export function toTitle(text: string): string {
  const words = text
    .trimStart()
    .slice(0, 10 * longestTitle)
    .trimEnd()
    .split(/\s+/);
  let title = '';
  for (const word of words) {
    const longer = title === '' ? word : `${title} ${word}`;
    if (longer.length > longestTitle || price(longer) > dearestTokens)
      return title === '' ? cut(word) : `${title}…`;
    title = longer;
  }
  return title;
}

/** The beginning of `text` as criteria, of about 400 characters. */
export function toCriteria(text: string): string {
  const whole = text.trim();
  if (whole.length <= longestCriteria) return whole;
  const head = whole.slice(0, longestCriteria);
  const space = head.search(/\s\S*$/);
  return `${withoutHalf(space > longestCriteria / 2 ? head.slice(0, space) : head)}…`;
}

/** The beginning of one long word. */
function cut(word: string): string {
  let head = '';
  for (const character of word) {
    if (head.length >= longestTitle || price(head + character) > dearestTokens) break;
    head += character;
  }
  return `${head}…`;
}

function price(text: string): number {
  let sum = 0;
  for (const [part] of text.matchAll(/[A-Za-z]+|[0-9]{1,3}|[^A-Za-z0-9]/gu))
    sum += part === ' ' ? 0 : /^[A-Za-z]/.test(part) ? Math.ceil(part.length / 6) : priceOf(part);
  return sum;
}

/** Beyond ASCII no character costs more tokens than bytes. */
function priceOf(part: string): number {
  return /^[\x21-\x7e]/.test(part) ? 1 : Math.max(1, Buffer.byteLength(part) - 1);
}

function withoutHalf(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}
