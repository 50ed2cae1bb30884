import type { Content, Message, OutMessage, ToolCall } from '../../index.ts';
import { callsIn } from '../../reader.ts';
import { clean } from '../paper/clean.ts';
import { number } from '../paper/size.ts';
import { callText } from './call-text.ts';

/** The text of a message with its calls, for a script the calls that it makes; cleaned, tabs as spaces. */
export function messageText(message: OutMessage | Message): string {
  return textWith(message, (call) => callsIn(call).map(callText));
}

/** {@link messageText}, and behind the calls of a script the script itself. */
export function wholeText(message: OutMessage | Message): string {
  return textWith(message, (call) => {
    const calls = callsIn(call);
    const texts = calls.map(callText);
    if (calls.length === 1 && calls[0] === call) return texts;
    const script = callText(call).slice(call.name.length).trimStart();
    return [...texts, `${call.name}, the script:`, `  ${script}`];
  });
}

function textWith(
  message: OutMessage | Message,
  linesOf: (call: ToolCall) => readonly string[],
): string {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  const text = contentText(message.content);
  const whole = [...(text === '' ? [] : [text]), ...calls.flatMap(linesOf)].join('\n');
  return clean(whole).replaceAll('\t', '  ');
}

/** Who speaks, in one word: a person, or the machine in the same role, told apart. */
export function speakerOf(message: OutMessage): string {
  if (message.section === 'system') return 'system';
  if (message.kind === 'made') return 'made';
  if (message.role === 'user') return message.origin === 'machine' ? 'machine' : 'person';
  return message.role;
}

/** The line above a message: who, which entry, how long, and whether that is all of it. */
export function messageHead(message: OutMessage): string {
  const { kind, entry, tokens } = message;
  const parts = [
    speakerOf(message),
    ...(entry === undefined ? [] : [entry]),
    `${number(tokens)} tokens`,
    ...(kind === 'shortened' ? ['shortened'] : []),
  ];
  return parts.join(' ');
}

function contentText(content: Content): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) =>
      part.type === 'text' ? part.text : `[${part.mediaType} ${part.name ?? 'file'}]`,
    )
    .join('\n');
}
