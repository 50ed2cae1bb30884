import { createHash } from 'node:crypto';
import { ranText } from '../../core/formats/ran-command.ts';
import type { AssistantMessage, Content, Message, Part, ToolCall } from '../../index.ts';
import { isObject, worded } from '../fields.ts';
import type { PiBlock, PiMessage } from './host.ts';

/**
 * What tells a message of pi from the others, the same before and after it is written. Two answers may come in
 * one millisecond; a message of an extension is written at another time than it was sent.
 */
export function keyOf(message: PiMessage): string {
  const known = keys.get(message) ?? newKey(message);
  keys.set(message, known);
  return known;
}

/** Keys of messages that were asked for: those of pi stay the same objects. */
const keys = new WeakMap<PiMessage, string>();

function newKey({ role, timestamp = 0, content, ...rest }: PiMessage): string {
  const said = [rest['toolCallId'], rest['customType'], content];
  const digest = createHash('sha1').update(JSON.stringify(said)).digest('hex').slice(0, 12);
  return role === 'custom' ? `custom ${digest}` : `${role} ${timestamp} ${digest}`;
}

/**
 * A message of pi as a message of the log; null where the model is told nothing of it, or what it says is in the log
 * already. What carries a provider's signature is kept as it is, so that it is counted.
 */
export function fromPi(message: PiMessage): Message | null {
  const meta = { pi: keyOf(message) };
  const { role, content = '' } = message;
  switch (role) {
    case 'user':
      return { role, content: contentOf(content), meta };
    case 'assistant':
      return assistantOf(message, meta);
    case 'toolResult':
      return {
        role: 'tool',
        toolCallId: worded(message['toolCallId']),
        name: worded(message['toolName'] ?? 'unknown'),
        content: contentOf(content),
        ...(message['isError'] === true ? { isError: true } : {}),
        meta,
      };
    case 'bashExecution':
      return message['excludeFromContext'] === true ? null : machine(shellText(message), meta);
    case 'custom':
      return machine(contentOf(content), meta);
    case 'branchSummary':
      return machine(`Summary of a branch that was left:\n${worded(message['summary'])}`, meta);
    default:
      return null;
  }
}

const machine = (content: Content, meta: { readonly pi: string }): Message => ({
  role: 'user',
  content,
  origin: 'machine',
  meta,
});

/** Answers that broke off: pi sends none of their calls, and no result of them comes. */
const broken = new Set(['error', 'aborted']);

function assistantOf(message: PiMessage, meta: { readonly pi: string }): AssistantMessage | null {
  const { content = '' } = message;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const finish = message['stopReason'];
  const isBroken = typeof finish === 'string' && broken.has(finish);
  const text = textsOf(blocks, 'text');
  const thinking = textsOf(blocks, 'thinking');
  const toolCalls = isBroken ? [] : blocks.filter(({ type }) => type === 'toolCall').map(callOf);
  if (text === '' && thinking === '' && toolCalls.length === 0) return null;
  return {
    role: 'assistant',
    content: text,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(thinking === '' ? {} : { thinking }),
    ...(typeof finish === 'string' ? { finish } : {}),
    ...(blocks.some(isSigned) ? { provider: { name: 'pi', raw: blocks } } : {}),
    meta,
  };
}

/** Fields in which a provider's signature comes. */
const signatures = ['textSignature', 'thinkingSignature', 'thoughtSignature'];

const isSigned = (block: PiBlock): boolean =>
  signatures.some((field) => typeof block[field] === 'string' && block[field] !== '');

const textsOf = (blocks: readonly PiBlock[], type: 'text' | 'thinking'): string =>
  blocks
    .filter((block) => block.type === type)
    .map((block) => worded(block[type]))
    .filter((text) => text !== '')
    .join('\n');

function callOf(block: PiBlock): ToolCall {
  const { id, name, arguments: args } = block;
  return {
    ...(typeof id === 'string' ? { id } : {}),
    name: typeof name === 'string' ? name : 'unknown',
    arguments: isObject(args) ? args : JSON.stringify(args ?? {}),
  };
}

function contentOf(content: string | readonly PiBlock[]): Content {
  if (typeof content === 'string') return content;
  if (content.every(({ type }) => type === 'text'))
    return content.map(({ text }) => worded(text)).join('\n');
  return content.map(partOf);
}

function partOf(block: PiBlock): Part {
  if (block.type === 'text') return { type: 'text', text: worded(block['text']) };
  const { data, mimeType } = block;
  if (block.type === 'image' && typeof data === 'string' && typeof mimeType === 'string')
    return { type: 'file', mediaType: mimeType, data };
  return { type: 'text', text: `[${block.type}] ${JSON.stringify(block)}` };
}

/** A command that the person ran: the shell's text. */
const shellText = (message: PiMessage): string =>
  ranText({
    ...message,
    command: worded(message['command']),
    output: worded(message['output']),
  });
