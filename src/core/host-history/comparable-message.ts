import { canonicalJson } from '../values/canonical-json.ts';
import { jsonOf } from '../values/json.ts';
import { isHuman, textOf, type Message, type ToolCall } from '../messages/message.ts';

/** A message as it is compared. */
export interface ComparableMessage {
  /** Hash of {@link contentKeyOf}. */
  readonly hash: string;
  /** The hash, marked for human text: what a host inserted is machine text in the log. */
  readonly key: string;
  readonly role: Message['role'];
  readonly human: boolean;
  /** Id of the call that a result answers, or ids of the calls that an answer makes; '' for none. */
  readonly call: string;
  /** The first characters of its text and its calls. */
  readonly head: string;
  /** Characters of its text and its calls. */
  readonly size: number;
}

/** An entry as it is compared, with its position in the log. */
export interface ComparableEntry extends ComparableMessage {
  readonly n: number;
}

/** Length of a head, in UTF-16 units: enough to tell a shortened text from a replaced one. */
const headLength = 256;

/** Length, in UTF-16 units, beyond which an answer is not repeated by chance. */
const unrepeatedLength = 64;

/**
 * What makes two messages the same: role, text and calls. Space at the ends, the order of keys and
 * whether arguments came as JSON text make no difference; hosts store and send them as they like.
 */
export function contentKeyOf({ role, ...message }: Message): string {
  const calls = 'toolCalls' in message ? (message.toolCalls ?? []) : [];
  const text = `${textOf(message.content).trim()}${callLines(calls)}`;
  return `${role}\n${text.trim()}`;
}

/** Calls as text, one a line. */
export function callLines(calls: readonly ToolCall[]): string {
  return calls.map((call) => `\n${call.name} ${canonicalArguments(call.arguments)}`).join('');
}

/** Arguments as canonical JSON; text that is no JSON as it is. */
function canonicalArguments(args: ToolCall['arguments']): string {
  if (typeof args !== 'string') return canonicalJson(args)!;
  const value = jsonOf(args);
  return value === null ? args : canonicalJson(value)!;
}

/** The comparable form of a message with this hash. */
export function toComparable(message: Message, hash: string): ComparableMessage {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  const text = `${textOf(message.content).trim()}${callLines(calls)}`;
  const human = isHuman(message);
  return {
    hash,
    key: human ? `${hash} human` : hash,
    role: message.role,
    human,
    call: message.role === 'tool' ? (message.toolCallId ?? '') : idsOf(calls),
    head: text.slice(0, headLength),
    size: text.length,
  };
}

function idsOf(calls: readonly ToolCall[]): string {
  return calls.flatMap(({ id }) => id ?? []).join(' ');
}

/**
 * Whether a message with the text of an entry is that very entry, wherever it stands: machine text,
 * a result or an answer with the same calls, a long answer. People say things twice.
 */
export function isSameMessage(entry: ComparableMessage, other: ComparableMessage): boolean {
  if (entry.hash !== other.hash) return false;
  if (entry.role === 'user') return !entry.human;
  if (entry.call !== '' || other.call !== '') return entry.call === other.call;
  return entry.role === 'assistant' && entry.size >= unrepeatedLength;
}

/** Whether it is machine text, such as a host's summary, which stands elsewhere in a list than in the log. */
export function isInserted({ role, human }: ComparableMessage): boolean {
  return role === 'user' && !human;
}

/** Whether a text is a beginning of another one, alone or with a marker behind it. */
export function isShortened(text: ComparableMessage, whole: ComparableMessage): boolean {
  if (text.size >= whole.size || text.head === '') return false;
  const same = commonPrefixLength(text.head, whole.head);
  const least = Math.min(Math.max(8, text.head.length / 3), text.head.length);
  return same >= least && (same === text.head.length || isMarker(text.head.slice(same)));
}

/** Longest marker in place of a result, in UTF-16 units; longer text is the host's own. */
const markerLength = 256;

/** Whether a result gave way to a marker: a shorter text, or a longer one that says so itself. */
export function isCleared(line: ComparableMessage, entry: ComparableMessage): boolean {
  if (line.role !== 'tool' || entry.role !== 'tool') return false;
  const begins = isMarker(line.head);
  if (line.size >= entry.size)
    return begins && line.size <= markerLength && clearing.test(line.head);
  return begins || line.size <= markerLength;
}

/** Words of a marker that is longer than the result it stands for. */
const clearing = /clear|omit|truncat|remov|elid|prun|compact/i;

/** Whether a text begins as a marker does: with a bracket, dots, a rule, an empty line; or is the end of cut JSON. */
function isMarker(text: string): boolean {
  return /^\s*(?:[[<(…]|\.\.\.|--|==|\*\*)|^[ \t]*\r?\n|^["\]}]+$/.test(text);
}

function commonPrefixLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
