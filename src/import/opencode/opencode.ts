import { piecesOf, type Piece } from '../source/document.ts';
import { openFragments } from '../source/fragments.ts';
import { fieldsOf } from '../source/head.ts';
import { hashOf, toSession } from '../source/key.ts';
import { abandonedSkip, appendAll } from '../source/passage.ts';
import {
  isBlank,
  isJson,
  recordAt,
  stringAt,
  stringsAt,
  toRecord,
  type Json,
} from '../source/record.ts';
import type { Importer, ReadOptions, Source, Step } from '../source/step.ts';
import { toTitle } from '../source/title.ts';
import { faultOf, messagesOf } from './message.ts';

// An export is one object, `info` of the session and its `messages`. Subagents
// are sessions of their own, with a parent: what stands in the user role there
// was written by the agent that called them. A compaction takes nothing away;
// its summary is not told. What was reverted is abandoned.

/** Session exports of OpenCode. */
export const opencode: Importer = {
  format: 'opencode',
  signs: 'an object with `info` and with `messages` of `info` and `parts`',
  detect,
  read,
};

const nouns = { messages: 'message' } as const;

function detect(head: string): boolean {
  const fragments = openFragments(Object.keys(nouns));
  const found = fragments.push(head, 1);
  const info = found.find(({ kind, name }) => kind === 'member' && name === 'info');
  const session = info === undefined ? 'none' : toRecord(info.text);
  if (typeof session !== 'string' && isSession(session)) return true;
  const { text } = found.find(({ kind }) => kind === 'item') ?? fragments.rest();
  return text.startsWith('{') && recordAt(fieldsOf(text), 'info')?.['sessionID'] !== undefined;
}

function isSession(info: Json): boolean {
  return typeof info['id'] === 'string' && ('projectID' in info || 'directory' in info);
}

async function* read(source: Source, options: ReadOptions = {}): AsyncIterable<Step> {
  const { info, id, system, first } = await headOf(source, options.signal);
  const title = stringAt(info, 'title');
  const parent = stringAt(info, 'parentID');
  yield {
    type: 'session',
    id: toSession(id, first),
    ...(system === undefined ? {} : { system }),
    ...(title === undefined || isBlank(title) ? {} : { title: toTitle(title) }),
    ...stringsAt(info, { folder: 'directory' }),
    ...(parent === undefined ? {} : { parent: toSession(parent, '') }),
  };
  const teller = messageReader(info);
  for await (const piece of piecesOf(source, nouns, options.signal)) {
    if (piece.kind === 'broken') yield { type: 'skip', line: piece.line, reason: piece.reason };
    if (piece.kind !== 'item') continue;
    yield* teller.tell(piece);
    options.onBytes?.(piece.end);
  }
  yield* teller.end();
  if (source.size !== undefined) options.onBytes?.(source.size);
}

/** Metadata of the session. */
interface SessionHead {
  readonly info: Json;
  readonly id?: string;
  /** The prompt, which only old exports carry. */
  readonly system?: string;
  /** The first message, for a session without an id. */
  readonly first: string;
}

/** Reads the whole file, for metadata may stand behind the messages. */
async function headOf(source: Source, signal?: AbortSignal): Promise<SessionHead> {
  let info: Json = {};
  let system: string | undefined;
  let session: string | undefined;
  let first: string | undefined;
  for await (const piece of piecesOf(source, nouns, signal)) {
    if (piece.kind === 'field' && piece.name === 'info' && isJson(piece.value)) info = piece.value;
    if (piece.kind !== 'item') continue;
    const message = recordAt(piece.record, 'info') ?? {};
    first ??= JSON.stringify(piece.record);
    session ??= stringAt(message, 'sessionID');
    system ??= promptOf(message);
  }
  const id = stringAt(info, 'id') ?? session;
  return {
    info,
    ...(id === undefined ? {} : { id }),
    ...(system === undefined ? {} : { system }),
    first: first ?? '',
  };
}

function promptOf({ system }: Json): string | undefined {
  const text = Array.isArray(system) ? system.filter(isText).join('\n\n') : system;
  return isText(text) && !isBlank(text) ? text : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';

type ItemPiece = Extract<Piece, { kind: 'item' }>;

interface MessageReader {
  tell(item: ItemPiece): Generator<Step>;
  /** Steps that are known only after the last message. */
  end(): Generator<Step>;
}

function messageReader(info: Json): MessageReader {
  const isChild = stringAt(info, 'parentID') !== undefined;
  const revert = recordAt(info, 'revert') ?? {};
  const seen = new Map<string, number>();
  const left: { line?: number; count: number } = { count: 0 };
  /** Whether a message was taken back; where the revert names a part, its own message stays. */
  const isLeft = (id: string | undefined, line: number): boolean => {
    const wasLeft = left.line !== undefined;
    const begins = id !== undefined && id === revert['messageID'];
    if (begins || wasLeft) left.line ??= line;
    return wasLeft || (begins && stringAt(revert, 'partID') === undefined);
  };
  return {
    *tell({ record, count, line }) {
      const id = stringAt(recordAt(record, 'info') ?? {}, 'id');
      const same = id === undefined ? undefined : seen.get(id);
      const repeats = same === undefined ? undefined : `repeats message ${same}`;
      const wrong = faultOf(record) ?? repeats;
      if (wrong !== undefined) {
        yield { type: 'skip', line, reason: `message ${count} ${wrong}` };
        return;
      }
      if (id !== undefined) seen.set(id, count);
      if (isLeft(id, line)) left.count += 1;
      else yield* messageSteps({ record, count, line }, { id, isChild });
    },
    *end() {
      if (left.line !== undefined && left.count > 0) yield abandonedSkip(left.line, left.count);
    },
  };
}

function* messageSteps(
  { record, count, line }: Pick<ItemPiece, 'record' | 'count' | 'line'>,
  { id, isChild }: { readonly id: string | undefined; readonly isChild: boolean },
): Generator<Step> {
  const key = id ?? `${count}-${hashOf(JSON.stringify(record))}`;
  for (const step of messagesOf(record, key, isChild)) {
    if ('reason' in step) yield { type: 'skip', line, reason: `message ${count}: ${step.reason}` };
    else yield* appendAll([step.message], { key: step.key, line, at: step.at });
  }
}
