import { argumentsOf, isHuman, textOf, type Message, type ToolCall } from './message.ts';

/** What is compared of a message. */
export interface Line {
  /** Of role and rendered content. */
  readonly hash: string;
  /** The same, and who said it: what a host inserted was taken in as machine text, and stands elsewhere. */
  readonly key: string;
  readonly role: Message['role'];
  readonly human: boolean;
  /** The call that a result answers, or those that an answer makes, by id; '' for none. */
  readonly call: string;
  /** The first characters of its text, and how many it and its calls have. */
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

/** What is compared of a message with this hash. */
export function lineOf(message: Message, hash: string): Line {
  const text = textOf(message.content);
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  const human = isHuman(message);
  return {
    hash,
    key: human ? `${hash} human` : hash,
    role: message.role,
    human,
    call: message.role === 'tool' ? (message.toolCallId ?? '') : idsOf(calls),
    head: text.slice(0, headLength),
    size: calls.reduce((sum, call) => sum + argumentsOf(call).length, text.length),
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

/** Whether a text begins as another does, for as much of it as a shortened one keeps. */
export function beginsAs(text: Line, other: Line): boolean {
  const kept = Math.min(text.size, headLength) / 3;
  const least = Math.max(1, Math.min(Math.max(kept, 8), text.head.length, other.head.length));
  return (
    other.head !== '' &&
    text.head.slice(0, Math.ceil(least)) === other.head.slice(0, Math.ceil(least))
  );
}
