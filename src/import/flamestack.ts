import { checkGoal, type Goal } from '../core/frames/goal.ts';
import { checkMessage } from '../core/messages/message.ts';
import { fail, isEngineError } from '../core/values/error.ts';
import { headRecords } from './source/head.ts';
import { unreadLimit } from './source/unread.ts';
import { lineKey, toSession } from './source/key.ts';
import { isBlank, stringAt, stringsAt, toRecord, toTime, type Json } from './source/record.ts';
import type { Importer, SourceLine, StepOrigin, ReadOptions, Source, Step } from './source/step.ts';

// A session script is a step per line, after one line that says what it is:
//
//   {"type":"flamestack","version":1,"id":"notes-app","system":"…","title":"…"}
//   {"type":"goal","description":"…"}
//   {"type":"append","message":{"role":"user","content":"…"},"at":1767225600000}
//   {"type":"push","title":"…","criteria":"…"}
//   {"type":"pop","status":"completed","results":"…"}
//
// What `export` writes has more: `window` and `model` in the first line, all of a goal, a
// `name` for each frame, and `edit` and `retry` lines.

/** The version that this reads. */
const version = 1;

/** Session scripts of our own: what tests, examples and exports are written in. */
export const flamestack: Importer = {
  format: 'flamestack',
  signs: 'a first line of type "flamestack"',
  detect: (head) => headRecords(head).some(({ type }) => type === 'flamestack'),
  read,
};

async function* read(source: Source, options: ReadOptions = {}): AsyncIterable<Step> {
  let isBegun = false;
  const note = unreadLimit(source, 'flamestack');
  for await (const line of source.lines(options.signal)) {
    if (isBlank(line.text)) continue;
    const record = toRecord(line.text);
    if (!isBegun) yield sessionOf(record, line.text);
    const isHeader = typeof record !== 'string' && record['type'] === 'flamestack';
    const wrong = isHeader ? headerFault(record, isBegun) : undefined;
    isBegun = true;
    note(typeof record !== 'string' && wrong === undefined);
    if (typeof record === 'string') yield { type: 'skip', line: line.line, reason: record };
    else if (wrong !== undefined) yield { type: 'skip', line: line.line, reason: wrong };
    else if (!isHeader) yield stepOf(record, line);
    options.onBytes?.(line.end);
  }
  if (!isBegun) yield sessionOf('empty', '');
}

function sessionOf(record: Json | string, seed: string): Step {
  const header = typeof record === 'string' || record['type'] !== 'flamestack' ? {} : record;
  const system = stringAt(header, 'system');
  const title = stringAt(header, 'title');
  const [model, provider] = [stringAt(header, 'model'), stringAt(header, 'provider')];
  const { window, reserve, markers } = header;
  const isSize = (size: unknown): size is number => Number.isInteger(size) && Number(size) >= 0;
  return {
    type: 'session',
    id: toSession(stringAt(header, 'id'), seed),
    ...(system === undefined ? {} : { system }),
    // One that is only the id names nothing where the session is taken in under another.
    ...(title === undefined || title === header['id'] ? {} : { title }),
    ...(isSize(window) ? { window } : {}),
    ...(isSize(reserve) ? { reserve } : {}),
    ...(typeof markers === 'boolean' ? { markers } : {}),
    ...(model === undefined || model === '' ? {} : { model }),
    ...(provider === undefined || provider === '' ? {} : { provider }),
    ...stringsAt(header, {
      folder: 'folder',
      branch: 'branch',
      agent: 'agent',
      parent: 'parent',
    }),
  };
}

function headerFault(header: Json, isBegun: boolean): string | undefined {
  if (isBegun) return 'a second header';
  if (header['version'] === version) return undefined;
  return `version ${JSON.stringify(header['version']) ?? 'missing'}; this reads version ${version}`;
}

/** The error of a line that makes no step. */
const fault = (reason: string): Error => fail('MESSAGE_INVALID', reason, { field: 'line' });

function stepOf(record: Json, { text, line }: SourceLine): Step {
  try {
    const at = timeAt(record);
    const key = stringAt(record, 'key') ?? lineKey(line, text);
    return toStep(record, { key, line, ...(at === undefined ? {} : { at }) });
  } catch (error) {
    if (!isEngineError(error, 'MESSAGE_INVALID')) throw error;
    const opens = ['push', 'start', 'retry'].includes(String(record['type']));
    return { type: 'skip', line, reason: error.message, ...(opens ? { opens } : {}) };
  }
}

function toStep(record: Json, place: StepOrigin): Step {
  const { type } = record;
  switch (type) {
    case 'append':
    case 'left':
      return { type, message: checkMessage(record['message']), ...place };
    case 'push':
      return { type, ...frameFields(record), ...optionalText(record, 'name'), ...place };
    case 'plan': {
      const parent = optionalText(record, 'parent');
      return { type, ...frameFields(record), name: textAt(record, 'name'), ...parent, ...place };
    }
    case 'edit':
      return { type, ...frameFields(record), name: textAt(record, 'name'), ...place };
    case 'retry':
      return { type, name: textAt(record, 'name'), of: textAt(record, 'of'), ...place };
    case 'start':
      return { type, name: textAt(record, 'name'), ...place };
    case 'pop':
      return popOf(record, place);
    case 'invalidate':
      return {
        type,
        ...optionalText(record, 'name'),
        reason: anyTextAt(record, 'reason'),
        ...place,
      };
    case 'goal':
      return { type, description: textAt(record, 'description'), ...goalOf(record), ...place };
    default:
      throw fault(
        typeof type === 'string' ? `unknown step "${type.slice(0, 40)}"` : 'has no "type"',
      );
  }
}

function popOf(record: Json, place: StepOrigin): Step {
  const { status, drop } = record;
  if (status !== 'completed' && status !== 'failed' && status !== 'blocked')
    throw fault('field "status" is not completed, failed or blocked');
  if (drop !== undefined && typeof drop !== 'boolean')
    throw fault('field "drop" is not true or false');
  return {
    type: 'pop',
    ...optionalText(record, 'name'),
    status,
    ...optionalText(record, 'results'),
    ...optionalText(record, 'brief'),
    ...optionalList(record, 'artifacts'),
    ...optionalList(record, 'decisions'),
    ...(drop === undefined ? {} : { drop }),
    ...place,
  };
}

/** Title and criteria of a frame. */
function frameFields(record: Json): {
  readonly title: string;
  readonly criteria: string;
  readonly brief?: string;
} {
  const title = textAt(record, 'title');
  return { title, criteria: anyTextAt(record, 'criteria'), ...optionalText(record, 'brief') };
}

/** A goal with more than its description. */
function goalOf(record: Json): { readonly goal?: Goal } {
  const fields = Object.entries(record).filter(([name]) => !['type', 'key', 'at'].includes(name));
  if (fields.length === 1) return {};
  try {
    return { goal: checkGoal(Object.fromEntries(fields) as unknown as Goal) };
  } catch (error) {
    if (!isEngineError(error)) throw error;
    throw fault(error.message);
  }
}

/** A text that may be empty, as it is in a session that was exported. */
function anyTextAt(record: Json, field: string): string {
  const value = record[field];
  return typeof value === 'string' ? value : textAt(record, field);
}

function textAt(record: Json, field: string): string {
  const value = record[field];
  if (typeof value === 'string' && !isBlank(value)) return value;
  throw fault(value === undefined ? `has no "${field}"` : `field "${field}" is not text`);
}

function optionalText<F extends string>(record: Json, field: F): { readonly [K in F]?: string } {
  const value = record[field];
  if (value === undefined) return {};
  if (typeof value !== 'string') throw fault(`field "${field}" is not text`);
  return { [field]: value } as { readonly [K in F]?: string };
}

function optionalList<F extends string>(
  record: Json,
  field: F,
): { readonly [K in F]?: readonly string[] } {
  const value = record[field];
  if (value === undefined) return {};
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw fault(`field "${field}" is not a list of texts`);
  return { [field]: value } as unknown as { readonly [K in F]?: readonly string[] };
}

function timeAt(record: Json): number | undefined {
  const time = toTime(record['at']);
  if (time === undefined && record['at'] !== undefined) throw fault('field "at" is not a time');
  return time;
}
