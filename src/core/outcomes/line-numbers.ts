// Hosts show a file with numbers before its lines, each in a way of its own:
//
//   ⎵⎵⎵12→code    12⇥code    12: code    12. code    00012| code
//
// The first two say by their sign that a number is none of the file. The others might
// be of the text itself, and count where several lines follow one another in order. With
// a point these may be a list of the file: lines of a file are most of what is shown, and
// begin within it or have an empty one among them.

/** A line with a number that its sign says is none of the file. */
const signed = /^\s{0,6}\d{1,6}(?:→|\t)/gm;

/** A number, and the sign behind it. */
const counted = /^(\d{1,6})([:.|])(?: |$)/;

/** Lines that must follow one another. */
const leastLines = 3;

/** Whether a text may have such numbers; looked at first, for most have none. */
const mayCount = /^\d{1,6}[:.|](?: |$)/m;

/** The text of a file as it is, without the numbers that a host put before its lines. */
export function withoutLineNumbers(text: string): string {
  const unsigned = text.replace(signed, '');
  if (!mayCount.test(unsigned)) return unsigned;
  const lines = unsigned.split('\n');
  const counts = lines.map((line) => counted.exec(line));
  const isEmpty = (at: number): boolean => counts[at]![0].length === lines[at]!.length;
  /** Whether lines that are numbered with a point are those of a file. */
  const areOfFile = (from: number, to: number): boolean =>
    to - from > lines.length / 2 &&
    (counts[from]![1] !== '1' || lines.some((_, at) => at >= from && at < to && isEmpty(at)));
  const followsAt = (at: number): boolean =>
    Number(counts[at]?.[1]) === Number(counts[at - 1]?.[1]) + 1 &&
    counts[at]?.[2] === counts[at - 1]?.[2];
  for (let from = 0; from < lines.length;) {
    let to = from + 1;
    while (to < lines.length && followsAt(to)) to += 1;
    if (to - from >= leastLines && (counts[from]![2] !== '.' || areOfFile(from, to)))
      for (let at = from; at < to; at += 1) lines[at] = lines[at]!.slice(counts[at]![0].length);
    from = to;
  }
  return lines.join('\n');
}
