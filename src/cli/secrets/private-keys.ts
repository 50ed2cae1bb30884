// A private key is hidden from its first line to its last, whatever stands before each of its lines: the number
// that a tool put there, the mark of a quotation, a comment. Where it was cut, to the last line like one of it.

/** Where a private key begins and ends. */
const marks = /-----(BEGIN|END) (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;

/** Characters that a key has at most. */
const longest = 20_000;

/** A stretch that a key may be made of. */
const stretch = /[A-Za-z\d+/=]{16,}/g;

/** A text in which each private key is replaced. */
export function replacePrivateKeys(text: string, replace: (key: string) => string): string {
  if (!text.includes('-----BEGIN ')) return text;
  const matches = [...text.matchAll(marks)];
  let [without, from] = ['', 0];
  for (const [n, mark] of matches.entries()) {
    const at = mark.index;
    if (mark[1] !== 'BEGIN' || at < from) continue;
    const next = matches[n + 1];
    const head = at + mark[0].length;
    const bound = Math.min(next?.index ?? text.length, head + longest);
    const isWhole = next?.[1] === 'END' && next.index === bound;
    const body = text.slice(head, bound);
    const end = isWhole ? bound + next[0].length : head + keyLengthIn(body);
    if (![...body.matchAll(stretch)].some(([one]) => isWhole || isOfKey(one))) continue;
    without += text.slice(from, at) + replace(text.slice(at, end));
    from = end;
  }
  return without + text.slice(from);
}

/** Whether a stretch is of a key that was cut, and not a word of a text behind it. */
const isOfKey = (one: string): boolean => /\d/.test(one) && /[A-Z]/.test(one);

/** The last line of a key, which may be short, where its lines were made one. */
const folded = /^ (?=[A-Za-z+/=]*(?:\d|[a-z][A-Z]|[+/=]))[A-Za-z\d+/=]{1,15}(?!\w)/;

/** How much of a text is of the key that it begins with. */
function keyLengthIn(text: string): number {
  const length = linesLengthIn(text);
  return length === 0
    ? 0
    : length + (folded.exec(text.slice(length, length + 17))?.[0].length ?? 0);
}

/** The same by its lines. */
function linesLengthIn(text: string): number {
  let [at, end] = [0, 0];
  for (const line of text.split(/(?<=\n|\\n)/)) {
    const last = [...line.matchAll(stretch)].at(-1);
    if (last !== undefined) end = at + last.index + last[0].length;
    else if (
      !/^[^A-Za-z]*(?:n?|(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash)\b.*)\n?$/.test(line)
    ) {
      // The last line of a key may be short.
      const short = /^[\d\s|>→:"'#*+-]{0,16}[A-Za-z\d+/=]{1,15}(?=["'\\\s]*$)/.exec(line);
      return short === null || end === 0 ? end : at + short[0].length;
    }
    at += line.length;
  }
  return end;
}
