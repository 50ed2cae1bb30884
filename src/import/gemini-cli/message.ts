import type { Content, Message, ToolCall } from '../../core/messages/message.ts';
import { contentOf, userMessages } from '../source/content.ts';
import { answeredBy } from '../source/model.ts';
import { appendAll } from '../source/passage.ts';
import { isJson, recordAt, recordsAt, stringAt, toTime, type Json } from '../source/record.ts';
import type { Step } from '../source/step.ts';

/** Where a message stands, and what it is called where it has no id. */
interface MessagePlace {
  readonly line: number;
  readonly noun: string;
}

/** The steps of a message: what was typed, or an answer and what came of its calls, each with a key of its own. What the program notes makes none. */
export function* messageSteps(record: Json, { line, noun }: MessagePlace): Generator<Step> {
  const { type } = record;
  const key = stringAt(record, 'id') ?? noun;
  const origin = { key, line, at: toTime(record['timestamp']) };
  if (type === 'user') yield* appendAll(userMessages(typedOf(partsOf(record['content']))), origin);
  else if (type === 'gemini') {
    yield* appendAll(answerOf(record), origin);
    for (const [at, call] of recordsAt(record, 'toolCalls').entries()) {
      const result = resultOf(call);
      const time = toTime(call['timestamp']) ?? origin.at;
      const of = { key: `${key}/${stringAt(call, 'id') ?? at}`, line, at: time };
      if (result !== undefined) yield* appendAll([result], of);
    }
  } else if (typeof type !== 'string') {
    yield { type: 'skip', line, reason: `${noun} has no "type"` };
  }
}

/** The content of parts of Gemini's API: texts, and files with their data. */
function partsOf(value: unknown): ReturnType<typeof contentOf> {
  const parts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const isAlone = parts.length === 1 && typeof parts[0] === 'string';
  return contentOf(isAlone ? parts[0] : parts.map(partOf));
}

/** What a person typed, with the texts of the files that it names as one part: each is a part of its own, and only the first says what they are. */
function typedOf(content: Content): Content {
  if (typeof content === 'string') return content;
  const first = content.findIndex((part) => part.type === 'text' && references.test(part.text));
  if (first < 0) return content;
  const referenced = content.slice(first);
  const texts = referenced.flatMap((part) => (part.type === 'text' ? part.text : []));
  const others = referenced.filter(({ type }) => type !== 'text');
  return [...content.slice(0, first), { type: 'text', text: texts.join('\n') }, ...others];
}

/** What stands before the texts of files. */
const references = /^--- Content from referenced files ---$/m;

function partOf(part: unknown): unknown {
  return (isJson(part) ? recordAt(part, 'inlineData') : undefined) ?? part;
}

/** The message of an answer; nothing for one that says nothing. */
function answerOf(record: Json): readonly Message[] {
  const content = partsOf(record['content']);
  const thinking = recordsAt(record, 'thoughts')
    .map((thought) =>
      [stringAt(thought, 'subject'), stringAt(thought, 'description')].filter(Boolean).join(': '),
    )
    .join('\n');
  const toolCalls = recordsAt(record, 'toolCalls').map(callOf);
  if (content === '' && thinking === '' && toolCalls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content,
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
      ...(thinking === '' ? {} : { thinking }),
      ...answeredBy(stringAt(record, 'model')),
    },
  ];
}

function callOf(call: Json): ToolCall {
  const id = stringAt(call, 'id');
  return {
    ...(id === undefined ? {} : { id }),
    name: stringAt(call, 'name') ?? 'unknown',
    arguments: recordAt(call, 'args') ?? {},
  };
}

/** What came of a call; undefined where it had not ended. */
function resultOf(call: Json): Message | undefined {
  const { result, status } = call;
  const isError = status === 'error' || status === 'cancelled';
  if ((result === undefined || result === null) && !isError) return undefined;
  const id = stringAt(call, 'id');
  const parts = Array.isArray(result) ? (result as readonly unknown[]) : [result ?? status];
  const content = partsOf(parts.map(responseOf));
  return {
    role: 'tool',
    ...(id === undefined ? {} : { toolCallId: id }),
    name: stringAt(call, 'name') ?? 'unknown',
    content,
    ...(isError ? { isError } : {}),
  };
}

/** What a tool gave, where a part is its response. */
function responseOf(part: unknown): unknown {
  const answer = isJson(part) ? recordAt(part, 'functionResponse') : undefined;
  if (answer === undefined) return part;
  const response = recordAt(answer, 'response') ?? {};
  return stringAt(response, 'output') ?? stringAt(response, 'error') ?? JSON.stringify(response);
}
