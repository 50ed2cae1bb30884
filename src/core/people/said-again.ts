// A person who sends a prompt again sends all of it, and something more perhaps. A host may repeat it, too.

/** Shortest text that is looked for in others, in UTF-16 units: short ones are said time and again, and cost little. */
const shortest = 60;

/** Indexes of the texts of which a later one has all, from the start of a line on. */
export function saidAgain(texts: readonly string[]): ReadonlySet<number> {
  const again = new Set<number>();
  const byStart = new Map<string, number[]>();
  for (const [index, text] of texts.entries()) {
    if (byStart.size > 0)
      for (const { index: at } of text.matchAll(lineStart))
        for (const earlier of byStart.get(text.slice(at, at + shortest)) ?? [])
          if (text.startsWith(texts[earlier]!.trim(), at)) again.add(earlier);
    const whole = text.trim();
    if (whole.length < shortest) continue;
    const start = whole.slice(0, shortest);
    const known = byStart.get(start);
    if (known === undefined) byStart.set(start, [index]);
    else known.push(index);
  }
  return again;
}

/** Where the words of a line begin. */
const lineStart = /(?=\S)(?<=^[^\S\n]*)/gm;
