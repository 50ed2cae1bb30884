import { indentOf } from '../text/indent.ts';
import { clip, oneLine, withinScanLimit } from '../text/sentences.ts';
import { definitionAt } from '../definitions/definitions.ts';
import { headComment } from '../definitions/about.ts';
import { namedAt } from '../definitions/valued.ts';

// What an edit says that defines nothing: its first lines that say something, each
// with the definition that it stands in.

/** Something in a file that a call brought, changed or took away. */
export interface FileFact {
  /** What it is known by in its file; '' for a line of an edit that defines nothing. */
  readonly name: string;
  /** As it was before; '' for what is new. */
  readonly was: string;
  /** As it is now; '' for what is gone, what it was for what only does something else. */
  readonly now: string;
  /** What its comment says now, and what it does. */
  readonly about?: string;
  readonly does?: string;
  /** The definition that a line stands in. */
  readonly inside?: string;
}

/** Lines that are told of an edit that defines nothing, at most, and of a new file that are read. */
const mostLines = 3;
const mostRead = 200;

/** Longest line of such an edit, in UTF-16 units. */
export const longestLine = 90;

/** Facts of which there may be more than are told. */
interface BoundedFacts {
  readonly facts: readonly FileFact[];
  readonly isCut: boolean;
}

/** What an edit without definitions says: its first lines that say something, with the definition that each stands in; or those it took away. */
export function lineFacts(
  old: readonly string[],
  fresh: readonly string[],
  after: string,
): BoundedFacts {
  const before = old.join('\n');
  if (fresh.length > 1 && squeezed(old) === squeezed(fresh)) return { facts: [], isCut: false };
  // What stood in the old lines, too, tells something where they had more than that.
  const own = telling(fresh.filter((line) => !before.includes(bareLine(line))));
  const added = own.length > 0 ? own : telling(fresh);
  if (added.length === 0) {
    const gone = telling(old).slice(0, mostLines);
    return { facts: gone.map(({ text }) => ({ name: '', was: text, now: '' })), isCut: false };
  }
  const lines = after.split('\n');
  const facts = added.slice(0, mostLines).map(({ line, text }): FileFact => {
    const inside = insideOf(line, lines);
    return { name: '', was: '', now: text, ...(inside !== '' && { inside }) };
  });
  return { facts, isCut: added.length > facts.length };
}

/** Lines without the space within and between them. */
const squeezed = (lines: readonly string[]): string => lines.join('').replace(/\s+/g, '');

/** Longest of all that is told of a new file that defines nothing, in UTF-16 units, and most texts that it says to people. */
const ofFile = { longest: 240, said: 2 } as const;

/** What a new file that defines nothing is for: what its first comment says, the lists and texts that it names, what it says to people. */
export function wholeFacts(text: string): readonly FileFact[] {
  const lines = withinScanLimit(text).split('\n').slice(0, mostRead);
  const about = headComment(lines);
  const named = lines.flatMap((_, at): readonly FileFact[] => {
    const one = namedAt(lines, at);
    return one === null ? [] : [{ name: one.name, was: '', now: one.text }];
  });
  if (about === '' && named.length === 0) return [];
  const said = lines.flatMap((line) => saying.exec(line)?.groups?.['words'] ?? []);
  const facts = [
    ...(about === '' ? [] : [{ name: '', was: '', now: `# ${about}` }]),
    ...new Map(named.map((one) => [one.name, one])).values(),
    ...[...new Set(said)]
      .slice(0, ofFile.said)
      .map((words) => ({ name: '', was: '', now: `says “${clip(oneLine(words), longestLine)}”` })),
  ];
  let remaining: number = ofFile.longest;
  return facts.filter(({ now }) => (remaining -= now.length) >= 0);
}

/** What a line of a script says to people: `echo "a row is missing"`. */
const saying =
  /\b(?:echo|printf|print|puts|fail|die|abort|throw|error|warn)\b[^"'\w]{1,6}(?<mark>["'])(?<words>(?:(?!\k<mark>).){3,60} (?:(?!\k<mark>).){3,60})\k<mark>/;

/** A line that says something, and how it is told; of a comment over several lines the first, and all it says. */
interface TellingLine {
  readonly line: string;
  readonly text: string;
}

/** The lines that say something, each once. */
function telling(lines: readonly string[]): readonly TellingLine[] {
  const read = new Map<string, TellingLine>();
  for (const line of withWholeComments(lines.slice(0, 400))) {
    const whole = clip(oneLine(line.text), longestLine);
    const isSaid = whole.length > 4 && /[\p{L}\p{N}]{3}/u.test(whole);
    if (isSaid && (!noise.test(whole) || explains.test(whole)) && !read.has(whole))
      read.set(whole, { ...line, text: clippedLine(whole) });
  }
  return [...read.values()];
}

/** Lines, those of a comment that follow one another as one. */
function withWholeComments(lines: readonly string[]): readonly TellingLine[] {
  const joined: TellingLine[] = [];
  let before = '';
  for (const line of lines) {
    const mark = remark.exec(line)?.[0].trim() ?? '';
    const last = joined.at(-1);
    if (mark !== '' && mark === before && last !== undefined)
      joined[joined.length - 1] = { ...last, text: `${last.text} ${line.replace(remark, '')}` };
    else joined.push({ line, text: line });
    before = mark;
  }
  return joined;
}

/** How a comment begins that may go on in the next line. */
const remark = /^\s*(?:\/\/|#(?![[!])|\*(?!\/))\s*/;

/** A line as it is told. */
export const clippedLine = (line: string): string =>
  clip(oneLine(line), longestLine).replace(/(?<![\s({[;,\\])[\s({[;,\\]+$/, '');

/** A line without what joins it to the next. */
const bareLine = (line: string): string => line.trim().replace(/(?<![\s\\,;])[\s\\,;]+$/, '');

/** Most lines above a line in which its definition is looked for. */
const mostAbove = 400;

/** The definition that a line of a text stands in: the nearest head above it that stands less deep; '' for none. */
export function insideOf(line: string, lines: readonly string[]): string {
  const from = lines.indexOf(line) - 1;
  let depth = indentOf(line);
  for (let at = from; at >= 0 && from - at < mostAbove; at -= 1) {
    const above = lines[at]!;
    if (above.trim() === '' || indentOf(above) >= depth) continue;
    depth = indentOf(above);
    const definition = definitionAt(lines, at);
    if (definition !== null) return definition.name;
  }
  return '';
}

/** A comment that says something. */
const explains = /^(?:\/\/|\/?\*)\s*(?:[\p{L}\p{N}'’_-]+[ ,:(]+){4}/u;

/** Lines that say nothing of the file. */
const noise =
  /^(?:(?:const|let|var) \w{1,2}\b|import\b|alias\b|require\b|use\b|from\b|using\b|#include\b|package\b|return\b|\}|\)|<\/|\/\/|\/?\*|#!|for ?\(|else\b|try\b|end\b|(?:\w{1,40} )?["'][\w./@:-]{1,100}["'][,;]?$)/;
