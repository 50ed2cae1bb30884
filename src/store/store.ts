import type { EngineError } from '../core/values/error.ts';
import type { Expected } from './fence.ts';

/** The kinds of record that a store keeps; each has a key space of its own. */
export const kinds = [
  'meta',
  'session',
  'journal',
  'entry',
  'text',
  'state',
  'chunk',
  'key',
  'outbox',
  'search',
] as const;

/** One of {@link kinds}. */
export type RecordKind = (typeof kinds)[number];

/** One change inside a batch. */
export type Change =
  | {
      readonly type: 'put';
      readonly kind: RecordKind;
      readonly key: string;
      readonly value: unknown;
    }
  | { readonly type: 'del'; readonly kind: RecordKind; readonly key: string };

/** A stretch of keys, in the byte order of their UTF-8. */
export interface KeyRange {
  readonly gte?: string;
  readonly gt?: string;
  readonly lt?: string;
  readonly lte?: string;
  readonly reverse?: boolean;
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** A row as it is kept: its key, with the kind before it, and the text of its record. */
export type RawRow = readonly [key: string, text: string];

/** The sessions of a store by what puts them in order, by id, in columns: thousands of objects take longer than all else in a list of them. */
export interface Outlines {
  readonly ids: readonly string[];
  /** When the newest entry of each was said; null where its row does not tell where it rests. */
  readonly said: readonly (number | null)[];
  readonly updated: readonly number[];
  /** Another one for each state of a session that rests. */
  readonly stamps: readonly number[];
  /** The sessions that some are sub-agents of. */
  readonly parents: ReadonlyMap<string, string>;
  /** The row of the session at a place. */
  readonly row: (at: number) => unknown;
}

/** A text that follows from rows; of ASCII. */
export interface SearchedText {
  /** Null where there is none. */
  read(): Promise<string | null>;
  /** Keeps it where nobody wrote meanwhile; what fails costs nothing but to make it again. */
  write(text: string): Promise<void>;
}

/** The newest record of the journal and the newest entry of sessions, by their ids; 0 for none. */
export type Heads = ReadonlyMap<string, Head>;

/** How far a session has come. */
export type Head = readonly [seq: number, entry: number];

/** Something that may hold text of a deleted session still, and that is not reached by deleting it. */
export interface Remains {
  readonly kind:
    | 'backup'
    | 'session'
    | 'prompt'
    | 'machine'
    | 'document'
    | 'page'
    | 'reader'
    | 'read'
    | 'server';
  /** What it is, in a sentence. */
  readonly text: string;
}

/** What is wrong with a file, in words. */
export interface FileDamage {
  readonly file: string;
  readonly damage: string;
}

/** What became of the rows of a session that was deleted. */
export interface Erasure {
  readonly rows: number;
  readonly left: readonly Remains[];
}

/** What a commit holds to. */
export interface CommitOptions {
  /** After what it was decided. */
  readonly expect?: Expected;
  /** A session that it is derived from: where that was deleted meanwhile, by whoever, nothing is written. */
  readonly of?: SessionRef;
}

/** A session by its id, and when it began: one that was deleted and begun again is another. */
export type SessionRef = Pick<Expected, 'session' | 'born'>;

/** How the files of a store are written anew. */
export interface CompactOptions {
  readonly signal?: AbortSignal;
  /** Called with each kind of record, and the share that is done, 0 to 1. */
  readonly onProgress?: (progress: { readonly of: RecordKind; readonly share: number }) => void;
}

/** What a store took on the disk before and after its files were written anew, in bytes. */
export interface Compaction {
  readonly before: number;
  readonly after: number;
}

/**
 * Where records are kept.
 *
 * **Contract:** values are JSON values and come back equal; a record whose
 * checksum does not match rejects with `RECORD_DAMAGED`, never with a wrong
 * value. `commit` is all or nothing, applied in call order, and resolves when
 * the batch is as durable as the store was opened for; concurrent commits may
 * share one sync. With `expect` it rejects with `CONFLICT`, and nothing is
 * written, where another owner wrote to the session since. After a failed write the store refuses further ones
 * (`STORE_UNAVAILABLE`), because nobody knows what reached the disk.
 */
export interface RecordStore {
  readonly location: string;
  /** Why it takes no steps of sessions: it is a copy for reading. What is committed goes with it. */
  readonly refusal?: EngineError;
  /** Whether other processes may write to it meanwhile; false unless told. */
  readonly isShared?: boolean;
  get(kind: RecordKind, key: string): Promise<unknown>;
  getMany(kind: RecordKind, keys: readonly string[]): Promise<unknown[]>;
  range(kind: RecordKind, range: KeyRange): AsyncIterable<readonly [key: string, value: unknown]>;
  /** The rows of a stretch that lie in memory; null where they are to be read, and left out by a store that has none there. */
  known?(
    kind: RecordKind,
    range: KeyRange,
  ): readonly (readonly [key: string, value: unknown])[] | null;
  /** The sessions in outline, as far as they lie in memory; null where rows are to be read, and left out by a store that has none there. */
  outlines?(): Outlines | null;
  /** What searches made of its rows, for those that follow; left out by a store that keeps none. */
  readonly searched?: SearchedText;
  /** All rows as they are kept, in one view: what is written meanwhile is not in it. */
  rows(): AsyncIterable<RawRow>;
  /** How far its sessions have come, by what was noted; null where nothing was, and left out by a store that notes nothing. */
  heads?(): Heads | null;
  /** Files that are damaged in a way that rows may not tell; left out by a store that has none. */
  damagedFiles?(): AsyncIterable<FileDamage>;
  commit(changes: readonly Change[], options?: CommitOptions): Promise<void>;
  /** Deletes all rows of a session, and their bytes as far as they can be reached; nobody else reads or writes it meanwhile. */
  erase(session: string): Promise<Erasure>;
  /** Writes its files anew, without what they hold of rows that were changed or deleted; left out by a store that has none. */
  compact?(options?: CompactOptions): Promise<Compaction>;
  /** Makes bytes of rows of a session that were deleted or written over go, as far as they can be reached; left out by a host that keeps none. */
  reclaim?(session: string): Promise<Erasure['left']>;
  /** Notes which session is worked on, for others who find the store in use. */
  noteSession?(session: string): void;
  /** Notes how far its sessions have come, where that is not noted yet; left out by a store that notes nothing. */
  noteHeads?(): Promise<void>;
  /** Waits for commits under way, then closes; a second call does nothing. */
  close(): Promise<void>;
}

/** What a store is opened for. */
export interface OpenOptions {
  /** `power`: what is committed survives a loss of power; `process`: it survives a killed process. */
  readonly durability: 'power' | 'process';
  /** Whether a store is begun where there is none. */
  readonly create: boolean;
  /** Whether no commands will come; then a host that one process has to itself gives what is there now. */
  readonly readOnly?: boolean | undefined;
  /** With `readOnly`, whether a list of its sessions may be all that is read of it. */
  readonly isListed?: boolean | undefined;
  /** What the program does with it, for others who find it in use. */
  readonly command?: string | undefined;
}

/** Where a store is. */
export interface StoreHost {
  /** Opens its records; rejects with `STORE_NOT_FOUND` without `create`. */
  open(options: OpenOptions): Promise<RecordStore>;
}
