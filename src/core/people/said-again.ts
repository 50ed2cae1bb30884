import { personText, type Message } from '../messages/message.ts';
import { readOnce } from '../values/read-once.ts';

// A person who sends a prompt again sends all of it, and something more perhaps. A host may repeat it, too.

/** Shortest text that is looked for in others, in UTF-16 units: short ones are said time and again, and cost little. */
const shortest = 60;

/** Of texts with the same start, most that are looked for: the newest. */
const mostAlike = 8;

/** Indexes of the messages of which a later one has all that a person said, from the start of a line on. */
export function saidAgain(messages: readonly Message[]): ReadonlySet<number> {
  const again = new Set<number>();
  const byStart = new Map<string, number[]>();
  for (const [index, message] of messages.entries()) {
    const { whole, starts } = linesIn(message);
    for (const [start, places] of starts)
      for (const earlier of byStart.get(start) ?? []) {
        const before = linesIn(messages[earlier]!).whole;
        if (places.some((at) => whole.startsWith(before, at))) again.add(earlier);
      }
    if (whole.length < shortest) continue;
    const start = whole.slice(0, shortest);
    byStart.set(start, [...(byStart.get(start) ?? []).slice(1 - mostAlike), index]);
  }
  return again;
}

/** What a person said, and where its lines begin that are long enough, by how they begin. */
const linesIn = readOnce((message: Message) => {
  const whole = personText(message).trim();
  const starts = new Map<string, number[]>();
  for (const at of lineStarts(whole)) {
    const start = whole.slice(at, at + shortest);
    if (start.length < shortest) break;
    const positions = starts.get(start);
    if (positions === undefined) starts.set(start, [at]);
    else positions.push(at);
  }
  return { whole, starts };
});

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
