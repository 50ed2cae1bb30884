/** How many lines that stay are shown on either side of a change. */
const around = 2;

/** The lines in which two texts differ, in order, `-` for what goes and `+` for what comes, among lines that stay; `…` for more of those. */
export function changedLines(before: string, after: string): readonly string[] {
  const lines = allLines(before, after);
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - around), at + around + 1).some((line) => !line.startsWith(' '));
  return lines.flatMap((line, at) => {
    if (isNear(at)) return [line];
    return at === 0 || isNear(at - 1) ? ['  …'] : [];
  });
}

/** The lines of two texts, in order, with what became of each. */
function allLines(before: string, after: string): readonly string[] {
  const [one, other] = [linesOf(before), linesOf(after)];
  // Lengths of the longest common subsequences of the rests: settings are short.
  const common = Array.from({ length: one.length + 1 }, () =>
    Array.from({ length: other.length + 1 }, () => 0),
  );
  for (let i = one.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1)
      common[i]![j] =
        one[i] === other[j]
          ? common[i + 1]![j + 1]! + 1
          : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    if (i < one.length && one[i] === other[j]) {
      lines.push(`  ${one[i]}`);
      i += 1;
      j += 1;
    } else if (j === other.length || (i < one.length && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      lines.push(`- ${one[i]}`);
      i += 1;
    } else {
      lines.push(`+ ${other[j]}`);
      j += 1;
    }
  }
  return lines;
}

const linesOf = (text: string): readonly string[] =>
  text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
