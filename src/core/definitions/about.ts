import { clip, oneLine } from '../text/sentences.ts';

// What the comment of a definition says, and that which a file begins with, in their first sentences.

/** Longest line that is read, in UTF-16 units. */
const longestLine = 400;

/** Most lines of a comment, or of a text behind a head, that are read. */
const mostAbove = 30;

/** The first sentences of the comment that stands before a line that defines a name, or of the text behind a head, without that name before them; '' for none. */
export function aboutAt(
  lines: readonly string[],
  at: number,
  { name, most = longestAbout }: { readonly name: string; readonly most?: number },
): string {
  let from = at - 1;
  while (from >= 0 && /^\s*(?:@(?!doc\s*")\w|#\[)/.test(lines[from]!)) from -= 1;
  const isQuoted = /^\s*(?:"""|@doc\s+")/.test(lines[from] ?? '');
  const above: string[] = [];
  for (const last = from; from >= 0 && last - from < mostAbove; from -= 1) {
    const line = lines[from]!.slice(0, longestLine).trim();
    if (!isQuoted && !commented.test(line)) break;
    if (!forTools.test(line)) above.unshift(line.replace(commentMarks, ''));
    if (/^(?:\/\*|@doc)/.test(line)) break;
  }
  if (lines[from]?.startsWith('#!') === true) return '';
  const about = sentence(above.length > 0 ? above.join('\n') : docstringAt(lines, at + 1), most);
  const isNamed =
    about.startsWith(`${name} `) && /^(?:is )?\p{Ll}/u.test(about.slice(name.length + 1));
  return isNamed ? about.slice(name.length + 1).replace(/^is /, '') : about;
}

/** The first sentences of the comment that a file begins with; '' for none. */
export function headComment(lines: readonly string[]): string {
  const from = lines.findIndex((line) => line.trim() !== '' && !line.startsWith('#!'));
  const end = lines.findIndex((line, at) => at >= from && !commented.test(line.trim()));
  const above = lines.slice(Math.max(0, from), end < 0 ? lines.length : end);
  return sentence(
    above
      .map((line) => line.trim().replace(commentMarks, ''))
      .join('\n')
      .trim(),
    longestHead,
  );
}

/** The text in triple quotes that begins at a line; '' where none does. */
function docstringAt(lines: readonly string[], at: number): string {
  const quotes = /^\s*[rR]?("""|''')/.exec(lines[at] ?? '')?.[1];
  if (quotes === undefined) return '';
  const text = lines.slice(at, at + mostAbove).map((line) => line.slice(0, longestLine).trim());
  return text.join('\n').split(quotes, 2)[1]!;
}

const commented = /^(?:\/\*|\*|\/\/|#(?![![]|\w))/;

/** A comment that tells a tool what to do, and says nothing of the code. */
const forTools =
  /^\W{1,6}(?:nolint|noqa|eslint-|oxlint-|biome-ignore|prettier-ignore|@ts-|ts-(?:ignore|expect)|type: ?ignore|pylint:|rubocop:|go:|nosec|istanbul |c8 |v8 |shellcheck )/;

const commentMarks = /^(?:\/\*\*?|\*+\/|\*|\/{2,3}!?|#+|@doc\s+"+|""")\s?|\s*(?:\*\/|"+)$/g;

/** Longest of what a comment says that is told, and of one that a file begins with, in UTF-16 units. */
const longestAbout = 110;
const longestHead = 150;

/** Tags of a comment that is written in XML, as C# has them. */
const xmlDoc =
  /<\/?(?:summary|remarks|para|param|returns|value|exception|see|c|code)\b[^<>\n]{0,200}>/g;

/** The first sentences of what a comment says; '' where they are hardly words. */
export function sentence(text: string, most: number = longestAbout): string {
  const part =
    text
      .replace(xmlDoc, '')
      .split(/\n\s*\n|\n\s*@\w/)
      .find((one) => /\w/.test(one)) ?? '';
  const whole = oneLine(part.slice(0, longestLine)).replace(/^[-=*#\s]+|\s[-=*#]+$/g, '');
  let about = '';
  for (const one of whole.split(/(?<=[.!?])(?<!\s\d{1,2}\.)\s+(?=\p{Lu})/u)) {
    if (about !== '' && about.length + one.length >= most) break;
    about = about === '' ? one : `${about} ${one}`;
  }
  return /\p{L}{2,}\s+\S+\s+\p{L}{2,}/u.test(about) ? clip(about.replace(/[.:]$/, ''), most) : '';
}
