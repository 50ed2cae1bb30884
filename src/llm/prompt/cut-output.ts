import type { Count } from '../../core/messages/token-count.ts';

// Of what a tool put out too much the start and the end stay, as everywhere; but where a
// line between them says that something failed, that stands, and what passed goes.

/** A line that begins as failures do, in the words of test runners, compilers and shells. */
const failing =
  /^[\s>]{0,12}(?:[✗✕×✖●]\s|not ok\b|(?:---\s)?FAIL(?:ED|URES?)?\b|E\s{2,}\S|Traceback \(|panic:|thread '[^']{0,80}' panicked|fatal(?: error)?:|\*\* \(|(?:\S{1,160}[:)]\s{0,4})?(?:error|ERROR)(?:\[\w{1,12}\])?(?::| TS\d)|(?:\w{1,40}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception)(?::|\s\[|$)|Assertion|AssertionError|Caused by|\d{1,6} (?:failing|failed|failures?|errors?)\b)/;

/** The end of a line of source code, which speaks of failures. */
const source = /[,;{([]\s*$/;

/** Lines that stand before and behind one that fails. */
const around = { before: 2, behind: 5 } as const;

/** Share of the room for what failed, and share of the rest for the start; the end has the sums. */
const failingShare = 0.6;
const startShare = 0.3;

/** How texts are cut: to their start and end. */
interface Cutting {
  readonly count: Count;
  readonly cut: (text: string, target: number) => string;
  /** What stands for what was left out between two lines. */
  readonly gap: string;
}

/** A tool's output cut to `target` tokens; a text within it comes back unchanged. */
export function cutOutput(text: string, target: number, { count, cut, gap }: Cutting): string {
  const lines = text.split('\n');
  const lineNumbers = count(text) <= target ? [] : failingLines(lines);
  if (lineNumbers.length === 0) return cut(text, target);
  const failed = lineNumbers.flatMap((at, index) => {
    const follows = index === 0 || lineNumbers[index - 1] === at - 1;
    return follows ? [lines[at]!] : [gap, lines[at]!];
  });
  const middle = cut(failed.join('\n'), Math.floor(target * failingShare));
  const room = target - count(middle) - 2;
  const start = cut(lines.slice(0, lineNumbers[0]).join('\n'), Math.floor(room * startShare));
  const end = cut(lines.slice(lineNumbers.at(-1)! + 1).join('\n'), room - count(start));
  return [start, middle, end].filter((part) => part !== '').join('\n');
}

/** The positions of lines that tell of failures, with what stands around each. */
function failingLines(lines: readonly string[]): readonly number[] {
  const lineNumbers = new Set<number>();
  for (const [at, line] of lines.entries()) {
    if (!failing.test(line.slice(0, 400)) || source.test(line.slice(-40))) continue;
    for (let near = at - around.before; near <= at + around.behind; near += 1)
      if (near >= 0 && near < lines.length) lineNumbers.add(near);
  }
  return [...lineNumbers].sort((a, b) => a - b);
}
