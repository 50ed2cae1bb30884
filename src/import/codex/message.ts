import { fromArguments } from '../../core/formats/wire.ts';
import {
  textOf,
  type AssistantMessage,
  type Content,
  type Message,
  type ToolCall,
} from '../../core/messages/message.ts';
import { contentOf, machineMessage, userMessages } from '../source/content.ts';
import {
  isBlank,
  isJson,
  recordAt,
  recordsAt,
  stringAt,
  toRecord,
  type Json,
} from '../source/record.ts';

/** The messages of a user item: what a person typed, and what Codex put beside it. */
export function userItem(item: Json): readonly Message[] {
  return userMessages(contentOf(blocksOf(item)));
}

/** The message of an item that no person typed. */
export function machineItem(item: Json): Message {
  return machineMessage(contentOf(blocksOf(item)));
}

/** The content blocks of an item, without encrypted ones. */
function blocksOf({ content }: Json): readonly unknown[] {
  return (Array.isArray(content) ? content : [content]).filter(
    (block) =>
      !isJson(block) ||
      (block['type'] !== 'encrypted_content' &&
        (block['type'] !== 'input_image' || typeof block['image_url'] === 'string')),
  );
}

/** The text of an item, files left out. */
export function textOfItem(item: Json): string {
  return textOf(contentOf(blocksOf(item)));
}

/** The result that an item is. */
export function resultItem(item: Json): Message {
  const toolCallId = stringAt(item, 'call_id');
  const output = recordAt(item, 'output');
  return {
    role: 'tool',
    ...(toolCallId === undefined ? {} : { toolCallId }),
    content: withReadable(
      contentOf(output === undefined ? (item['output'] ?? item['tools']) : outputContent(output)),
    ),
    ...(output?.['success'] === false ? { isError: true } : {}),
  };
}

/** A result whose texts are as they were printed, also where they came within JSON. */
const withReadable = (content: Content): Content =>
  typeof content === 'string'
    ? readable(content)
    : content.map((part) => (part.type === 'text' ? { ...part, text: readable(part.text) } : part));

/** What a command printed, behind how it went, where a text is JSON of these alone: `{"exit_code":1,"output":"no such file\n"}`. */
function readable(text: string): string {
  const record = text.startsWith('{') ? toRecord(text) : text;
  if (typeof record === 'string') return text;
  const { metadata, output, ...rest } = record;
  if (typeof output !== 'string') return text;
  const others = Object.entries({ ...(isJson(metadata) ? metadata : { metadata }), ...rest });
  const known = others.filter(([, value]) => value !== undefined);
  if (known.length === 0 || known.some(([name]) => !(name in inWords))) return text;
  const lines = known.map(([name, value]) => inWords[name]!.replace('…', () => String(value)));
  return [...lines, 'Output:', output].join('\n');
}

/** How Codex itself tells of a command, where it does so in words. */
const inWords: Readonly<Record<string, string>> = {
  chunk_id: 'Chunk ID: …',
  wall_time_seconds: 'Wall time: … seconds',
  duration_seconds: 'Wall time: … seconds',
  exit_code: 'Process exited with code …',
  session_id: 'Process running with session ID …',
  original_token_count: 'Original token count: …',
};

/** The content of an output object: its text or blocks, or itself as a block. */
function outputContent(output: Json): unknown {
  return output['content_items'] ?? output['content'] ?? [output];
}

/** The one message that an answer's items make, in their order; nothing where they say nothing. */
export function assistantItems(items: readonly Json[]): AssistantMessage | undefined {
  const text = items
    .filter(({ type }) => type === 'message')
    .map(textOfItem)
    .filter((said) => !isBlank(said))
    .join('\n');
  const thinking = items.flatMap(thoughtsOf).join('\n');
  const toolCalls = items.flatMap(callsOf);
  if (text === '' && thinking === '' && toolCalls.length === 0) return undefined;
  return {
    role: 'assistant',
    content: text,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(thinking === '' ? {} : { thinking }),
  };
}

function thoughtsOf(item: Json): readonly string[] {
  if (item['type'] !== 'reasoning') return [];
  return [...recordsAt(item, 'summary'), ...recordsAt(item, 'content')].flatMap((block) => {
    const text = stringAt(block, 'text');
    return text === undefined || isBlank(text) ? [] : [text];
  });
}

/** The id of an item's call; undefined for an item without one. */
export function callIdOf(item: Json): string | undefined {
  const [call] = callsOf(item);
  return call?.id;
}

function callsOf(item: Json): readonly ToolCall[] {
  const call = namedCall(item);
  if (call === undefined) return [];
  const id = stringAt(item, 'call_id') ?? stringAt(item, 'id');
  return [id === undefined ? call : { id, ...call }];
}

function namedCall(item: Json): ToolCall | undefined {
  const name = stringAt(item, 'name') ?? 'unknown';
  switch (item['type']) {
    case 'function_call': {
      const namespace = stringAt(item, 'namespace');
      return {
        name: namespace === undefined ? name : `${namespace}.${name}`,
        arguments: fromArguments(item['arguments']),
      };
    }
    case 'custom_tool_call':
      return { name, arguments: fromArguments(item['input']) };
    case 'local_shell_call':
      return { name: 'local_shell', arguments: fromArguments(item['action']) };
    case 'tool_search_call':
      return { name: 'tool_search', arguments: fromArguments(item['arguments']) };
    case 'web_search_call':
      return { name: 'web_search', arguments: fromArguments(item['action']) };
    case 'image_generation_call': {
      const prompt = stringAt(item, 'revised_prompt');
      return { name: 'image_generation', arguments: prompt === undefined ? {} : { prompt } };
    }
    default:
      return undefined;
  }
}

/** The result of a call that the model's server ran itself, as far as the item of the call holds it. */
export function servedResult(item: Json): Message | undefined {
  const { type } = item;
  if (type !== 'web_search_call' && type !== 'image_generation_call') return undefined;
  const id = callIdOf(item);
  const status = stringAt(item, 'status') ?? '';
  const image = type === 'image_generation_call' ? stringAt(item, 'result') : undefined;
  return {
    role: 'tool',
    ...(id === undefined
      ? { name: type === 'web_search_call' ? 'web_search' : 'image_generation' }
      : { toolCallId: id }),
    content: image === undefined ? status : [{ type: 'file', mediaType: 'image/png', data: image }],
    ...(status === 'failed' ? { isError: true } : {}),
  };
}

/** The items that a compaction put in place of all before it. */
export function replacementOf(payload: Json): readonly Json[] {
  const items = payload['replacement_history'];
  if (Array.isArray(items)) return items.filter(isJson);
  const summary = stringAt(payload, 'message');
  return summary === undefined ? [] : [{ type: 'message', role: 'developer', content: summary }];
}
