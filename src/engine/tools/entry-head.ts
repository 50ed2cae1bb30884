import { isHuman, type ToolCall } from '../../core/messages/message.ts';
import { entryText } from '../../core/messages/message-text.ts';
import { inHead } from '../../core/text/sanitize.ts';
import { clip, oneLine } from '../../core/text/sentences.ts';
import { leavesOf } from '../../core/commands/shell-commands.ts';
import { ordinal, toEntryId } from '../../core/values/id.ts';
import type { LogEntry } from '../../llm/summarizer.ts';
import type { Session } from '../session/session.ts';
import { jsonOf } from '../../core/values/json.ts';

// An entry alone often cannot be understood: a result without its call, a call
// without what came of it. So each stands under a head that says whose it is, and
// of its neighbors what they are in short.

/** Entries before a result among which its call is looked for, and after a call for its results. */
const nearby = 16;

/** Longest arguments of a call, outcome or request beside an entry, in UTF-16 units. */
const longest = 90;

/** What stands in the head of an entry beside who it is. */
export interface HeadNotes {
  /** Whether its frame is named. */
  readonly frame: boolean;
  /** What else is said of it, each as a phrase. */
  readonly notes: readonly string[];
}

/** The line above an entry: its id, whose it is, and of a result the call in short. */
export async function entryHead(
  session: Session,
  entry: LogEntry,
  { frame, notes }: HeadNotes,
): Promise<string> {
  const who = await speakerOf(session, entry);
  return `[${[`${entry.id}: ${who}`, ...(frame && entry.id !== entry.frame ? [`frame ${entry.frame}`] : []), ...notes].join(', ')}]`;
}

async function speakerOf(session: Session, entry: LogEntry): Promise<string> {
  if (entry.id === entry.frame) return 'frame';
  if (entry.role === 'user') return isHuman(entry) ? 'user' : 'machine';
  if (entry.role === 'assistant') return 'assistant';
  const answered = await callOf(session, entry);
  const name = inHead(inShort(entry.name ?? answered?.call.name ?? 'a tool'));
  const failed = entry.isError === true ? 'error' : 'result';
  return answered === null
    ? `${failed} of ${name}`
    : `${failed} of ${answered.id} ${name} ${inHead(inShort(leavesOf(valueOf(answered.call), longest * 4)))}`;
}

/** The arguments of a call as a value; as they are where they are no JSON. */
function valueOf({ arguments: args }: ToolCall): unknown {
  return typeof args === 'string' ? (jsonOf(args) ?? args) : args;
}

/** The call that a result answers, and the id of its entry; null where it is not near. */
async function callOf(
  session: Session,
  result: LogEntry & { readonly role: 'tool' },
): Promise<{ readonly id: string; readonly call: ToolCall } | null> {
  const earlier = session.log({ before: result.id, reverse: true, limit: nearby });
  for await (const entry of earlier) {
    if (entry.role !== 'assistant') continue;
    const call = entry.toolCalls?.find((one) => isAnswered(one, result));
    if (call !== undefined) return { id: entry.id, call };
  }
  return null;
}

/** What came of the calls of an entry, a line for each result that is not shown itself. */
export async function outcomesOf(
  session: Session,
  entry: LogEntry,
  isShown: (n: number) => boolean,
): Promise<readonly string[]> {
  const calls = entry.role === 'assistant' ? (entry.toolCalls ?? []) : [];
  if (calls.length === 0) return [];
  const lines: string[] = [];
  for await (const next of session.log({ after: entry.id, limit: nearby })) {
    if (next.role === 'assistant') break;
    if (next.role !== 'tool' || isShown(ordinal(toEntryId(next.id)))) continue;
    if (!calls.some((call) => isAnswered(call, next))) continue;
    const failed = next.isError === true ? ' error' : '';
    lines.push(`→ ${next.id}${failed}: ${inShort(entryText(next).text)}`);
  }
  return lines;
}

const isAnswered = (
  { id, name }: ToolCall,
  result: LogEntry & { readonly role: 'tool' },
): boolean => (result.toolCallId === undefined ? name === result.name : id === result.toolCallId);

/** A text as a line of a few words. */
export const inShort = (text: string): string => clip(oneLine(text.slice(0, longest * 4)), longest);
