import { ranText } from '../core/formats/ran-command.ts';
import { fromArguments } from '../core/formats/wire.ts';
import type { Content, Message, ToolCall } from '../core/messages/message.ts';
import { contentOf, machineMessage, userMessages } from './source/content.ts';
import { answeredBy } from './source/model.ts';
import {
  isBlank,
  isJson,
  recordAt,
  recordsAt,
  stringAt,
  toRecord,
  type Json,
} from './source/record.ts';

/** Roles that make no message: what they say is derived from others. */
const derived = new Set(['branchSummary', 'compactionSummary']);

const roles = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'toolResult',
  'bashExecution',
  'custom',
  'hookMessage',
]);

/** The fault of an entry that should hold a message; undefined if it has none. */
export function faultOf(record: Json): string | undefined {
  if (typeof record['type'] !== 'string') return 'has no "type"';
  if (record['type'] !== 'message') return undefined;
  const message = recordAt(record, 'message');
  if (message === undefined) return 'has no "message"';
  const role = message['role'];
  if (typeof role !== 'string') return 'its message has no "role"';
  if (!roles.has(role) && !derived.has(role))
    return `its message has the unknown role "${role.slice(0, 40)}"`;
  const needsContent = role === 'user' || role === 'assistant' || role === 'toolResult';
  const { content } = message;
  if (needsContent && typeof content !== 'string' && !Array.isArray(content))
    return 'its message has no "content"';
  return undefined;
}

/** The messages that an entry makes; none for what is bookkeeping, derived from others, or empty. */
export function messagesOf(record: Json): readonly Message[] {
  if (record['type'] === 'custom_message') return [machineMessage(contentOf(record['content']))];
  const message = record['type'] === 'message' ? recordAt(record, 'message') : undefined;
  if (message === undefined) return [];
  switch (message['role']) {
    case 'user':
      return userMessages(contentOf(message['content']));
    case 'assistant':
      return assistantOf(message);
    case 'toolResult':
      return [resultOf(message)];
    case 'bashExecution':
      return [machineMessage(shellText(message))];
    case 'system':
    case 'developer':
      return [machineMessage(systemText(message))];
    case 'custom':
    case 'hookMessage':
      return [machineMessage(contentOf(message['content']))];
    default:
      return [];
  }
}

function assistantOf(message: Json): readonly Message[] {
  const { content } = message;
  const blocks =
    typeof content === 'string' ? [{ type: 'text', text: content }] : recordsAt(message, 'content');
  const text = textsOf(blocks, 'text').join('\n');
  const thinking = textsOf(blocks, 'thinking').join('\n');
  const toolCalls = blocks.filter(({ type }) => type === 'toolCall').map(callOf);
  if (text === '' && thinking === '' && toolCalls.length === 0) return [];
  const finish = stringAt(message, 'stopReason');
  return [
    {
      role: 'assistant',
      content: text,
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
      ...(thinking === '' ? {} : { thinking }),
      ...(finish === undefined ? {} : { finish }),
      ...answeredBy(stringAt(message, 'model'), stringAt(message, 'provider')),
    },
  ];
}

function textsOf(blocks: readonly Json[], kind: 'text' | 'thinking'): readonly string[] {
  return blocks
    .flatMap((block) => (block['type'] === kind ? [stringAt(block, kind) ?? []] : []))
    .flat();
}

function callOf(block: Json): ToolCall {
  const id = stringAt(block, 'id');
  return {
    ...(id === undefined ? {} : { id }),
    name: stringAt(block, 'name') ?? 'unknown',
    arguments: fromArguments(block['arguments']),
  };
}

function resultOf(message: Json): Message {
  const toolCallId = stringAt(message, 'toolCallId');
  const name = stringAt(message, 'toolName');
  return {
    role: 'tool',
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(name === undefined ? {} : { name }),
    content: contentOf(message['content']),
    ...(message['isError'] === true ? { isError: true } : {}),
  };
}

/** A command that the person ran: the shell's text. */
const shellText = (message: Json): string =>
  ranText({
    ...message,
    command: stringAt(message, 'command') ?? '',
    output: stringAt(message, 'output') ?? '',
  });

/** The system prompt on a line of the file. */
export function promptOf(text: string): string | undefined {
  const record = toRecord(text);
  const message = typeof record === 'string' ? undefined : recordAt(record, 'message');
  const prompt = message === undefined ? '' : systemText(message);
  return isBlank(prompt) ? undefined : prompt;
}

function systemText(message: Json): string {
  const { sections } = message;
  const content: Content = contentOf(message['content']);
  if (!Array.isArray(sections))
    return typeof content === 'string' ? content : JSON.stringify(content);
  return sections
    .map(sectionText)
    .filter((text) => text !== '')
    .join('\n\n');
}

function sectionText(section: unknown): string {
  if (typeof section === 'string') return section;
  if (!isJson(section)) return '';
  return stringAt(section, 'text') ?? stringAt(section, 'content') ?? '';
}
