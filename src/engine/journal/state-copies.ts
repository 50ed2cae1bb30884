import { isDeepStrictEqual } from 'node:util';
import { lifecycleVersions } from '../../../machines/lifecycle.ts';
import type { State } from '../../core/state/state.ts';
import type { PersistentVector } from '../../core/values/persistent-vector.ts';
import { fail } from '../../core/values/error.ts';
import { chunkKey, parseStateKey, seqRange, stateKey } from '../../store/key.ts';
import type { Change, RecordStore } from '../../store/store.ts';
import { decodeState, encodeState, type EncodedState } from './state-codec.ts';

// Opening reads a full copy of the state and the short tail of the journal after
// it. A copy must not cost what ten thousand frames weigh: the lists in it that
// grow with the session lie in chunks of their own, and a chunk that did not
// change since the copy before is not written again.
//
//   copy 7     copy 8 (kept)    copy 9     copy 10    copy 11    copy 12 (kept)
//   1 2 3      1 2 4            1 2 5      1 2 6      1 2 7      1 2 8
//
// Copy 8 takes the place of copy 7, and chunk 3 goes with it; so do 10, 11 and 12
// that of the one before. Every fourth copy is kept, with its chunks, so that an old
// moment is found for about what the last one costs, whatever came before.

/** One copy in so many is kept for good. */
const keptEvery = 4;

/** A list of a copy, as the numbers of its chunk rows. */
interface ChunkedList {
  readonly length: number;
  readonly chunks: readonly number[];
}

interface CopyRow extends Omit<EncodedState, 'frames' | 'frameRanges'> {
  readonly frames: ChunkedList;
  readonly frameRanges: ChunkedList;
  readonly copy: {
    /** Which copy of the session it is, from 1. */
    readonly number: number;
    /** Chunk rows made so far. */
    readonly chunks: number;
    /** Chunk rows up to this one belong to a copy that is kept. */
    readonly fixed: number;
    /** The versions of the machines whose tables it was folded by. */
    readonly machines: Readonly<Record<string, string>>;
  };
}

/** Writes the copies of one session, each in place of the one before. */
export interface StateCopies {
  /** The changes that put a copy of `state` in place of the one before. */
  next(state: State): readonly Change[];
}

interface PreviousCopy {
  readonly seq: number;
  readonly copy: CopyRow['copy'];
  /** The rows of its chunks. */
  readonly rows: ReadonlyMap<CopyChunk, number>;
}

type CopyChunk = readonly unknown[];

/** The copies after `last`; null for a session that has none yet. */
export function newCopies(last: PreviousCopy | null = null): StateCopies {
  let before = last;
  return {
    next(state) {
      const { changes, after } = copyOf(state, before);
      before = after;
      return changes;
    },
  };
}

const firstCopy = { number: 0, chunks: 0, fixed: 0 } as const;

function copyOf(
  state: State,
  last: PreviousCopy | null,
): { changes: readonly Change[]; after: PreviousCopy } {
  const { session, seq } = state;
  const { number, chunks, fixed } = last?.copy ?? firstCopy;
  const changes: Change[] = [];
  const rows = new Map<CopyChunk, number>();
  let chunkCount = chunks;
  const chunked = ({ length, chunks: members }: PersistentVector<unknown>): ChunkedList => {
    for (const chunk of members) {
      const known = last?.rows.get(chunk);
      rows.set(chunk, known ?? (chunkCount += 1));
      if (known === undefined)
        changes.push({
          type: 'put',
          kind: 'chunk',
          key: chunkKey(session, chunkCount),
          value: chunk,
        });
    }
    return { length, chunks: members.map((chunk) => rows.get(chunk)!) };
  };
  const lists = { frames: chunked(state.frames), frameRanges: chunked(state.frameRanges) };
  const isFixed = (number + 1) % keptEvery === 0;
  const machines = lifecycleVersions;
  const copy = {
    number: number + 1,
    chunks: chunkCount,
    fixed: isFixed ? chunkCount : fixed,
    machines,
  };
  const row: CopyRow = { ...encodeState(state), ...lists, copy };
  changes.push({ type: 'put', kind: 'state', key: stateKey(session, seq), value: row });
  if (last !== null && !isKept(last)) changes.push(...removal(session, last, rows));
  return { changes, after: { seq, copy, rows } };
}

/** Whether a copy stays. One was made not to, where a version that kept fewer of them wrote it: its chunks may go. */
const isKept = ({ copy: { number, chunks, fixed } }: PreviousCopy): boolean =>
  number % keptEvery === 0 && chunks === fixed;

/** Takes a copy away, and the chunks that only it has. */
function removal(
  session: string,
  last: PreviousCopy,
  rows: ReadonlyMap<CopyChunk, number>,
): Change[] {
  const { fixed } = last.copy;
  const gone = [...last.rows].filter(([chunk, row]) => row > fixed && !rows.has(chunk));
  return [
    { type: 'del', kind: 'state', key: stateKey(session, last.seq) },
    ...gone.map(
      ([, row]) => ({ type: 'del', kind: 'chunk', key: chunkKey(session, row) }) as const,
    ),
  ];
}

/** A copy as it is read. */
interface StoredCopy {
  readonly state: State;
  /** Whether it was folded by the machines of this version. */
  readonly isCurrent: boolean;
  /** The copies after it. */
  readonly copies: StateCopies;
}

/** The newest copy of a session at or before `seq`, the newest of all unless told; null if there is none. */
export async function readCopy(
  store: RecordStore,
  session: string,
  seq?: number,
): Promise<StoredCopy | null> {
  const bounds = seq === undefined ? {} : { before: seq + 1 };
  const newest = seqRange(session, { ...bounds, reverse: true, limit: 1 });
  for await (const [key, value] of store.range('state', newest)) {
    const row = value as CopyRow;
    const numbers = [...row.frames.chunks, ...row.frameRanges.chunks];
    const chunks = await readChunks(store, session, numbers);
    const list = ({ chunks: wanted }: ChunkedList): unknown[] =>
      wanted.flatMap((number) => chunks.get(number)!);
    const { copy, ...encoded } = row;
    const lists = { frames: list(row.frames), frameRanges: list(row.frameRanges) };
    const state = decodeState({ ...encoded, ...lists });
    const rows = new Map<CopyChunk, number>();
    state.frames.chunks.forEach((chunk, at) => rows.set(chunk, row.frames.chunks[at]!));
    state.frameRanges.chunks.forEach((chunk, at) => rows.set(chunk, row.frameRanges.chunks[at]!));
    const copies = newCopies({ seq: parseStateKey(key).seq, copy, rows });
    return { state, isCurrent: isDeepStrictEqual(copy.machines, lifecycleVersions), copies };
  }
  return null;
}

async function readChunks(
  store: RecordStore,
  session: string,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, CopyChunk>> {
  const keys = numbers.map((number) => chunkKey(session, number));
  const rows = await store.getMany('chunk', keys);
  return new Map(
    numbers.map((number, at) => {
      if (rows[at] !== undefined) return [number, rows[at] as CopyChunk];
      const detail = { session, record: keys[at]! };
      throw fail('RECORD_DAMAGED', `Chunk ${number} of session "${session}" is missing`, detail);
    }),
  );
}
