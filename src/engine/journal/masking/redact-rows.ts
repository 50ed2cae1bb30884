import type { Checkpoint } from '../../../core/checkpoints/checkpoint.ts';
import { embedded } from '../../../core/budget/options.ts';
import { mask, redactedMessage, textsWithin } from '../../../core/messages/redacted-message.ts';
import type { Fact } from '../../../core/state/fact.ts';
import type { KeptLine } from '../../../core/chronicle/chronicle.ts';
import type { State } from '../../../core/state/state.ts';
import { searchSecret, type Mask, type SecretSearch } from '../../../core/text/redaction.ts';
import { entryId, ordinal, type EntryId } from '../../../core/values/id.ts';
import { parseEntryKey, sessionKey, sessionRange, textKey } from '../../../store/key.ts';
import type { Change, RecordKind, RecordStore } from '../../../store/store.ts';
import type { EntryRow } from '../load.ts';
import { foldRecord } from '../fold.ts';
import { maskedRow, maskedText, maskedValue } from './masked-row.ts';
import { rowsPastDamage } from '../../../store/past-damage.ts';
import { readHeader } from '../sessions/session-header.ts';
import { decodeRecord } from '../state-codec.ts';

// What an entry says is taken out of all rows of its session, row by row: a second time it changes
// nothing, so a redaction that was broken off is done again from its beginning. Entries
// are never masked: what another one says stays, and is what makes a word nobody's secret.

/** Rows of a batch, and their texts' length, in UTF-16 units. */
const mostRows = 256;
const mostText = 1 << 20;

/** What a system prompt is called among those that repeat a text. */
export const systemPrompt = 'system';

/** Looks for what of an entry stands in no other entry of its session and in no system prompt. */
export async function searchLog(
  store: RecordStore,
  session: string,
  { n, row }: { readonly n: number; readonly row: EntryRow },
): Promise<SecretSearch> {
  const search = searchSecret(textsWithin(row.message));
  for await (const { key, value } of rowsPastDamage(store, 'entry', sessionRange(session))) {
    const other = value as EntryRow | undefined;
    if (other === undefined || other.redacted !== undefined) continue;
    const at = parseEntryKey(key).n;
    if (at === n) continue;
    for (const text of textsWithin(other.message)) search.keep(text, entryId(at));
  }
  for await (const { facts } of recordsOf(store, session))
    for (const fact of facts)
      if (fact.type === 'session.created' || fact.type === 'options.changed')
        search.keep(fact.options.system, systemPrompt);
  return search;
}

/** Checkpoints and frames that may tell of an entry in words of somebody's own: a model wrote them, or a host. */
export async function retellingsOf(
  store: RecordStore,
  session: string,
  { n, frame }: { readonly n: number; readonly frame: string },
): Promise<readonly string[]> {
  const covering = new Set([frame]);
  const retellings = new Set<string>();
  for await (const { facts } of recordsOf(store, session))
    for (const fact of facts) {
      const checkpoint = madeIn(fact);
      if (checkpoint !== null && ordinal(checkpoint.from) <= n && ordinal(checkpoint.to) >= n)
        covering.add(checkpoint.id);
      const authored = writtenIn(fact);
      if (authored !== null && authored.by !== undefined && authored.by !== embedded)
        retellings.add(authored.id);
    }
  return [...retellings].filter((id) => covering.has(id));
}

/** The checkpoint that a fact makes; null for none. */
function madeIn(fact: Fact): Checkpoint | null {
  if (fact.type === 'checkpoint.created') return fact.checkpoint;
  return fact.type === 'checkpoint.merged' ? fact.into : null;
}

/** The checkpoint or frame that a fact gives a text, and who wrote that; null for none. */
function writtenIn(fact: Fact): { readonly id: string; readonly by?: string | undefined } | null {
  const checkpoint = madeIn(fact);
  if (checkpoint !== null) return checkpoint;
  if (fact.type === 'checkpoint.aged' || fact.type === 'checkpoint.raised')
    return { id: fact.checkpoint, by: fact.by };
  if (fact.type === 'checkpoint.rewritten') return { id: fact.checkpoint, by: fact.rewrite.by };
  if (fact.type === 'frame.popped') return { id: fact.frame, by: fact.results.by };
  return fact.type === 'frame.described' ? { id: fact.frame, by: fact.by } : null;
}

/** What goes through the rows of a session, for which entry. */
export interface Masking {
  readonly entry: EntryId;
  readonly mask: Mask;
  /** Texts after this one are as they are to be; left out where all are masked. */
  readonly texts?: number;
}

/** Masks what was told of an entry in all rows of its session but the entries; gives how many were changed. */
export async function maskRows(
  store: RecordStore,
  session: string,
  { entry, mask, texts }: Masking,
): Promise<number> {
  const last = texts === undefined ? null : textKey(session, texts);
  const own = await ownTexts(store, session, entry);
  let rows = 0;
  let batch: Change[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await store.commit(batch);
    [batch, size] = [[], 0];
  };
  for (const kind of masked)
    for await (const { key, value, error } of rowsPastDamage(store, kind, sessionRange(session))) {
      if (error !== undefined || (kind === 'text' && last !== null && key > last)) continue;
      const next =
        kind === 'text'
          ? maskedBody(value as string, { own: own.get(key), mask })
          : maskedRow(kind, value, mask);
      if (next === value) continue;
      rows += 1;
      size += JSON.stringify(next).length;
      batch.push({ type: 'put', kind, key, value: next });
      if (batch.length >= mostRows || size >= mostText) await flush();
    }
  const header = await readHeader(store, session);
  const next = header && maskedValue(header, mask);
  if (next !== header) {
    rows += 1;
    batch.push({ type: 'put', kind: 'session', key: sessionKey(session), value: next });
  }
  await flush();
  return rows;
}

/** The kinds of rows that hold what was made of entries. */
const masked: readonly RecordKind[] = ['journal', 'text', 'state', 'chunk', 'key'];

/** What of a stored text is of one entry alone: it is the entry shortened, or another one; or some of its rows tell of it. */
export type OwnText = 'short' | 'other' | ReadonlySet<number>;

/** What of stored texts is of one entry alone, by their keys. */
async function ownTexts(
  store: RecordStore,
  session: string,
  entry: EntryId,
): Promise<ReadonlyMap<string, OwnText>> {
  const own = new Map<string, 'short' | 'other' | Set<number>>();
  const n = ordinal(entry);
  const add = (lines: readonly KeptLine[]): void => {
    for (const { source, row } of linesOf(lines, n)) {
      const key = textKey(session, ordinal(source));
      const known = own.get(key);
      if (known instanceof Set) known.add(row);
      else own.set(key, new Set([row]));
    }
  };
  let isGathered = false;
  for await (const { facts } of recordsOf(store, session))
    for (const fact of facts)
      if (fact.type === 'chronicle.written') add(fact.lines);
      else if (fact.type === 'chronicle.gathered') isGathered = true;
      else if (fact.type === 'entry.appended' || fact.type === 'entry.shortened')
        if (fact.text !== undefined)
          own.set(textKey(session, ordinal(fact.text)), fact.entry === entry ? 'short' : 'other');
  let state: State | null = null;
  // Which rows those are where lines were gathered, only the state knows.
  if (isGathered)
    for await (const record of recordsOf(store, session)) {
      state = foldRecord(state, record);
      if (record.facts.some(({ type }) => type === 'chronicle.gathered'))
        add(state.chronicle.lines);
    }
  return own;
}

/** The lines that tell of one entry alone. */
export const linesOf = (lines: readonly KeptLine[], n: number): readonly KeptLine[] =>
  lines.filter((line) => line.n === n && line.to === n);

/** A stored text without what was told of an entry. */
export function maskedBody(
  text: string,
  { own, mask: masked }: { readonly own: OwnText | undefined; readonly mask: Mask },
): string {
  if (own === 'other') return text;
  if (own === 'short')
    return JSON.stringify(redactedMessage(JSON.parse(text) as EntryRow['message']));
  if (own === undefined) return maskedText(text, masked);
  const rows = text.split('\n').map((row, at) => (own.has(at) ? mask : row));
  return maskedText(rows.join('\n'), masked);
}

async function* recordsOf(
  store: RecordStore,
  session: string,
): AsyncGenerator<ReturnType<typeof decodeRecord>> {
  for await (const { value, error } of rowsPastDamage(store, 'journal', sessionRange(session)))
    if (error === undefined) yield decodeRecord(value);
}
