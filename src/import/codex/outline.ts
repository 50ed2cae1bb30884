import { isHuman } from '../../core/messages/message.ts';
import { toSession } from '../source/key.ts';
import { unreadLimit } from '../source/unread.ts';
import { abandonedSkip } from '../source/passage.ts';
import { isBlank, recordAt, stringAt, stringsAt, toRecord, type Json } from '../source/record.ts';
import type { Source, Step } from '../source/step.ts';
import { callIdOf, replacementOf, textOfItem, userItem } from './message.ts';
import { itemKindOf, rolloutOf, type CodexItemKind } from './record.ts';

// The items of one answer stand on lines of their own, with events of the
// screen between them; a result of the answer's calls ends it. A hook may speak
// before the result of the call that woke it: what it said is told after that.
//
//   reasoning · message · call a · hook · call b · result a · result b
//   └───────────────────── one unit, then its results, then the hook
//
// A compaction takes nothing away, for what came before it is all there. Only
// where nothing was told yet it stands for lines that the file does not have.
// A rollback takes back the newest turns, each from what a person typed.

/** Lines whose steps come together. */
export interface LineGroup {
  readonly making: Exclude<CodexItemKind, 'nothing'> | 'compacted';
  /** Their numbers, growing. */
  readonly lines: number[];
  /** Whether a person typed something in it. */
  readonly isTyped: boolean;
  /** The model that was set for its turn, of an answer. */
  readonly model?: string | undefined;
}

/** A group of lines, or a skip that is already known. */
export type CodexBlock = LineGroup | Extract<Step, { type: 'skip' }>;

/** The outline that a first reading of a rollout makes. */
interface CodexOutline {
  readonly spots: readonly CodexBlock[];
  readonly id?: string;
  readonly title?: string;
  readonly place: { readonly folder?: string; readonly branch?: string; readonly parent?: string };
  readonly system?: string;
  /** Who serves the models. */
  readonly provider?: string;
  /** The first line's text. */
  readonly first: string;
}

interface CodexOutlineDraft {
  spots: CodexBlock[];
  /** The calls of the latest answer that wait for results, and the place of the group that takes these. */
  waiting: { readonly calls: Set<string>; place: number } | undefined;
  /** The answer that is not complete yet, and the lines of its calls. */
  answer: { readonly unit: LineGroup; readonly calls: Map<string, number> } | undefined;
  meta?: Json;
  /** The model that the newest settings name. */
  model?: string | undefined;
  /** Whether the session is a subagent's, in which no person types. */
  isChild: boolean;
  title?: string;
  first?: string;
  /** The first prompt that stands as an item. */
  prompt?: { readonly unit: LineGroup; readonly text: string };
}

/** Reads `source` once. */
export async function outlineOf(source: Source, signal?: AbortSignal): Promise<CodexOutline> {
  const draft: CodexOutlineDraft = {
    spots: [],
    waiting: undefined,
    answer: undefined,
    isChild: false,
  };
  const note = unreadLimit(source, 'codex');
  for await (const { text, line } of source.lines(signal)) {
    if (isBlank(text)) continue;
    draft.first ??= text;
    const record = toRecord(text);
    const wrong = typeof record === 'string' ? record : noteRecord(draft, record, line);
    note(wrong === undefined);
    if (wrong !== undefined) draft.spots.push({ type: 'skip', line, reason: wrong });
  }
  return outlineFrom(draft);
}

function outlineFrom({
  spots,
  meta = {},
  title,
  first = '',
  prompt,
}: CodexOutlineDraft): CodexOutline {
  const id = stringAt(meta, 'id') ?? stringAt(meta, 'session_id');
  const base = baseOf(meta);
  const isTold = prompt !== undefined && spots.includes(prompt.unit);
  const system = base ?? (isTold ? prompt.text : undefined);
  return {
    spots: base === undefined && isTold ? spots.filter((spot) => spot !== prompt.unit) : spots,
    ...(id === undefined ? {} : { id }),
    ...(title === undefined ? {} : { title }),
    place: placeOf(meta),
    ...stringsAt(meta, { provider: 'model_provider' }),
    ...(system === undefined ? {} : { system }),
    first,
  };
}

/** Where the header says that the work was done, and for which session. */
function placeOf(meta: Json): CodexOutline['place'] {
  const source = recordAt(recordAt(meta, 'source') ?? {}, 'subagent') ?? {};
  const parent = stringAt(recordAt(source, 'thread_spawn') ?? {}, 'parent_thread_id');
  return {
    ...stringsAt(meta, { folder: 'cwd' }),
    ...stringsAt(recordAt(meta, 'git') ?? {}, { branch: 'branch' }),
    ...(parent === undefined ? {} : { parent: toSession(parent, '') }),
  };
}

/** The prompt that a header carries; `instructions` of old are the person's, and stand among the items. */
function baseOf(meta: Json): string | undefined {
  const instructions = recordAt(meta, 'base_instructions') ?? { text: meta['base_instructions'] };
  const text = stringAt(instructions, 'text');
  return text === undefined || isBlank(text) ? undefined : text;
}

/** Adds one line to the outline; gives back its fault, if it has one. */
function noteRecord(draft: CodexOutlineDraft, record: Json, line: number): string | undefined {
  const rollout = rolloutOf(record);
  if (typeof rollout === 'string') return rollout;
  switch (rollout.kind) {
    case 'meta':
      noteMeta(draft, rollout.payload);
      return undefined;
    case 'item':
      return noteItem(draft, rollout.payload, line);
    case 'compacted':
      draft.answer = undefined;
      noteCompaction(draft, rollout.payload, line);
      return undefined;
    case 'event':
      return noteEvent(draft, rollout.payload, line);
    case 'turn':
      draft.answer = undefined;
      draft.model = stringAt(rollout.payload, 'model') ?? draft.model;
      return undefined;
    case 'note':
      return undefined;
  }
}

/** Adds a header: the first is the file's own, later ones are those of sessions that lines were copied from. */
function noteMeta(draft: CodexOutlineDraft, meta: Json): void {
  draft.isChild = 'subagent' in (recordAt(meta, 'source') ?? {});
  draft.meta ??= meta;
}

function noteItem(draft: CodexOutlineDraft, item: Json, line: number): string | undefined {
  const itemKind = itemKindOf(item);
  if (typeof itemKind === 'string') return itemKind;
  const making = draft.isChild && itemKind.making === 'text' ? 'machine' : itemKind.making;
  if (making === 'nothing') return undefined;
  if (making === 'assistant') return noteAnswer(draft, item, line);
  if (making === 'result') noteResult(draft, item, line);
  else noteText(draft, { making, lines: [line], isTyped: isTypedItem(making, item) }, item);
  return undefined;
}

/** Adds text; text that a person typed ends the answer and the wait for results. */
function noteText(draft: CodexOutlineDraft, unit: LineGroup, item: Json): void {
  if (unit.isTyped) draft.waiting = undefined;
  if ((draft.waiting?.calls.size ?? 0) === 0) draft.answer = undefined;
  draft.spots.push(unit);
  const text = unit.making === 'system' ? textOfItem(item) : '';
  if (!isBlank(text)) draft.prompt ??= { unit, text };
}

function isTypedItem(making: CodexItemKind, item: Json): boolean {
  return making === 'text' && userItem(item).some(isHuman);
}

function noteAnswer(draft: CodexOutlineDraft, item: Json, line: number): string | undefined {
  const call = callIdOf(item);
  const same = call === undefined ? undefined : draft.answer?.calls.get(call);
  if (same !== undefined) return `repeats the call of line ${same}`;
  if (draft.answer === undefined) {
    const { model } = draft;
    const unit: LineGroup = { making: 'assistant', lines: [], isTyped: false, model };
    draft.spots.push(unit);
    draft.answer = { unit, calls: new Map() };
    draft.waiting = { calls: new Set(), place: draft.spots.length };
  }
  draft.answer.unit.lines.push(line);
  if (call === undefined) return undefined;
  draft.answer.calls.set(call, line);
  draft.waiting?.calls.add(call);
  return undefined;
}

function noteResult(draft: CodexOutlineDraft, item: Json, line: number): void {
  draft.answer = undefined;
  const { spots, waiting } = draft;
  const unit: LineGroup = { making: 'result', lines: [line], isTyped: false };
  const call = stringAt(item, 'call_id');
  if (waiting === undefined || call === undefined || !waiting.calls.delete(call)) spots.push(unit);
  else {
    spots.splice(waiting.place, 0, unit);
    waiting.place += 1;
  }
}

function noteCompaction(draft: CodexOutlineDraft, payload: Json, line: number): void {
  if (draft.spots.some(isUnit)) return;
  const isTyped = replacementOf(payload).some((item) => {
    const itemKind = itemKindOf(item);
    return typeof itemKind !== 'string' && isTypedItem(itemKind.making, item);
  });
  draft.spots.push({ making: 'compacted', lines: [line], isTyped });
}

function noteEvent(draft: CodexOutlineDraft, event: Json, line: number): string | undefined {
  const { type } = event;
  if (typeof type !== 'string') return 'its event has no "type"';
  const name = type === 'thread_name_updated' ? stringAt(event, 'thread_name') : undefined;
  if (name !== undefined && !isBlank(name)) draft.title = name;
  const turns = event['num_turns'];
  if (type !== 'thread_rolled_back') return undefined;
  if (typeof turns !== 'number' || !(turns >= 1)) return 'rolls back no "num_turns"';
  rollBack(draft, turns, line);
  return undefined;
}

/** Takes back the newest turns; a skip in their place says how many messages they had. */
function rollBack(draft: CodexOutlineDraft, turns: number, line: number): void {
  const typed = draft.spots.flatMap((spot, at) => (isUnit(spot) && spot.isTyped ? [at] : []));
  const from = typed[Math.max(0, typed.length - Math.floor(turns))];
  draft.answer = undefined;
  draft.waiting = undefined;
  if (from === undefined) return;
  const tail = draft.spots.slice(from);
  const left = tail.filter(isUnit);
  const skips = tail.filter((spot) => !isUnit(spot));
  draft.spots = [
    ...draft.spots.slice(0, from),
    abandonedSkip(left[0]?.lines[0] ?? line, left.length),
    ...skips,
  ];
}

/** Whether a block is a group of lines. */
export function isUnit(spot: CodexBlock): spot is LineGroup {
  return 'making' in spot;
}
