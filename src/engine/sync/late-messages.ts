import { callLines } from '../../core/host-history/comparable-message.ts';
import {
  filesOf,
  textOf,
  type AssistantMessage,
  type Message,
  type UserMessage,
} from '../../core/messages/message.ts';

// A host puts text before messages that the log has: its own summary at the head, a note
// between two turns, another wording of an old prompt. Nobody says it now, so it is appended as
// machine text, which a model reads and a checkpoint may take; calls made long ago wait for no
// result. Results that are awaited come first: anything before them would close
// the unit of their call.

/** The messages to append; those `inside` the list become machine text where they would pass for something said now. */
export function asMachineText(
  messages: readonly Message[],
  inside: ReadonlySet<Message>,
): readonly Message[] {
  const answered = new Set(
    messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : [])),
  );
  const others = messages.filter((message) => !inside.has(message));
  const awaited = others.findIndex(({ role }) => role !== 'tool');
  const first = others.slice(0, awaited < 0 ? others.length : awaited);
  const rest = messages.filter((message) => !first.includes(message));
  return [...first, ...rest].map((message): Message => {
    if (!inside.has(message) || message.role === 'tool') return message;
    if (message.role === 'user') return { ...message, origin: 'machine' };
    const calls = message.toolCalls ?? [];
    const isWhole = calls.every(({ id }) => id !== undefined && answered.has(id));
    return isWhole ? message : callsAsText(message);
  });
}

/** An answer with its calls as machine text, so that no call waits for a result. */
export function callsAsText({ toolCalls = [], content, meta }: AssistantMessage): UserMessage {
  const text = `${textOf(content).trim()}${callLines(toolCalls)}`.trim();
  const files = filesOf(content);
  return {
    role: 'user',
    content: files.length === 0 ? text : [{ type: 'text', text }, ...files],
    origin: 'machine',
    ...(meta === undefined ? {} : { meta }),
  };
}
