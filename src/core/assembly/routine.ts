import { readOnce } from '../values/read-once.ts';
import { textOf, type Message } from '../messages/message.ts';

// What programs print that nobody reads: code without lines, runs of blanks, the names of what git and
// packages store. A result that is mostly such gives way before any other.

/** UTF-16 units of a result that are looked at. */
const mostRead = 20_000;

/** Shortest line of code that was packed into one, and shortest run of blanks that says nothing, in UTF-16 units. */
const least = { packed: 400, blanks: 40 } as const;

/** Share of a text that is made of the marks of code where it is packed; of prose and of JSON it is far less. */
const marksOfCode = 0.08;

/** The path of what is stored below a folder that nobody works in, with nothing else on its line. */
const storedPath = /^\s{0,8}(?:\S{1,300}\/)?(?:\.git|node_modules|__pycache__|\.venv)\/\S{1,400}$/;

/** Whether a result is mostly of that kind. */
export const isRoutine: (message: Message) => boolean = readOnce((message: Message) => {
  const text = textOf(message.content).slice(0, mostRead);
  let unread = 0;
  for (const line of text.split('\n')) {
    const isUnread = storedPath.test(line) || isPacked(line);
    unread += isUnread ? line.length + 1 : blanksIn(line);
  }
  return unread * 2 > text.length;
});

const isPacked = (line: string): boolean =>
  line.length >= least.packed && (line.match(/[();=]/g)?.length ?? 0) >= line.length * marksOfCode;

/** UTF-16 units of the long runs of blanks in a line. */
const blanksIn = (line: string): number =>
  (line.match(/[ \t]+/g) ?? []).reduce(
    (sum, { length }) => (length >= least.blanks ? sum + length : sum),
    0,
  );
