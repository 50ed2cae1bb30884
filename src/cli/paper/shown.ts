import { many, number } from './size.ts';
import { pieces } from './width.ts';

// What a person allows must be what they see. So a text that is asked about is shown with
// names for all that cannot be seen, without the space that would push a part of it off the
// screen, broken by us and indented, so that no line of it stands where ours do, and with
// its beginning and its end.

/** Characters that cannot be seen, that look like a space, or that turn the direction of writing around. */
const unseen =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

const known: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** More spaces in a row than anybody indents by. */
const gap = / {41,}/g;

/** Most lines without anything that are shown one by one. */
const mostBlank = 2;

/** Lines of one text that are shown before its middle is left out. */
const mostLines = 60;

/** A text of anybody on one line, with names for what cannot be seen. */
export function shownLine(text: string): string {
  return text
    .replace(unseen, (mark) => known[mark] ?? `\\u{${mark.codePointAt(0)!.toString(16)}}`)
    .replace(gap, (spaces) => ` [${number(spaces.length)} spaces] `);
}

/** A text of anybody on lines of at most `width` cells, each behind `sign`; tabs are four spaces. */
export function shownLines(
  text: string,
  { sign, width }: { sign: string; width: number },
): string[] {
  const lines = withoutGaps(text.replaceAll('\r\n', '\n').split('\n'));
  const shown = lines.flatMap((line) =>
    pieces(shownLine(line.replaceAll('\t', '    ')), width - sign.length - 2).map((piece, at) =>
      at === 0 ? `${sign}${piece}` : `${' '.repeat(sign.length)}  ${piece}`,
    ),
  );
  const left = shown.length - mostLines;
  if (left <= 0) return shown;
  const half = mostLines / 2;
  return [
    ...shown.slice(0, half),
    `${sign}[${many(left, 'more line')}, of ${number(text.length)} characters in all]`,
    ...shown.slice(-half),
  ];
}

/** Lines with a count in place of many without anything. */
function withoutGaps(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let blank = 0;
  const close = (): void => {
    kept.push(...(blank > mostBlank ? [`[${blank} blank lines]`] : Array<string>(blank).fill('')));
    blank = 0;
  };
  for (const line of lines) {
    if (line.trim() === '') {
      blank += 1;
      continue;
    }
    close();
    kept.push(line);
  }
  close();
  return kept;
}
