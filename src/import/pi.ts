import { faultOf, messagesOf, promptOf } from './pi-message.ts';
import { branchesBeside, pathTo, type ParentLink } from './source/branch.ts';
import { unreadLimit } from './source/unread.ts';
import { headRecords } from './source/head.ts';
import { lineKey, toSession } from './source/key.ts';
import {
  abandonedSkip,
  appendAll,
  knownPassage,
  stepsOfPassages,
  type Passage,
} from './source/passage.ts';
import {
  isBlank,
  recordAt,
  stringAt,
  stringsAt,
  toRecord,
  toTime,
  type Json,
} from './source/record.ts';
import type { Importer, SourceLine, ReadOptions, Source, Step } from './source/step.ts';
import { toTitle } from './source/title.ts';

// pi writes one entry per line. Version 1 is a plain list; from version 2 on
// entries carry `id` and `parentId` and form a tree, whose last entry is the
// leaf in use. Entries without ids continue the line before them, so that one
// reading serves all versions. Compactions and branch summaries are not told:
// the messages that they stand for are all there.

/** Session files of the pi coding agent, versions 1 to 3. */
export const pi: Importer = {
  format: 'pi',
  signs: 'a first line of type "session", or lines of type "message" that hold one',
  detect: (head) => headRecords(head).some(isEntry),
  read,
};

function isEntry(record: Json): boolean {
  if (record['type'] === 'session') return typeof record['id'] === 'string';
  if (record['type'] !== 'message' || 'uuid' in record || 'sessionId' in record) return false;
  return typeof recordAt(record, 'message')?.['role'] === 'string';
}

async function* read(source: Source, options: ReadOptions = {}): AsyncIterable<Step> {
  const outline = await outlineOf(source, options.signal);
  const { id, title, place } = outline;
  const [prompt] = outline.prompts;
  let system: string | undefined;
  if (prompt !== undefined)
    for await (const { text } of source.pick([prompt], options.signal)) system = promptOf(text);
  yield {
    type: 'session',
    id,
    ...(system === undefined ? {} : { system }),
    ...(title === undefined ? {} : { title }),
    ...place,
  };
  yield* stepsOfPassages(source, passagesOf(outline, prompt), options);
}

/** An entry of the file, as far as its place in the tree. */
interface PiEntry extends ParentLink {
  /** How many messages it makes. */
  readonly messages: number;
}

interface PiOutline {
  id: string;
  title?: string;
  place: { readonly folder?: string };
  readonly entries: Map<string, PiEntry>;
  readonly skips: Step[];
  /** Lines of system prompts on the branch in use. */
  prompts: readonly number[];
  last?: PiEntry;
}

async function outlineOf(source: Source, signal?: AbortSignal): Promise<PiOutline> {
  const outline: PiOutline = { id: '', place: {}, entries: new Map(), skips: [], prompts: [] };
  const prompts: PiEntry[] = [];
  let first: string | undefined;
  const note = unreadLimit(source, 'pi');
  for await (const { text, line } of source.lines(signal)) {
    if (isBlank(text)) continue;
    first ??= text;
    const record = toRecord(text);
    const wrong = typeof record === 'string' ? record : faultOf(record);
    note(wrong === undefined);
    if (typeof record === 'string' || wrong !== undefined) {
      outline.skips.push({ type: 'skip', line, reason: wrong ?? '' });
      continue;
    }
    if (record['type'] === 'session') {
      outline.id ||= stringAt(record, 'id') ?? '';
      outline.place = { ...stringsAt(record, { folder: 'cwd' }), ...outline.place };
    }
    retitle(outline, record);
    if (record['type'] === 'session' || !addEntry(outline, record, line)) continue;
    if (recordAt(record, 'message')?.['role'] === 'system' && outline.last)
      prompts.push(outline.last);
  }
  outline.id = toSession(outline.id, first ?? '');
  const path = pathTo(outline.last, outline.entries);
  outline.prompts = prompts.filter(({ id }) => path.has(id)).map(({ line }) => line);
  return outline;
}

/** Where each type of entry that names the session has the name; "title" is that of Oh My Pi. */
const namedBy: ReadonlyMap<unknown, string> = new Map([
  ['session_info', 'name'],
  ['title', 'title'],
]);

/** Takes the name that an entry gives the session, if it gives one: the newest counts. */
function retitle(outline: PiOutline, record: Json): void {
  const name = stringAt(record, namedBy.get(record['type']) ?? '');
  if (name !== undefined && !isBlank(name)) outline.title = toTitle(name);
}

/** Hangs an entry into the tree; a second one of the same id is reported and left out. */
function addEntry(outline: PiOutline, record: Json, line: number): boolean {
  const { entries, last, skips } = outline;
  const id = stringAt(record, 'id') ?? `line ${line}`;
  const same = entries.get(id);
  if (same !== undefined) {
    skips.push({ type: 'skip', line, reason: `repeats line ${same.line}` });
    return false;
  }
  const named = record['parentId'];
  const isKnown = named === null || (typeof named === 'string' && entries.has(named));
  const parent = isKnown ? named : (last?.id ?? null);
  outline.last = { line, id, parent, messages: messagesOf(record).length };
  entries.set(id, outline.last);
  return true;
}

function passagesOf(outline: PiOutline, prompt: number | undefined): readonly Passage[] {
  const { entries, last, skips } = outline;
  const path = pathTo(last, entries);
  const placed: { readonly line: number; readonly passage: Passage }[] = [];
  for (const step of skips)
    if (step.type === 'skip') placed.push({ line: step.line, passage: knownPassage(step) });
  for (const branch of branchesBeside(entries.values(), path)) {
    const talk = branch.filter(({ messages }) => messages > 0);
    const line = branch[0]?.line ?? 0;
    if (talk.length > 0)
      placed.push({ line, passage: knownPassage(abandonedSkip(line, talk.length)) });
  }
  for (const { id, line, messages } of entries.values())
    if (path.has(id) && messages > 0 && line !== prompt)
      placed.push({ line, passage: { lines: [line], toSteps: lineSteps } });
  return placed.sort((a, b) => a.line - b.line).map(({ passage }) => passage);
}

function* lineSteps([line]: readonly SourceLine[]): Generator<Step> {
  const record = line === undefined ? 'gone' : toRecord(line.text);
  if (line === undefined || typeof record === 'string') return;
  const key = stringAt(record, 'id') ?? lineKey(line.line, line.text);
  const at = toTime(record['timestamp']) ?? toTime(recordAt(record, 'message')?.['timestamp']);
  yield* appendAll(messagesOf(record), { key, line: line.line, at });
}
