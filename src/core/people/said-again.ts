// A person who sends a prompt again sends all of it, and something more perhaps. A host may repeat it, too.

/** Shortest text that is looked for in others, in UTF-16 units: short ones are said time and again, and cost little. */
const shortest = 60;

/** Of texts with the same start, most that are looked for: the newest. */
const mostAlike = 8;

/** Indexes of the texts of which a later one has all, from the start of a line on. */
export function saidAgain(texts: readonly string[]): ReadonlySet<number> {
  const again = new Set<number>();
  const byStart = new Map<string, number[]>();
  for (const [index, text] of texts.entries()) {
    if (byStart.size > 0)
      for (const at of lineStarts(text))
        for (const earlier of byStart.get(text.slice(at, at + shortest)) ?? [])
          if (text.startsWith(texts[earlier]!.trim(), at)) again.add(earlier);
    const whole = text.trim();
    if (whole.length < shortest) continue;
    const start = whole.slice(0, shortest);
    byStart.set(start, [...(byStart.get(start) ?? []).slice(1 - mostAlike), index]);
  }
  return again;
}

/** Where the words of each line begin. */
function* lineStarts(text: string): Generator<number> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const next = end < 0 ? text.length : end + 1;
    while (at < next && text.charCodeAt(at) <= space) at += 1;
    if (at < next) yield at;
    at = next;
  }
}

/** The code of a space; those of tabs and line breaks are below it. */
const space = 0x20;
