import { entryId } from '../values/id.ts';
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

// A message larger than it may be is shown as head and tail with a marker
// between; the marker says how much is missing and which entry has it. The
// arguments of a call stay valid JSON: only long texts inside them are cut.

/** Texts inside arguments below this many characters are left whole while longer ones can give. */
const longText = 120;

/** Levels of arguments that are gone through; what is nested deeper is cut as one text. */
const mostLevels = 64;

/**
 * A message of entry `n` in at most `target` tokens, as far as it can shrink: a
 * marker is whole or not there, files become one, and what is no longer than
 * what would stand for it stays.
 */
export function truncateMessage(
  message: Message,
  n: number,
  given: { target: number; count: Count },
): Message {
  const { target, count } = given;
  const marker = (left: number): string => `[… ${left} tokens left out, ${entryId(n)} …]`;
  const least = count(marker(99_999_999));
  const cut = (text: string, target: number): string =>
    headAndTail(text, { target: Math.max(least, target), count, marker });
  const files = fileMarker(message, n);
  const cutting = { ...given, n, cut, files, filesCost: files === '' ? 0 : count(files) + 1 };
  if (message.role === 'assistant') return spillAssistant(message, cutting);
  const content = cut(textOf(message.content), target - overhead.message - cutting.filesCost);
  const { meta: _, ...rest } = message;
  return { ...rest, content: withFiles(content, files) };
}

interface Cutting {
  readonly n: number;
  readonly target: number;
  readonly count: Count;
  readonly cut: (text: string, target: number) => string;
  /** What stands for the files of the message; '' for none. */
  readonly files: string;
  readonly filesCost: number;
}

function fileMarker(message: Message, n: number): string {
  const files = filesOf(message.content).length;
  return files === 0
    ? ''
    : `[… ${files} ${files === 1 ? 'file' : 'files'} left out, ${entryId(n)} …]`;
}

const withFiles = (content: string, files: string): string =>
  content === '' || files === '' ? content + files : `${content}\n${files}`;

function spillAssistant(message: AssistantMessage, given: Cutting): Message {
  const { meta: _, thinking: __, ...rest } = message;
  const { target, count, cut, files } = given;
  const calls = message.toolCalls ?? [];
  const text = textOf(message.content);
  const bare = overhead.message + given.filesCost;
  if (calls.length === 0) return { ...rest, content: withFiles(cut(text, target - bare), files) };
  const names = calls.length * overhead.call + count(calls.map((c) => c.name).join(' '));
  const room = Math.max(0, target - bare - names);
  const wanted = calls.reduce((sum, call) => sum + count(argumentsOf(call)), 0);
  const textRoom = Math.max(Math.floor(room / 3), room - wanted);
  const kept = count(text) <= textRoom ? text : cut(text, textRoom);
  const content = withFiles(kept, files);
  const left = room - count(kept);
  for (const share of [1, 0.7, 0.4, 0.15]) {
    const by = { given, share: (share * left) / Math.max(1, wanted) };
    const toolCalls = calls.map((call) => shortCall(call, by));
    const shorter = { ...rest, content, toolCalls };
    if (messageTokens(shorter, count) <= target) return shorter;
  }
  return { ...rest, content, toolCalls: calls.map((call) => leastCall(call, given)) };
}

interface MessageCut {
  readonly given: Cutting;
  /** Of what it costs, how much each long text may keep. */
  readonly share: number;
}

/** A call whose long texts are cut. */
function shortCall(call: ToolCall, by: MessageCut): ToolCall {
  const inside = objectIn(call.arguments);
  if (inside === null) return { ...call, arguments: cutText(argumentsOf(call), by) };
  return withArguments(call, shortValue(inside, by, 0));
}

/** A call without its arguments, if those cost more than what says where they are. */
function leastCall(call: ToolCall, given: Cutting): ToolCall {
  const { n, count } = given;
  const shorter =
    objectIn(call.arguments) === null
      ? { ...call, arguments: given.cut(argumentsOf(call), 0) }
      : withArguments(call, { shortened: entryId(n) });
  return count(argumentsOf(shorter)) < count(argumentsOf(call)) ? shorter : call;
}

/** The value of arguments that are JSON, also where they came as text; null for any other text. */
function objectIn(given: ToolCall['arguments']): object | null {
  if (typeof given !== 'string') return given;
  try {
    const value: unknown = JSON.parse(given);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** The call with other arguments, as text where they came as text. */
function withArguments(call: ToolCall, value: unknown): ToolCall {
  const isText = typeof call.arguments === 'string';
  return { ...call, arguments: (isText ? JSON.stringify(value) : value) as ToolCall['arguments'] };
}

function cutText(text: string, { given, share }: MessageCut): string {
  if (text.length <= longText) return text;
  return given.cut(text, Math.floor(given.count(text) * Math.min(1, share)));
}

function shortValue(value: unknown, by: MessageCut, level: number): unknown {
  if (typeof value === 'string') return cutText(value, by);
  if (typeof value !== 'object' || value === null) return value;
  if (level >= mostLevels) return cutText(JSON.stringify(value), by);
  if (Array.isArray(value)) return value.map((member) => shortValue(member, by, level + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, shortValue(member, by, level + 1)]),
  );
}
