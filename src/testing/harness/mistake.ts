import type { ScriptPath } from './expectation.ts';

/** A script that says something that there is not. */
export class ScriptMistake extends Error {
  readonly path: ScriptPath;
  /** Whether it is the name at the end of the path that is wrong, and not its value. */
  readonly isName: boolean;

  constructor(message: string, path: ScriptPath, isName = false) {
    super(message);
    this.name = 'ScriptMistake';
    this.path = path;
    this.isName = isName;
  }
}

/** The mistake of a name that is none of the known ones, with the nearest of them, or all; `said` says what there is none of. */
export function unknownName(
  said: string,
  { name, known, path }: { name: string; known: readonly string[]; path: ScriptPath },
): ScriptMistake {
  const near = nearest(name, known);
  const advice = near === undefined ? `there are ${known.join(', ')}` : `did you mean "${near}"?`;
  return new ScriptMistake(`${said} "${name}"; ${advice}`, [...path, name], true);
}

/** The name that is meant by a misspelled word; undefined where none is near. */
function nearest(word: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3));
  const near = names
    .map((name) => ({ name, edits: editsBetween(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
    .sort((one, other) => one.edits - other.edits);
  const begun = names.find((name) => word.length > 2 && name.startsWith(word));
  return near[0]?.name ?? begun;
}

/** How many letters must be put in, left out, changed or swapped with their neighbor. */
function editsBetween(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from(`${other} `, (_, at) => at)];
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      line[at] = Math.min(
        last[at]! + 1,
        line[at - 1]! + 1,
        last[at - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[at - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, line];
  }
  return last[other.length]!;
}
