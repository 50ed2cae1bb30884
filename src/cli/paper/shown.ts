import { many, number } from './size.ts';
import { pieces } from './width.ts';

// What a person allows must be what they see. So a text that is asked about is shown with
// names for all that cannot be seen, without the space that would push a part of it off the
// screen, broken by us behind a sign of ours, so that no line of it stands where ours do, and
// with its beginning and its end.

/**
 * Characters that cannot be seen, that look like a space, or that turn the direction of writing around; those that no
 * letter is yet; and those that are letters or signs by name and blank on paper: of Braille, music, Khitan and hieroglyphs.
 */
const unseen =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}\u{13441}\u{13442}]|\u{16fe4}|(?! )\p{Zs}/gu;

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** More spaces in a row than anybody indents by. */
const gap = / {41,}/g;

/** Lines of one value that are shown before its middle is left out. */
const mostLines = 60;

/** A text of anybody on one line, with names for what cannot be seen. */
export function shownLine(text: string): string {
  return text
    .replace(unseen, (mark) => escapes[mark] ?? `\\u{${mark.codePointAt(0)!.toString(16)}}`)
    .replace(gap, (spaces) => ` [${number(spaces.length)} spaces] `);
}

/** Characters of each end of a value that are laid out: more than the lines that are shown take. */
const mostLaidOut = 20_000;

/**
 * A value as JSON on lines of at most `width` cells: each of its own lines behind `|`, and behind `:` what
 * goes on from the line above, as a text does after its line feeds. So no text in it looks like a key of it.
 */
export function shownValue(value: unknown, width: number): readonly string[] {
  const text = JSON.stringify(value, null, 2);
  const half = mostLines / 2;
  if (text.length > 2 * mostLaidOut) {
    const head = laidOut(text.slice(0, mostLaidOut), width).slice(0, half);
    // What the cut left of a line is none.
    const tail = laidOut(text.slice(-mostLaidOut), width).slice(1).slice(-half);
    return [...head, `  [more, of ${number(text.length)} characters in all]`, ...tail];
  }
  const lines = laidOut(text, width);
  const hiddenCount = lines.length - mostLines;
  if (hiddenCount <= 0) return lines;
  const size = `${many(hiddenCount, 'more line')}, of ${number(text.length)} characters in all`;
  return [...lines.slice(0, half), `  [${size}]`, ...lines.slice(-half)];
}

function laidOut(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) =>
    brokenText(shownLine(line))
      .flatMap((part) => pieces(part, Math.max(20, width - 4)))
      .map((piece, at) => `  ${at === 0 ? '|' : ':'} ${piece}`),
  );
}

/** A line of JSON in parts, one for each line of the text in it; many line feeds stay in one part. */
function brokenText(line: string): readonly string[] {
  const broken = line.replace(/((?:\\n)+)|\\./g, (all, feeds?: string) =>
    feeds === undefined ? all : `${feeds}\n`,
  );
  return broken.split('\n');
}
