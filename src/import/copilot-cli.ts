import { fromArguments } from '../core/formats/wire.ts';
import { textOf, type Content, type Message, type ToolCall } from '../core/messages/message.ts';
import { contentOf, machineMessage, userMessages } from './source/content.ts';
import { headRecords } from './source/head.ts';
import { lineKey, toSession } from './source/key.ts';
import { answeredBy } from './source/model.ts';
import { appendAll } from './source/passage.ts';
import {
  isBlank,
  recordAt,
  recordsAt,
  stringAt,
  stringsAt,
  toRecord,
  toTime,
  type Json,
} from './source/record.ts';
import type { Importer, ReadOptions, Source, SourceLine, Step } from './source/step.ts';
import { toTitle } from './source/title.ts';
import { unreadLimit } from './source/unread.ts';

// Copilot CLI writes an event per line, of which a few hold what was said:
//
//   {"type":"user.message","data":{"content":"…"},"id":"…","timestamp":"…","parentId":"…"}
//
// Others tell of turns and models. A call begins in the message that asks for it, and has ended when
// `tool.execution_complete` says so. A compaction takes nothing out of the log; its summary is told
// as hosts wrap such a text.

/** Event logs of GitHub Copilot CLI. */
export const copilotCli: Importer = {
  format: 'copilot-cli',
  signs: 'lines with `data`, of type "session.start", "user.message" or "assistant.message"',
  detect: (head) => headRecords(head).some(isEvent),
  read,
};

const types: ReadonlySet<unknown> = new Set(['session.start', 'user.message', 'assistant.message']);

const isEvent = (record: Json): boolean =>
  types.has(record['type']) && recordAt(record, 'data') !== undefined;

async function* read(source: Source, options: ReadOptions = {}): AsyncIterable<Step> {
  yield { type: 'session', ...(await sessionOf(source, options.signal)) };
  for await (const line of source.lines(options.signal)) {
    if (!isBlank(line.text)) yield* lineSteps(line);
    options.onBytes?.(line.end);
  }
  if (source.size !== undefined) options.onBytes?.(source.size);
}

type SessionFields = Omit<Extract<Step, { type: 'session' }>, 'type'>;

async function sessionOf(source: Source, signal?: AbortSignal): Promise<SessionFields> {
  let id: string | undefined;
  let first: string | undefined;
  let fields: Omit<SessionFields, 'id'> = {};
  const note = unreadLimit(source, 'copilot-cli');
  for await (const { text } of source.lines(signal)) {
    if (isBlank(text)) continue;
    first ??= text;
    const record = toRecord(text);
    note(typeof record !== 'string');
    const data = typeof record === 'string' ? undefined : recordAt(record, 'data');
    if (typeof record === 'string' || data === undefined) continue;
    if (record['type'] === 'session.start') {
      id ??= stringAt(data, 'sessionId');
      const context = recordAt(data, 'context') ?? {};
      fields = { ...stringsAt(context, { folder: 'cwd', branch: 'branch' }), ...fields };
    }
    const title = record['type'] === 'session.title_changed' ? stringAt(data, 'title') : undefined;
    if (title !== undefined && !isBlank(title)) fields = { ...fields, title: toTitle(title) };
  }
  return { id: toSession(id, first ?? ''), ...fields };
}

function* lineSteps({ text, line }: SourceLine): Generator<Step> {
  const record = toRecord(text);
  if (typeof record === 'string') return yield { type: 'skip', line, reason: record };
  if (typeof record['type'] !== 'string')
    return yield { type: 'skip', line, reason: 'has no "type"' };
  const key = stringAt(record, 'id') ?? lineKey(line, text);
  const at = toTime(record['timestamp']);
  yield* appendAll(messagesOf(record['type'], recordAt(record, 'data') ?? {}), { key, line, at });
}

/** The messages that an event makes; none for what is bookkeeping, or empty. */
function messagesOf(type: string, data: Json): readonly Message[] {
  switch (type) {
    case 'user.message':
      return spokenBy(stringAt(data, 'source') ?? 'user', contentOf(data['content']));
    case 'assistant.message':
      return answerOf(data);
    case 'tool.execution_complete':
      return [resultOf(data)];
    case 'session.compaction_complete':
      return summaryOf(stringAt(data, 'summaryContent') ?? '');
    default:
      return [];
  }
}

/** What stands in the user role: a host says where its own text comes from (`skill-deploy`, `system`). */
const spokenBy = (source: string, content: Content): readonly Message[] =>
  source === 'user'
    ? userMessages(content)
    : isBlank(textOf(content))
      ? []
      : [machineMessage(content)];

const summaryOf = (summary: string): readonly Message[] =>
  isBlank(summary)
    ? []
    : [machineMessage(`<conversation_summary>\n${summary}\n</conversation_summary>`)];

function answerOf(data: Json): readonly Message[] {
  const content = contentOf(data['content']);
  const thinking = stringAt(data, 'reasoningText');
  const toolCalls = recordsAt(data, 'toolRequests').map(callOf);
  if (content === '' && thinking === undefined && toolCalls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content,
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
      ...(thinking === undefined ? {} : { thinking }),
      ...answeredBy(stringAt(data, 'model')),
    },
  ];
}

function callOf(request: Json): ToolCall {
  const id = stringAt(request, 'toolCallId');
  return {
    ...(id === undefined ? {} : { id }),
    name: stringAt(request, 'name') ?? 'unknown',
    arguments: fromArguments(request['arguments']),
  };
}

/** What came of a call: what the model was given, or why it failed. */
function resultOf(data: Json): Message {
  const id = stringAt(data, 'toolCallId');
  const { result } = data;
  const output = recordAt(data, 'result')?.['content'] ?? result;
  const failure = stringAt(recordAt(data, 'error') ?? {}, 'message');
  const content = contentOf(output ?? failure);
  const isError = data['success'] === false || badExit.test(textOf(content).slice(-200));
  return {
    role: 'tool',
    ...(id === undefined ? {} : { toolCallId: id }),
    content,
    ...(isError ? { isError } : {}),
  };
}

/** How the output of a command ends that failed: the call itself is a success. */
const badExit = /<shellId: [^<>]{1,40} completed with exit code [1-9]\d{0,9}>\s*$/;
