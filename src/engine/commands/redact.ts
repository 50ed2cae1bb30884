import { strayMessage } from '../../core/assembly/assembly.ts';
import { redactedMessage } from '../../core/messages/redacted-message.ts';
import { countFor, messageTokens } from '../../core/messages/token-count.ts';
import { maskOf, type Mask, type SecretParts } from '../../core/text/redaction.ts';
import { entryId, ordinal, toEntryId, type EntryId, type TextId } from '../../core/values/id.ts';
import { entryKey, outboxKey } from '../../store/key.ts';
import { checkTables } from '../../store/level/damaged-tables.ts';
import type { RecordStore, Remains } from '../../store/store.ts';
import type { SessionEffects } from '../effects/effects.ts';
import { nextKeys, sealName, withoutFormer } from '../effects/documents/document-seal.ts';
import { machinesTelling } from '../journal/masking/machines-telling.ts';
import { redactDocuments } from '../effects/documents/redact-documents.ts';
import { newBodies, referencesOf, type BodyCache } from '../journal/body-cache.ts';
import { hydrate, type EntryRow } from '../journal/load.ts';
import { maskedValue } from '../journal/masking/masked-row.ts';
import { readEntry } from '../journal/read-log.ts';
import { identityHash } from '../journal/recorded-input.ts';
import {
  linesOf,
  maskedBody,
  maskRows,
  type Masking,
  searchLog,
  systemPrompt,
  retellingsOf,
  type OwnText,
} from '../journal/masking/redact-rows.ts';
import { decodeState, encodeState } from '../journal/state-codec.ts';
import { decided } from '../live/decided.ts';
import { exactCounter } from '../live/counting.ts';
import type { CommandSession, SessionWriter } from '../live/session-access.ts';
import type { SearchIndexes } from '../recall/search-indexes.ts';
import type { State } from '../../core/state/state.ts';

// One step puts `[redacted]` in place of an entry, begins an epoch, and owes the rest: its row in the
// outbox holds the words to be masked, so that whoever opens the store after a crash goes on. Rows
// are masked while the session waits, then documents; then the words go from the outbox, and at
// last the bytes of all that was written over, and the row.

/** What became of an entry whose text was taken out. */
export interface Redaction {
  readonly entry: string;
  /** Whether its text was out already. */
  readonly wasRedacted: boolean;
  /** Rows of the store beside its own in which text of it was masked; 0 where none says what it alone said, and where it was redacted before. */
  readonly masked: number;
  /** Files of checkpoint documents in which it was. */
  readonly documents: readonly string[];
  /** What may tell of it in other words: entries that repeat a part of it, and checkpoints and frames whose text a model or a host wrote. */
  readonly mayStillTell: readonly string[];
  /** What may hold its text still, and cannot be reached from here. */
  readonly left: readonly Remains[];
}

/** What a redaction still owes, as its row in the outbox says; without `parts` only bytes are left to go. */
interface Owed {
  readonly entry: EntryId;
  readonly parts?: SecretParts;
  /** The last text before the redaction; those after it were made of what was masked, and counted so. */
  readonly texts?: number;
}

/** What a redaction works with beside the session. */
interface RedactContext {
  readonly effects: Pick<SessionEffects, 'redactDocuments'>;
  readonly searches: SearchIndexes;
  /** Where checkpoint documents go; null for nowhere. */
  readonly documents: string | null;
}

/** What goes through the rows of a session for a redaction. */
const maskingOf = ({ entry, texts }: Owed, parts: SecretParts): Masking => ({
  entry,
  mask: maskOf(parts, entry),
  ...(texts !== undefined && { texts }),
});

/** The name of a redaction in the outbox. */
const nameOf = (entry: string): string => `redact ${entry}`;

/** Whether a row of the outbox owes a redaction. */
export const isRedaction = (name: string): boolean => name.startsWith('redact ');

/** Takes the text of an entry out for good, and masks what was made of it; throws `ENTRY_NOT_FOUND`, and `STORE_DAMAGED` where a table is, which cannot be written anew. Of one that is redacted, only what was broken off is done. */
export async function redact(
  session: CommandSession,
  context: RedactContext,
  id: string,
): Promise<Redaction> {
  const entry = toEntryId(id);
  await checkTables(session.store);
  const documents = new Set<string>();
  const { masked, retellings, wasRedacted, owed } = await decided(session, async (writer) => {
    await exactCounter(writer);
    await writer.written;
    const { retellings, wasRedacted } = await begin(writer, {
      entry,
      folder: context.documents,
      documents,
    });
    const owed = await owedFor(writer, entry);
    let masked = 0;
    if (owed?.parts !== undefined) {
      masked = await maskRows(writer.store, writer.id, maskingOf(owed, owed.parts));
      await context.searches.of(writer.id, writer.state.created).forgetFrom(ordinal(entry));
      await writer.reload();
    }
    return { masked, retellings, wasRedacted, owed, durable: writer.written };
  });
  const inDocuments = async (mask: Mask): Promise<void> =>
    (await context.effects.redactDocuments(mask)).forEach((file) => documents.add(file));
  const machines =
    owed?.parts === undefined
      ? []
      : await machinesTelling(session.store, maskOf(owed.parts, entry));
  const left = owed === undefined ? [] : await endRedaction(session, owed, inDocuments);
  return {
    entry,
    wasRedacted,
    masked,
    documents: [...documents],
    mayStillTell: retellings.filter((one) => one !== systemPrompt),
    left: [
      ...left,
      ...machines.map(inMachine),
      ...(retellings.includes(systemPrompt) ? [inPrompt] : []),
      ...(context.documents === null ? [unknownFolder] : []),
      ...always,
    ],
  };
}

/** What is owed of a redaction; undefined for nothing. */
const owedFor = async ({ store, id }: SessionWriter, entry: EntryId): Promise<Owed | undefined> =>
  (await store.get('outbox', outboxKey(id, nameOf(entry)))) as Owed | undefined;

/** Puts `[redacted]` in place of an entry, unless it stands there; gives what may tell of it. Documents go first: where it is broken off there, it can be asked for again. */
async function begin(
  writer: SessionWriter,
  target: {
    readonly entry: EntryId;
    readonly folder: string | null;
    readonly documents: Set<string>;
  },
): Promise<{ readonly retellings: readonly string[]; readonly wasRedacted: boolean }> {
  const { store, id: session, state } = writer;
  const { entry, folder, documents } = target;
  const n = ordinal(entry);
  const { frame } = await readEntry(store, { session, last: state.entryCount }, entry);
  const row = (await store.get('entry', entryKey(session, n))) as EntryRow;
  const retellings = await retellingsOf(store, session, { n, frame });
  if (row.redacted !== undefined) return { retellings, wasRedacted: true };
  const search = await searchLog(store, session, { n, row });
  const parts = search.parts();
  if (folder !== null)
    for (const file of await redactDocuments(folder, {
      session,
      mask: maskOf(parts, entry),
      store,
    }))
      documents.add(file);
  await takeOut(writer, { n, row, parts });
  return { retellings: [...search.repeating(), ...retellings], wasRedacted: false };
}

/** Decides the step on a state and bodies that are masked already, so that nothing of it repeats the text. */
async function takeOut(
  writer: SessionWriter,
  { n, row, parts }: { readonly n: number; readonly row: EntryRow; readonly parts: SecretParts },
): Promise<void> {
  const count = countFor((await writer.counter()).count, writer.state.options);
  const message = redactedMessage(row.message);
  const tokens = messageTokens(message, count);
  const entry = entryId(n);
  writer.goOnFrom(await withoutText(writer, { n, message, mask: maskOf(parts, entry) }));
  const stray = message.role === 'tool' ? messageTokens(strayMessage(n, message), count) : null;
  const input = { type: 'redact', entry, before: row.tokens, tokens, stray } as const;
  const redacted = { ...row, message, tokens, redacted: identityHash(row.message) };
  const owed: Owed = { entry, parts, texts: writer.state.textCount };
  const seals = await nextKeys(writer.store, writer.id);
  const kept = {
    rows: [[n, redacted]],
    owed: [[nameOf(entry), owed]],
    keys: () => (seals === null ? [] : [[sealName, seals] as const]),
  } as const;
  const { durable } = await writer.stepInParts(input, kept).catch(async (error: unknown) => {
    await writer.reload();
    throw error;
  });
  await durable;
}

/** The state and the bodies of a session in which an entry is masked. */
async function withoutText(
  { store, state }: SessionWriter,
  redacted: { readonly n: number; readonly message: EntryRow['message']; readonly mask: Mask },
): Promise<{ readonly state: State; readonly bodies: BodyCache }> {
  const { n, message, mask } = redacted;
  const before = await hydrate(store, state);
  const { messages, texts, shorts } = referencesOf(state);
  const isShort = new Set(
    [...state.views.values()]
      .flatMap(({ items, human }) => [...items, ...human])
      .concat(state.newest ?? [], state.epochView.newest ?? [])
      .flatMap((one) => (one.n === n ? (one.text ?? []) : [])),
  );
  const lines = linesOf(state.chronicle.lines, n);
  const rowsOf = (id: TextId): OwnText =>
    new Set(lines.flatMap(({ source, row }) => (source === id ? [row] : [])));
  const bodies = newBodies();
  for (const at of messages) bodies.putMessage(at, at === n ? message : before.message(at));
  for (const id of texts)
    bodies.putText(id, maskedBody(before.text(id), { own: rowsOf(id), mask }));
  for (const id of shorts) {
    const own = isShort.has(id) ? 'short' : 'other';
    bodies.putText(id, maskedBody(before.text(id), { own, mask }));
  }
  return { state: decodeState(maskedValue(encodeState(state), mask)), bodies };
}

/** Does what a redaction still owes once rows are masked: documents by `inDocuments`, then the words themselves, and bytes. Gives what cannot be reached. */
async function endRedaction(
  { store, id }: { readonly store: RecordStore; readonly id: string },
  owed: Owed,
  inDocuments: (mask: Mask) => Promise<void>,
): Promise<readonly Remains[]> {
  const row = { kind: 'outbox', key: outboxKey(id, nameOf(owed.entry)) } as const;
  if (owed.parts !== undefined) {
    await inDocuments(maskOf(owed.parts, owed.entry));
    const rest: Owed = { entry: owed.entry };
    const known = await withoutFormer(store, id);
    await store.commit([{ type: 'put', ...row, value: rest }, ...known]);
  }
  const left = (await store.reclaim?.(id)) ?? [];
  if (left.every(({ kind }) => kind !== 'read')) await store.commit([{ type: 'del', ...row }]);
  return left;
}

/** Goes on with a redaction that was broken off, before anybody reads the session. */
export async function resumeRedaction(
  store: RecordStore,
  { session, value }: { readonly session: string; readonly value: unknown },
  context: {
    readonly searches: SearchIndexes;
    readonly redactDocuments: (session: string, mask: Mask) => Promise<unknown>;
  },
): Promise<void> {
  const owed = value as Owed;
  if (owed.parts !== undefined) {
    await maskRows(store, session, maskingOf(owed, owed.parts));
    await context.searches.of(session, 0).forgetFrom(ordinal(owed.entry));
    await context.searches.end(session);
  }
  await endRedaction({ store, id: session }, owed, async (mask) => {
    await context.redactDocuments(session, mask);
  });
}

const unknownFolder: Remains = {
  kind: 'document',
  text: 'Checkpoint documents: the store was opened without their folder',
};

const inMachine = (id: string): Remains => ({
  kind: 'machine',
  text: `Machine "${id}" of this store, in whose steps words of it stand`,
});

const inPrompt: Remains = {
  kind: 'prompt',
  text: 'A system prompt of the session, which says a part of it, too',
};

const always: readonly Remains[] = [
  { kind: 'backup', text: 'Backups, exported files, and the file that it was imported from' },
  { kind: 'session', text: 'Other sessions that say the same, as one that went on from this' },
];
