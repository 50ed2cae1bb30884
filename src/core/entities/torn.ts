// A text that was shortened may end within a name: `read src/auth/has…`. What stands next to the mark of a cut
// is a name in part, as far as anybody can tell: `src/auth` is none that the text had.

/** What stands behind a cut, and before what follows one, in a text or in one that is escaped: see `truncate-message.ts`. */
const marks = {
  behind: ['\n[… ', '\\n[… '],
  before: ['…]\n', '…]\\n'],
} as const;

const [ellipsis, lineFeed, backslash, letterN] = [0x2026, 10, 92, 110];

/** Whether what stands between two places of a text is next to the mark of a cut. */
export function isTorn(text: string, from: number, to: number): boolean {
  const next = text.charCodeAt(to);
  if (next === ellipsis) return true;
  if (next === lineFeed || next === backslash)
    if (marks.behind.some((mark) => text.startsWith(mark, to))) return true;
  const last = text.charCodeAt(from - 1);
  if (last !== lineFeed && last !== letterN) return false;
  return marks.before.some((mark) => text.startsWith(mark, from - mark.length));
}
