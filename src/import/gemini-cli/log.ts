import { abandonedSkip, knownPassage, stepsOfPassages, type Passage } from '../source/passage.ts';
import { isBlank, recordAt, recordsAt, stringAt, toRecord, type Json } from '../source/record.ts';
import type { ReadOptions, Source, Step } from '../source/step.ts';
import { unreadLimit } from '../source/unread.ts';
import { messageSteps } from './message.ts';
import { sessionFields, type SessionFields } from './session-fields.ts';

// A log of Gemini CLI is a list of changes. A message is written again, whole, each time its calls come further: the
// last line of its id counts, in the place of the first. `$rewindTo` takes back a message and all behind it. A `$set`
// with messages is what the model was given from then on; those of them that stand nowhere else are told, too.
//
//   {"sessionId":"…","projectHash":"…","startTime":"…"}
//   {"id":"m1","type":"user","content":[{"text":"…"}]}
//   {"id":"m2","type":"gemini","content":"","toolCalls":[…]}
//   {"$set":{"lastUpdated":"…"}}

/** The lines of a log that count. */
interface LogOutline {
  readonly session: SessionFields;
  readonly skips: readonly Step[];
  /** The line of each message, by its id, in their order. */
  readonly messages: ReadonlyMap<string, number>;
}

/** The steps of a log. */
export async function* logSteps(source: Source, options: ReadOptions): AsyncIterable<Step> {
  const { session, skips, messages } = await outlineOf(source, options.signal);
  yield { type: 'session', ...session };
  const passages = [...messages].map(([id, line]): Passage => {
    const toSteps: Passage['toSteps'] = ([found]) => {
      const record = found === undefined ? undefined : messageIn(toRecord(found.text), id);
      return record === undefined ? [] : messageSteps(record, { line, noun: `message ${id}` });
    };
    return { lines: [line], toSteps };
  });
  yield* stepsOfPassages(source, [...skips.map(knownPassage), ...passages], options);
}

async function outlineOf(source: Source, signal?: AbortSignal): Promise<LogOutline> {
  let fields: Json = {};
  let first = '';
  const skips: Step[] = [];
  const messages = new Map<string, number>();
  const note = unreadLimit(source, 'gemini-cli');
  for await (const { text, line } of source.lines(signal)) {
    if (isBlank(text)) continue;
    first ||= text;
    const record = toRecord(text);
    note(typeof record !== 'string');
    if (typeof record === 'string') {
      skips.push({ type: 'skip', line, reason: record });
      continue;
    }
    const target = stringAt(record, '$rewindTo');
    const id = stringAt(record, 'id');
    if (target !== undefined) skips.push(...rewound(messages, target, line));
    else if (id !== undefined) messages.set(id, line);
    else {
      const patch = recordAt(record, '$set') ?? record;
      for (const one of recordsAt(patch, 'messages')) {
        const known = stringAt(one, 'id');
        if (known !== undefined && !messages.has(known)) messages.set(known, line);
      }
      fields = { ...fields, ...patch };
    }
  }
  return { session: sessionFields(fields, first), skips, messages };
}

/** Takes back a message and all behind it, or all where it is not known; says how many. */
function rewound(messages: Map<string, number>, target: string, line: number): readonly Step[] {
  const ids = [...messages.keys()];
  const gone = ids.slice(Math.max(0, ids.indexOf(target)));
  for (const id of gone) messages.delete(id);
  return gone.length === 0 ? [] : [abandonedSkip(line, gone.length)];
}

/** The message of an id that a line holds, by itself or in a `$set`. */
function messageIn(record: Json | string, id: string): Json | undefined {
  if (typeof record === 'string') return undefined;
  if (stringAt(record, 'id') === id) return record;
  const patch = recordAt(record, '$set') ?? record;
  return recordsAt(patch, 'messages').find((one) => stringAt(one, 'id') === id);
}
