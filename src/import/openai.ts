import { textOf, type Message, type ToolCall } from '../core/messages/message.ts';
import { typedAt, typedMessages } from './cursor-message.ts';
import { callOf, contentOf, machineMessage, namedCall } from './source/content.ts';
import { openDocument, type Document, type Piece } from './source/document.ts';
import { openFragments } from './source/fragments.ts';
import { fieldsOf, headRecords } from './source/head.ts';
import { hashOf, lineKey, toSession } from './source/key.ts';
import { answeredBy } from './source/model.ts';
import { appendAll } from './source/passage.ts';
import {
  isBlank,
  isJson,
  recordAt,
  recordsAt,
  stringAt,
  toRecord,
  toTime,
  type Json,
} from './source/record.ts';
import type { Importer, SourceLine, ReadOptions, Source, Step } from './source/step.ts';
import { toTitle } from './source/title.ts';
import { unreadLimit } from './source/unread.ts';

/** Chat messages of OpenAI's API: an array, an object with `messages`, or one message per line. */
export const openai: Importer = {
  format: 'openai',
  signs:
    'a JSON array of chat messages, an object with such `messages`, or one with a `role` per line',
  detect,
  read,
};

const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

function detect(head: string): boolean {
  const [record] = headRecords(head);
  if (record !== undefined && isChat(record)) return true;
  const fragments = openFragments();
  const item = fragments.push(head, 1).find(({ kind }) => kind === 'item');
  const text = item?.text ?? fragments.rest().text;
  return text.startsWith('{') && isChat(fieldsOf(text));
}

function isChat(record: Json): boolean {
  const role = stringAt(record, 'role');
  return role !== undefined && roles.has(role) && !('uuid' in record);
}

/** A piece of the file; a message with its key. */
type OpenAIPiece = Exclude<Piece, ItemPiece> | (ItemPiece & { readonly key: string });

type ItemPiece = Extract<Piece, { kind: 'item' }>;

async function* read(source: Source, options: ReadOptions = {}): AsyncIterable<Step> {
  const { prompt, ...session } = await sessionOf(source, options.signal);
  yield { type: 'session', ...session };
  for await (const found of openaiPieces(source, options.signal)) {
    if (found.kind === 'broken') yield { type: 'skip', line: found.line, reason: found.reason };
    if (found.kind !== 'item') continue;
    if (found.key !== prompt) yield* messageSteps(found);
    options.onBytes?.(found.end);
  }
  if (source.size !== undefined) options.onBytes?.(source.size);
}

function* messageSteps(piece: OpenAIPiece & { kind: 'item' }): Generator<Step> {
  const { key, line } = piece;
  const record = unwrapped(piece.record);
  const messages = messagesOf(record);
  if (typeof messages === 'string') yield { type: 'skip', line, reason: messages };
  else
    yield* appendAll(messages, {
      key,
      line,
      at: toTime(record['timestamp']) ?? typedAt(contentOf(record['content'])),
    });
}

/** A message that stands within its line, as Cursor writes it: `{"role":"user","message":{"content":[…]}}`. */
function unwrapped(record: Json): Json {
  const inner = 'content' in record ? undefined : recordAt(record, 'message');
  return inner === undefined ? record : { ...inner, ...record };
}

interface OpenAISession {
  readonly id: string;
  readonly system?: string;
  readonly title?: string;
  /** The key of the message that became `system`. */
  readonly prompt?: string;
}

/** Reads up to the first prompt and user message, whose hash names a chat without an id. */
async function sessionOf(source: Source, signal?: AbortSignal): Promise<OpenAISession> {
  let id: string | undefined;
  let title: string | undefined;
  let system: { readonly text: string; readonly key: string } | undefined;
  let seed = '';
  let isBegun = false;
  for await (const found of openaiPieces(source, signal)) {
    if (found.kind === 'field' && typeof found.value === 'string') {
      if (found.name === 'id') id = found.value;
      if (found.name === 'title' && !isBlank(found.value)) title = toTitle(found.value);
    }
    if (found.kind !== 'item') continue;
    const { record, key } = found;
    if (!isBegun) seed += JSON.stringify(record);
    isBegun ||= record['role'] === 'user';
    if (isSystem(record)) system ??= { text: textOf(contentOf(record['content'])), key };
    if (isBegun && system !== undefined) break;
  }
  return {
    id: toSession(id, seed),
    ...(title === undefined ? {} : { title }),
    ...(system === undefined || isBlank(system.text)
      ? {}
      : { system: system.text, prompt: system.key }),
  };
}

const isSystem = (record: Json): boolean =>
  record['role'] === 'system' || record['role'] === 'developer';

async function* openaiPieces(source: Source, signal?: AbortSignal): AsyncIterable<OpenAIPiece> {
  let document: Document | undefined;
  const note = unreadLimit(source, 'openai');
  let isFirst = true;
  for await (const line of source.lines(signal)) {
    if (isBlank(line.text)) continue;
    if (isFirst && !isMessageLine(line.text)) document = openDocument({ messages: 'message' });
    isFirst = false;
    if (document === undefined) {
      const piece = linePiece(line);
      note(piece.kind === 'item');
      yield piece;
    } else yield* document.push(line).map(withKey);
  }
  if (document !== undefined) yield* document.end().map(withKey);
}

function withKey(piece: Piece): OpenAIPiece {
  if (piece.kind !== 'item') return piece;
  return { ...piece, key: `${piece.count}-${hashOf(JSON.stringify(piece.record))}` };
}

/** Whether the first line of a file is a message of its own, not the beginning of a document. */
function isMessageLine(text: string): boolean {
  const start = text.trimStart();
  return start.startsWith('{') ? 'role' in fieldsOf(start) : !start.startsWith('[');
}

function linePiece({ text, line, end }: SourceLine): OpenAIPiece {
  const record = toRecord(text);
  if (typeof record === 'string') return { kind: 'broken', line, reason: record };
  return { kind: 'item', array: '', count: line, record, key: lineKey(line, text), line, end };
}

/** Fields that a message says something in. */
const said = [
  'content',
  'refusal',
  'tool_calls',
  'toolCalls',
  'function_call',
  'reasoning_content',
  'reasoning',
] as const;

function messagesOf(record: Json): readonly Message[] | string {
  const role = record['role'];
  if (typeof role !== 'string') return 'has no "role"';
  if (!roles.has(role)) return `has the unknown role "${role.slice(0, 40)}"`;
  const isResult = role === 'tool' || role === 'function';
  if (!isResult && !said.some((name) => name in record)) return 'has no "content"';
  const content = contentOf(record['content']);
  if (role === 'user') return typedMessages(content);
  if (role === 'assistant') return [assistantOf(record)];
  if (isSystem(record)) return [machineMessage(content)];
  const toolCallId = stringAt(record, 'tool_call_id') ?? stringAt(record, 'toolCallId');
  const name = stringAt(record, 'name');
  return [
    {
      role: 'tool',
      ...(toolCallId === undefined ? {} : { toolCallId }),
      ...(name === undefined ? {} : { name }),
      content,
      ...(record['isError'] === true ? { isError: true } : {}),
    },
  ];
}

function assistantOf(record: Json): Message {
  const [content, used] = withoutUses(record['content'] ?? record['refusal']);
  const thinking = stringAt(record, 'reasoning_content') ?? stringAt(record, 'reasoning');
  const legacy = recordAt(record, 'function_call');
  const calls = [...recordsAt(record, 'tool_calls'), ...recordsAt(record, 'toolCalls')].map(callOf);
  const toolCalls = [...calls, ...(legacy === undefined ? [] : [namedCall(legacy)]), ...used];
  return {
    role: 'assistant',
    content: contentOf(content),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(thinking === undefined ? {} : { thinking }),
    ...answeredBy(stringAt(record, 'model')),
  };
}

/** Content without the calls among its blocks, and these. */
function withoutUses(content: unknown): readonly [unknown, readonly ToolCall[]] {
  if (!Array.isArray(content)) return [content, []];
  const isUse = (block: unknown): block is Json => isJson(block) && block['type'] === 'tool_use';
  const blocks = content as readonly unknown[];
  return [blocks.filter((block) => !isUse(block)), blocks.filter(isUse).map(callOf)];
}
