import { fromArguments } from '../../core/formats/wire.ts';
import { textOf, type Message, type Part, type ToolCall } from '../../core/messages/message.ts';
import { contentOf, machineMessage, partOf, userMessages } from '../source/content.ts';
import { answeredBy } from '../source/model.ts';
import { isBlank, isJson, recordAt, recordsAt, stringAt, type Json } from '../source/record.ts';

/**
 * The messages of a user line, block by block: each result on its own, the
 * runs of text and files between them by who wrote them. `isMachine` says that
 * no person can have typed any of it.
 */
export function userLine(record: Json, isMachine: boolean): readonly Message[] {
  const content = recordAt(record, 'message')?.['content'];
  const messages: Message[] = [];
  let run: Part[] = [];
  const flush = (): void => {
    if (run.length > 0) messages.push(...talkMessages(run, isMachine));
    run = [];
  };
  for (const block of Array.isArray(content) ? content : [content]) {
    const isResult = isJson(block) && block['type'] === 'tool_result';
    if (isResult) flush();
    if (isResult) messages.push(resultOf(block));
    else run.push(partOf(block));
  }
  flush();
  return messages;
}

function talkMessages(parts: readonly Part[], isMachine: boolean): readonly Message[] {
  const [first] = parts;
  const content = parts.length === 1 && first?.type === 'text' ? first.text : parts;
  return isMachine ? [machineMessage(content)] : userMessages(content);
}

function resultOf(block: Json): Message {
  const toolCallId = stringAt(block, 'tool_use_id');
  return {
    role: 'tool',
    ...(toolCallId === undefined ? {} : { toolCallId }),
    content: contentOf(block['content']),
    ...(block['is_error'] === true ? { isError: true } : {}),
  };
}

/** The one message that several assistant lines make, in their order; nothing where they say nothing. */
export function assistantLines(records: readonly Json[]): Message | undefined {
  const blocks = records.flatMap(blocksOf);
  const text = textsOf(blocks, 'text').join('\n');
  const thinking = textsOf(blocks, 'thinking').join('\n');
  const toolCalls = callsOf(blocks);
  if (text === '' && thinking === '' && toolCalls.length === 0) return undefined;
  const finish = records.some(({ isApiErrorMessage }) => isApiErrorMessage === true)
    ? 'error'
    : records
        .map((record) => stringAt(recordAt(record, 'message') ?? {}, 'stop_reason'))
        .findLast(Boolean);
  const [model] = records.flatMap((record) => modelOf(record) ?? []);
  return {
    role: 'assistant',
    content: text,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(thinking === '' ? {} : { thinking }),
    ...(finish === undefined ? {} : { finish }),
    ...answeredBy(model),
  };
}

/** The model that a line names; what Claude Code says itself in an answer's place is of none. */
function modelOf(record: Json): string | undefined {
  const named = stringAt(recordAt(record, 'message') ?? {}, 'model');
  return named === '<synthetic>' ? undefined : named;
}

function blocksOf(record: Json): readonly Json[] {
  const message = recordAt(record, 'message') ?? {};
  const text = stringAt(message, 'content');
  return text === undefined ? recordsAt(message, 'content') : [{ type: 'text', text }];
}

/** Blank texts are left out: the model begins many a message with two line breaks. */
function textsOf(blocks: readonly Json[], kind: 'text' | 'thinking'): readonly string[] {
  return blocks.flatMap((block) => {
    const text = block['type'] === kind ? stringAt(block, kind) : undefined;
    return text === undefined || isBlank(text) ? [] : [text];
  });
}

function callsOf(blocks: readonly Json[]): readonly ToolCall[] {
  const seen = new Set<string>();
  return blocks.flatMap((block) => {
    const id = stringAt(block, 'id');
    if (block['type'] !== 'tool_use' || (id !== undefined && seen.has(id))) return [];
    if (id !== undefined) seen.add(id);
    const call = {
      name: stringAt(block, 'name') ?? 'unknown',
      arguments: fromArguments(block['input']),
    };
    return [id === undefined ? call : { id, ...call }];
  });
}

/** The text of a user line, for a prompt. */
export function promptText(record: Json): string {
  return textOf(contentOf(recordAt(record, 'message')?.['content']));
}
