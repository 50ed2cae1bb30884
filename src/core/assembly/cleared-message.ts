import { textOf, type Message, type ToolMessage } from '../messages/message.ts';
import { withoutProvider } from '../messages/provider-message.ts';
import { isTelling, reasonIn } from '../outcomes/failure-reason.ts';
import { isOfNoWork } from '../outcomes/failures.ts';
import { printedIn } from '../outcomes/printed.ts';
import { clip } from '../text/sentences.ts';
import { entryId } from '../values/id.ts';
import { readOnce } from '../values/read-once.ts';

// The marker of a result that is cleared. Nothing else in the prompt tells of it yet, so it says
// in a few words what failed or was committed. It is made of the result alone, and so stays as it is:
//
//   [cleared: 812 tokens, e42]
//   [cleared: 98 tokens, e141; failed: src/cart.go:57:13: undefined: total]
//   [cleared: 178 tokens, e55; commit 1ef554d]

/** A tool result with a marker in place of its content. */
export function clearedMessage(entry: { n: number; tokens: number }, message: Message): Message {
  const remark = message.role === 'tool' ? remarkOf(message) : '';
  const content = `[cleared: ${entry.tokens} tokens, ${entryId(entry.n)}${remark}]`;
  return { ...withoutProvider(message), content };
}

/** Longest reason in a marker, and longest part of a result in which a commit is looked for, in UTF-16 units. */
const most = { reason: 120, read: 2_000 } as const;

const committed =
  /^\[[^\]\n]{1,160} ([0-9a-f]{7,40})\] [^\n]{1,400}\n {1,2}\d{1,6} files? changed\b/m;

/** What a result says of a failure or a commit; '' for neither. */
const remarkOf = readOnce((result: ToolMessage): string => {
  const { exit, text } = printedIn(textOf(result.content));
  const hash = committed.exec(text.slice(0, most.read))?.[1];
  if (hash !== undefined) return `; commit ${hash}`;
  if (result.isError !== true && (exit ?? 0) === 0) return '';
  const why = reasonIn(textOf(result.content));
  if (!isTelling(why) || isOfNoWork(result, why)) return '';
  return `; failed: ${clip(why.replaceAll('[', '(').replaceAll(']', ')'), most.reason)}`;
});
