import { directivesOf, isMostlyPasted, requestIn, typedIn } from '../reader.ts';

// What people said goes by what it says: what was typed stands before what was pasted, and what asks for work or lays
// something down before all else.

/** What stands before what a person said. */
const entryMark = /^\[e\d{1,9}[^\]]{0,40}\] /;

/** A mark for lines that were left out. */
const leftMark = /^… \[\d+ /;

/** What a person said, without what stands around it. */
const ownLines = (lines: readonly string[]): readonly string[] =>
  lines.map((line, at) => (at === 0 ? line.replace(entryMark, '') : line.slice(2)));

/** Whether lines of a person ask for work without doubt or lay something down. */
export function isAsking(lines: readonly string[]): boolean {
  const own = ownLines(lines).map((line) => (leftMark.test(line) ? '' : line));
  const typed = typedIn(own.join('\n'));
  return requestIn(typed)?.isSure === true || directivesOf(typed).length > 0;
}

/** Most lines that are pasted and stand nevertheless. */
const fewLines = 4;

/** The lines of a person; of a long text that was mostly pasted the first, and those that were typed from their edge on, or else the last. */
export function typedLines(lines: readonly string[], entry: string): readonly string[] {
  const own = ownLines(lines);
  const text = own.join('\n');
  if (lines.length <= fewLines || !isMostlyPasted(text)) return lines;
  const typed = typedIn(text).split('\n');
  const isTyped = own.map((line) => line === typed[0] && /^\S/.test(typed.shift()!));
  if (!isTyped.includes(true, 1)) isTyped[lines.length - 1] = true;
  const kept: string[] = [];
  let left = 0;
  const mark = (): readonly string[] =>
    left === 0 ? [] : [`  … [${left} pasted line${left === 1 ? '' : 's'}: ${entry}]`];
  for (const [at, line] of lines.entries())
    if (at === 0 || isTyped[at]) {
      kept.push(...mark(), line.trimEnd());
      left = 0;
    } else if (line.trim() !== '') left += 1;
  return [...kept, ...mark()];
}
