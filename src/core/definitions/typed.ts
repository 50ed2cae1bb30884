// Functions and constants of languages that name a type first, with no word for what they are:
//
//   public Row load(String id) throws IOException {      private static final int MAX_ROWS = 500;

const type = String.raw`[A-Za-z_][\w.:<>,?*&[\]]{0,60}(?: [\w.:<>,?*&[\]]{1,60}){0,2}`;

const qualifier =
  '(?:(?:public|private|protected|internal|static|final|abstract|virtual|override|async|sealed|synchronized|partial|inline|constexpr|unsafe|extern|const|readonly|volatile)\\s+)';

const head = new RegExp(
  `^[ \\t]{0,12}${qualifier}{0,5}${type}[ *&]{1,3}(?<name>~?(?!func\\b)\\w+)(?:<[^<>()\\n]{1,40}>)?\\([^\\n]*$`,
);

/** The name of the function that a line may begin; undefined for none. What follows its parameters tells whether it does. */
export const typedHead = (line: string): string | undefined =>
  line.includes('(') ? head.exec(line)?.groups?.['name'] : undefined;

const body =
  /^\s*(?:(?:throws [\w., ]{1,120}|const|noexcept|override|final|async\*?|where [^\n{]{1,120}|: (?:base|this)\([^\n)]{0,120}\))\s{1,4}){0,3}(?:\{|=>)/;

/** Whether a body follows the parameters of such a function. */
export const opensTyped = (after: string): boolean => body.test(after);

const field = new RegExp(
  `^[ \\t]{0,8}${qualifier}{1,5}${type} [*&]?(?<name>\\$?\\w+)\\s{0,4}(?<rest>=[^=>].*)$`,
);

/** A constant in a block of them: `const (`. */
const inBlock = /^\t(?<name>\w{3,})(?: [\w.*[\]]{1,40})?\s{1,20}(?<rest>= ?[^\s=].*)$/;

/** Most lines above a constant in which its block begins. */
const mostAbove = 80;

/** The name of a constant or field that a line gives a value, with that value; undefined for none. */
export function typedField(
  lines: readonly string[],
  at: number,
): Readonly<Record<string, string>> | undefined {
  const line = lines[at]!;
  if (!line.includes('=')) return undefined;
  const own = field.exec(line)?.groups;
  const match = own ?? inBlock.exec(line)?.groups;
  if (own !== undefined || match === undefined) return own;
  const above = lines.slice(Math.max(0, at - mostAbove), at).findLast((line) => /^\S/.test(line));
  return /^(?:const|var) \($/.test(above ?? '') ? match : undefined;
}
