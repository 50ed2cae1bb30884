import { piecesOf } from '../source/document.ts';
import { fieldsOf, headRecords } from '../source/head.ts';
import { isBlank, toRecord, type Json } from '../source/record.ts';
import type { Importer, ReadOptions, Source, Step } from '../source/step.ts';
import { logSteps } from './log.ts';
import { messageSteps } from './message.ts';
import { sessionFields, type SessionFields } from './session-fields.ts';

// Gemini CLI wrote a session as one object once, and writes it as a log now, whose first line is that object
// without its messages. A message of the model has its calls with it, and each call what came of it, so that
// one makes an answer and the results behind it:
//
//   { sessionId, projectHash, messages: [{ id, type: "gemini", content, thoughts, toolCalls: [{ id, name, args, result }] }] }
//
// What the program itself notes (`info`, `error`, `warning`) went to no model.

/** Sessions of Gemini CLI. */
export const geminiCli: Importer = {
  format: 'gemini-cli',
  signs:
    'an object with `sessionId` and `projectHash`, and `messages` in it or a line each behind it',
  detect: (head) => headRecords(head).some(isSession) || isSession(fieldsOf(head.trimStart())),
  read,
};

const nouns = { messages: 'message' } as const;

const isSession = (record: Json): boolean =>
  typeof record['sessionId'] === 'string' && typeof record['projectHash'] === 'string';

async function* read(source: Source, options: ReadOptions = {}): AsyncIterable<Step> {
  if (await isLog(source, options.signal)) yield* logSteps(source, options);
  else yield* documentSteps(source, options);
}

/** Whether the first line is an object by itself, whose messages stand behind it. */
async function isLog(source: Source, signal?: AbortSignal): Promise<boolean> {
  for await (const { text } of source.lines(signal)) {
    if (isBlank(text)) continue;
    const record = toRecord(text);
    if (typeof record === 'string' || !isSession(record)) return false;
    const { messages } = record;
    return !Array.isArray(messages) || messages.length === 0;
  }
  return false;
}

async function* documentSteps(source: Source, options: ReadOptions): AsyncIterable<Step> {
  yield { type: 'session', ...(await sessionOf(source, options.signal)) };
  for await (const piece of piecesOf(source, nouns, options.signal)) {
    if (piece.kind === 'broken') yield { type: 'skip', line: piece.line, reason: piece.reason };
    if (piece.kind !== 'item') continue;
    yield* messageSteps(piece.record, { line: piece.line, noun: `message ${piece.count}` });
    options.onBytes?.(piece.end);
  }
  if (source.size !== undefined) options.onBytes?.(source.size);
}

async function sessionOf(source: Source, signal?: AbortSignal): Promise<SessionFields> {
  let seed = '';
  const fields: Record<string, unknown> = {};
  for await (const piece of piecesOf(source, nouns, signal)) {
    if (piece.kind === 'item' && seed === '') seed = JSON.stringify(piece.record);
    if (piece.kind === 'field') fields[piece.name] = piece.value;
  }
  return sessionFields(fields, seed);
}
