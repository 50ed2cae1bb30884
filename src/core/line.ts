import { isHuman, textOf, type Message, type ToolCall } from './message.ts';

/** What is compared of a message. */
export interface Line {
  /** Of {@link saidIn}. */
  readonly hash: string;
  /** The same, and who said it: what a host inserted was taken in as machine text, and stands elsewhere. */
  readonly key: string;
  readonly role: Message['role'];
  readonly human: boolean;
  /** The call that a result answers, or those that an answer makes, by id; '' for none. */
  readonly call: string;
  /** The first characters of its text and its calls, and how many there are. */
  readonly head: string;
  readonly size: number;
}

/** A line of a log, with the position of its entry. */
export interface Logged extends Line {
  readonly n: number;
}

/** Characters of a text by which a shortened one is told from one that was replaced. */
const headLength = 256;

/** Characters of an answer beyond which nobody says it twice. */
const telling = 64;

/**
 * What makes two messages the same: role, text and calls. Space at the ends, the order of keys and
 * whether arguments came as JSON text make no difference; hosts store and send them as they like.
 */
export function saidIn({ role, ...message }: Message): string {
  const calls = 'toolCalls' in message ? (message.toolCalls ?? []) : [];
  const text = `${textOf(message.content).trim()}${askedIn(calls)}`;
  return `${role}\n${text.trim()}`;
}

/** Calls as text, one a line. */
export function askedIn(calls: readonly ToolCall[]): string {
  return calls.map((call) => `\n${call.name} ${canonical(call.arguments)}`).join('');
}

/** Arguments as JSON with sorted keys; text that is no JSON as it is. */
function canonical(given: ToolCall['arguments']): string {
  if (typeof given !== 'string') return JSON.stringify(sorted(given));
  try {
    return JSON.stringify(sorted(JSON.parse(given)));
  } catch {
    return given;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
}

/** What is compared of a message with this hash. */
export function lineOf(message: Message, hash: string): Line {
  const said = textOf(message.content).trim();
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  const text = `${said}${askedIn(calls)}`;
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

/** Whether it is so short that it may be said again by chance. */
export function isShort({ size, call }: Line): boolean {
  return call === '' && size < telling;
}

/**
 * Whether a message that reads as an entry does is that very entry, wherever it stands: machine
 * text, a result or an answer with the same calls, a long answer. People say things twice.
 */
export function isSame(entry: Line, other: Line): boolean {
  if (entry.hash !== other.hash) return false;
  if (entry.role === 'user') return !entry.human;
  if (entry.call !== '' || other.call !== '') return entry.call === other.call;
  return entry.role === 'assistant' && !isShort(entry);
}

/**
 * Whether a text is what is left of another one: it begins as that does, for as much as a shortened
 * one keeps, and goes on with nothing but a marker.
 */
export function isLeftOf(text: Line, other: Line): boolean {
  if (text.size >= other.size) return false;
  if (text.head === '') return other.head === '';
  const same = sameUpTo(text.head, other.head);
  const least = Math.min(Math.max(8, text.head.length / 3), text.head.length);
  return same >= least && (same === text.head.length || isMarker(text.head.slice(same)));
}

/** Characters up to which what stands in place of a result is a marker, and beyond which a text of the host's own. */
const markerLength = 256;

/** Whether a result gave way to a marker: less than it was, or one that says so itself. */
export function isCleared(line: Line, entry: Line): boolean {
  if (line.role !== 'tool' || entry.role !== 'tool') return false;
  const isMade = isMarker(line.head);
  if (line.size >= entry.size)
    return isMade && line.size <= markerLength && clearing.test(line.head);
  return isMade || line.size <= markerLength;
}

/** Words of a marker that is longer than what it stands for. */
const clearing = /clear|omit|truncat|remov|elid|prun|compact/i;

/** Whether a text is what hosts put in place of what they cut: in brackets, behind dots, on a line of its own; or the end of cut JSON. */
function isMarker(text: string): boolean {
  return /^\s*(?:[[<(…]|\.\.\.|--|==|\*\*)|^[ \t]*\r?\n|^["\]}]+$/.test(text);
}

function sameUpTo(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
