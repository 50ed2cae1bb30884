import { entryId } from '../values/id.ts';
import { jsonOf } from '../values/json.ts';
import {
  argumentsOf,
  filesOf,
  textOf,
  type AssistantMessage,
  type Message,
  type ToolCall,
} from '../messages/message.ts';
import { headAndTail } from './truncate.ts';
import { messageTokens, overhead, type Count } from '../messages/token-count.ts';

// A message that is too large is shown as head and tail with a marker between them
// that names the entry and how much is missing. The arguments of a call stay valid
// JSON: only long texts inside them are cut.

/** Longest text inside arguments that is never cut, in UTF-16 units. */
const longText = 120;

/** Deepest level of arguments that is kept as JSON; what is nested deeper is cut as one text. */
const mostLevels = 64;

/**
 * The message of entry `n` in at most `target` tokens, as far as it can shrink.
 * A marker is whole or absent, one marker stands for all files and what a provider
 * spelled, and a part that is no longer than its marker stays.
 */
export function truncateMessage(
  message: Message,
  n: number,
  options: { target: number; count: Count },
): Message {
  const { target, count } = options;
  const marker = (omitted: number): string => `[… ${omitted} tokens left out, ${entryId(n)} …]`;
  const least = count(marker(99_999_999));
  const cut = (text: string, target: number): string =>
    headAndTail(text, { target: Math.max(least, target), count, marker });
  const files = lossMarker(message, n);
  const cutting = { ...options, n, cut, files, filesCost: files === '' ? 0 : count(files) + 1 };
  if (message.role === 'assistant') return truncateAssistant(message, cutting);
  const content = cut(textOf(message.content), target - overhead.message - cutting.filesCost);
  const { meta: _, provider: __, ...rest } = message;
  return { ...rest, content: withFiles(content, files) };
}

interface MessageCut {
  readonly n: number;
  readonly target: number;
  readonly count: Count;
  readonly cut: (text: string, target: number) => string;
  /** The marker for the files of the message and what its provider spelled; '' for none. */
  readonly files: string;
  readonly filesCost: number;
}

function lossMarker({ content, provider }: Message, n: number): string {
  const files = filesOf(content).length;
  const lost = [
    ...(files === 0 ? [] : [`${files} ${files === 1 ? 'file' : 'files'}`]),
    ...(provider === undefined ? [] : ['what its provider added']),
  ];
  return lost.length === 0 ? '' : `[… ${lost.join(' and ')} left out, ${entryId(n)} …]`;
}

const withFiles = (content: string, files: string): string =>
  content === '' || files === '' ? content + files : `${content}\n${files}`;

function truncateAssistant(message: AssistantMessage, messageCut: MessageCut): Message {
  const { meta: _, thinking: __, provider: ___, model: ____, ...rest } = message;
  const { target, count, cut, files } = messageCut;
  const calls = message.toolCalls ?? [];
  const text = textOf(message.content);
  const bare = overhead.message + messageCut.filesCost;
  if (calls.length === 0) return { ...rest, content: withFiles(cut(text, target - bare), files) };
  const names = calls.length * overhead.call + count(calls.map((c) => c.name).join(' '));
  const room = Math.max(0, target - bare - names);
  const wanted = calls.reduce((sum, call) => sum + count(argumentsOf(call)), 0);
  const textRoom = Math.max(Math.floor(room / 3), room - wanted);
  const kept = count(text) <= textRoom ? text : cut(text, textRoom);
  const content = withFiles(kept, files);
  const remaining = room - count(kept);
  for (const share of calls.some(isEdit) ? [4, 2, 1.4, ...shares] : shares) {
    const by = { messageCut, share: (share * remaining) / Math.max(1, wanted) };
    const toolCalls = calls.map((call) => shortCall(call, by));
    const shorter = { ...rest, content, toolCalls };
    if (messageTokens(shorter, count) <= target) return shorter;
  }
  return { ...rest, content, toolCalls: calls.map((call) => leastCall(call, messageCut)) };
}

/** Shares of its part of the room that each long text may keep, tried in turn; of an edit more at first, since what it takes away gives way. */
const shares: readonly number[] = [1, 0.7, 0.4, 0.15];

interface CallCut {
  readonly messageCut: MessageCut;
  /** The share of its tokens that each long text may keep; of what an edit takes away it is a quarter. */
  readonly share: number;
}

/** What an edit takes away: it stands no more, and what it brings does. */
const taken = /^old(?:_?(?:str(?:ing)?|text))?$/i;
const shareOfTaken = 0.25;

const isEdit = (call: ToolCall): boolean => /"old/i.test(argumentsOf(call));

/** A call with its long texts cut. */
function shortCall(call: ToolCall, by: CallCut): ToolCall {
  const inside = objectIn(call.arguments);
  if (inside === null) return { ...call, arguments: cutText(argumentsOf(call), by) };
  return withArguments(call, shortValue(inside, by, 0));
}

/** A call with a reference to the entry instead of its arguments, if that is shorter. */
function leastCall(call: ToolCall, messageCut: MessageCut): ToolCall {
  const { n, count } = messageCut;
  const shorter =
    objectIn(call.arguments) === null
      ? { ...call, arguments: messageCut.cut(argumentsOf(call), 0) }
      : withArguments(call, { shortened: entryId(n) });
  return count(argumentsOf(shorter)) < count(argumentsOf(call)) ? shorter : call;
}

/** The value of arguments that are JSON, also as text; null for other text. */
function objectIn(args: ToolCall['arguments']): object | null {
  const value = typeof args === 'string' ? jsonOf(args) : args;
  return typeof value === 'object' ? value : null;
}

/** The call with other arguments, as text if the old ones were text. */
function withArguments(call: ToolCall, value: unknown): ToolCall {
  const isText = typeof call.arguments === 'string';
  return { ...call, arguments: (isText ? JSON.stringify(value) : value) as ToolCall['arguments'] };
}

function cutText(text: string, { messageCut, share }: CallCut): string {
  if (text.length <= longText) return text;
  return messageCut.cut(text, Math.floor(messageCut.count(text) * Math.min(1, share)));
}

function shortValue(value: unknown, by: CallCut, level: number): unknown {
  if (typeof value === 'string') return cutText(value, by);
  if (typeof value !== 'object' || value === null) return value;
  if (level >= mostLevels) return cutText(JSON.stringify(value), by);
  if (Array.isArray(value)) return value.map((member) => shortValue(member, by, level + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const share = taken.test(key) ? Math.min(1, by.share) * shareOfTaken : by.share;
      return [key, shortValue(member, { ...by, share }, level + 1)];
    }),
  );
}
