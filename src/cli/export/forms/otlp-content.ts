import type { LogEntry } from '../../../index.ts';
import { messageText } from '../../render/message.ts';
import { hideInJson, type Secrets } from '../../secrets/secrets.ts';
import type { EntryRecord } from '../session-record.ts';

// What was said, as the conventions of OpenTelemetry spell messages: roles, each with parts, as a text of JSON.

/** What a model was told since its answer before, and what it answered. */
export function chatContent(
  entries: readonly EntryRecord[],
  index: number,
  secrets: Secrets,
): Readonly<Record<string, string>> {
  let first = index;
  while (first > 0 && entries[first - 1]!.entry.role !== 'assistant') first -= 1;
  const input = entries.slice(first, index).map(({ entry }) => toMessage(entry));
  const answer = toMessage(entries[index]!.entry);
  const finish = entries[index]!.entry.role === 'assistant' ? entries[index]!.entry.finish : '';
  return {
    'gen_ai.input.messages': hideInJson(input, secrets),
    'gen_ai.output.messages': hideInJson([{ ...answer, finish_reason: finish ?? '' }], secrets),
  };
}

/** What a tool was given, and what it gave. */
export function toolContent(
  result: LogEntry,
  call: LogEntry | undefined,
  secrets: Secrets,
): Readonly<Record<string, string | undefined>> {
  const id = result.role === 'tool' ? result.toolCallId : undefined;
  const args =
    call?.role === 'assistant'
      ? call.toolCalls?.find((one) => one.id === id)?.arguments
      : undefined;
  return {
    'gen_ai.tool.call.arguments':
      args === undefined
        ? undefined
        : typeof args === 'string'
          ? secrets.hide(args)
          : hideInJson(args, secrets),
    'gen_ai.tool.call.result': secrets.hide(messageText(result)),
  };
}

/** A message by its role and parts. */
function toMessage(entry: LogEntry): { readonly role: string; readonly parts: readonly object[] } {
  const { role } = entry;
  if (role === 'tool') {
    const { toolCallId: id, content } = entry;
    const response = messageText({ role, content });
    return {
      role,
      parts: [{ type: 'tool_call_response', ...(id !== undefined && { id }), response }],
    };
  }
  const calls = role === 'assistant' ? (entry.toolCalls ?? []) : [];
  const text = messageText({ role: 'user', content: entry.content });
  return {
    role,
    parts: [
      ...(text === '' ? [] : [{ type: 'text', content: text }]),
      ...calls.map(({ id, name, arguments: args }) => ({
        type: 'tool_call',
        ...(id !== undefined && { id }),
        name,
        arguments: args,
      })),
    ],
  };
}
