import { entryId } from './id.ts';
import {
  argumentsOf,
  textOf,
  type AssistantMessage,
  type Message,
  type ToolCall,
} from './message.ts';
import { headAndTail } from './shorten.ts';
import { messageTokens, overhead, type Count } from './tokens.ts';

// A message larger than it may be is shown as head and tail with a marker
// between; the marker says how much is missing and which entry has it. The
// arguments of a call stay valid JSON: only long texts inside them are cut.

/** Texts inside arguments below this many characters are left whole while longer ones can give. */
const longText = 120;

/** A message of entry `n` in at most `target` tokens, as far as it can shrink. */
export function spill(
  message: Message,
  n: number,
  given: { target: number; count: Count },
): Message {
  const marker = (left: number): string => `[… ${left} tokens left out, ${entryId(n)} …]`;
  const cut = (text: string, target: number): string =>
    headAndTail(text, { target: Math.max(1, target), count: given.count, marker });
  if (message.role === 'assistant') return spillAssistant(message, n, { ...given, cut });
  const content = cut(textOf(message.content), given.target - overhead.message);
  const { meta: _, ...rest } = message;
  return { ...rest, content } as Message;
}

interface Cutting {
  readonly target: number;
  readonly count: Count;
  readonly cut: (text: string, target: number) => string;
}

function spillAssistant(message: AssistantMessage, n: number, given: Cutting): Message {
  const { meta: _, thinking: __, ...rest } = message;
  const { target, count, cut } = given;
  const calls = message.toolCalls ?? [];
  const text = textOf(message.content);
  if (calls.length === 0) return { ...rest, content: cut(text, target - overhead.message) };
  const bare =
    overhead.message + calls.length * overhead.call + count(calls.map((c) => c.name).join(' '));
  const room = Math.max(0, target - bare);
  const wanted = calls.reduce((sum, call) => sum + count(argumentsOf(call)), 0);
  const textRoom = Math.max(Math.floor(room / 3), room - wanted);
  const content = count(text) <= textRoom ? text : cut(text, textRoom);
  const left = room - count(content);
  let shorter: Message = { ...rest, content };
  for (const share of [1, 0.7, 0.4, 0.15]) {
    const toolCalls = calls.map((call) =>
      shortCall(call, { given, share: (share * left) / Math.max(1, wanted) }),
    );
    shorter = { ...rest, content, toolCalls };
    if (messageTokens(shorter, count) <= target) return shorter;
  }
  const toolCalls = calls.map((call) => ({ ...call, arguments: { shortened: entryId(n) } }));
  return { ...rest, content, toolCalls };
}

/** A call whose long texts are cut to `share` of what they cost. */
function shortCall(call: ToolCall, by: { given: Cutting; share: number }): ToolCall {
  return { ...call, arguments: shortValue(call.arguments, by) as ToolCall['arguments'] };
}

function shortValue(value: unknown, by: { given: Cutting; share: number }): unknown {
  if (typeof value === 'string') {
    if (value.length <= longText) return value;
    return by.given.cut(value, Math.floor(by.given.count(value) * Math.min(1, by.share)));
  }
  if (Array.isArray(value)) return value.map((member) => shortValue(member, by));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, shortValue(member, by)]),
  );
}
