import { textOf, type Content, type Message, type Part } from '../core/messages/message.ts';
import { machineMessage, userMessages } from './source/content.ts';

// Cursor puts what it tells beside what a person typed into one message, in one text or in several: open files, the
// state of Git, reminders, and in a tag of its own what was typed. Where that tag is, nothing else is a person's.

/** What stands around what a person typed. */
const query = { start: '<user_query>', end: '</user_query>' } as const;

/** When Cursor says that a message was typed: `Wednesday, Aug 5, 2026, 7:16 PM (UTC+5:30)`. */
const timestamp =
  /<timestamp>\w+, (\w{3} \d{1,2}, \d{4}), (\d{1,2}:\d{2} [AP]M) \(UTC([+-]\d{1,2})?(?::(\d{2}))?\)<\/timestamp>\s*/;

/** When a message of Cursor was typed, in milliseconds since 1970; undefined where it does not say so. */
export function typedAt(content: Content): number | undefined {
  const [, day, time, hours = '+0', minutes = '00'] = timestamp.exec(textOf(content)) ?? [];
  if (day === undefined) return undefined;
  const zone = `${hours.charAt(0)}${hours.slice(1).padStart(2, '0')}${minutes}`;
  const at = Date.parse(`${day} ${time} GMT${zone}`);
  return Number.isNaN(at) ? undefined : at;
}

/** A text with what was typed in it, and what Cursor tells before and after. */
interface Typed {
  readonly before: string;
  readonly said: string;
  readonly after: string;
}

/** The messages of a user's content; of Cursor's, what was typed and what the editor tells, each on its own. Files are a person's. */
export function typedMessages(content: Content): readonly Message[] {
  const parts: readonly Part[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const typed = typedIn(parts);
  if (typed.size === 0) return userMessages(content);
  const messages: Message[] = [];
  let [editorTexts, said]: [string[], Part[]] = [[], []];
  const tell = (text: string): void => {
    const rest = text.replace(timestamp, '').trim();
    if (rest === '') return;
    if (said.length > 0) flush();
    editorTexts.push(rest);
  };
  const flush = (): void => {
    if (editorTexts.length > 0) messages.push(machineMessage(editorTexts.join('\n')));
    const [first] = said;
    const isText = said.length === 1 && first?.type === 'text';
    if (said.length > 0) messages.push({ role: 'user', content: isText ? first.text : said });
    [editorTexts, said] = [[], []];
  };
  for (const part of parts) {
    const one = typed.get(part);
    if (one !== undefined) {
      tell(one.before);
      said.push({ type: 'text', text: one.said });
      tell(one.after);
    } else if (part.type === 'text') tell(part.text);
    else said.push(part);
  }
  flush();
  return messages;
}

/** The parts that hold what was typed: those that begin or end with it, or else the last that has such a tag. A file that is shown may have one, too. */
function typedIn(parts: readonly Part[]): ReadonlyMap<Part, Typed> {
  const found = parts.flatMap((part) => {
    const typed = part.type === 'text' ? readTyped(part.text) : null;
    return typed === null ? [] : [[part, typed] as const];
  });
  const sure = found.filter(([, { before, after }]) => {
    const isFirst = before.replace(timestamp, '').trim() === '';
    return isFirst || after.trim() === '';
  });
  return new Map(sure.length > 0 ? sure : found.slice(-1));
}

function readTyped(text: string): Typed | null {
  // What stands before the last of them may be a file that shows such a tag.
  const [from, to] = [text.lastIndexOf(query.start), text.lastIndexOf(query.end)];
  if (from < 0 || to < from) return null;
  return {
    before: text.slice(0, from),
    said: text.slice(from + query.start.length, to).trim(),
    after: text.slice(to + query.end.length),
  };
}
