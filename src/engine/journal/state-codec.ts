import type { Fact } from '../../core/state/fact.ts';
import type { KeptLine } from '../../core/chronicle/chronicle.ts';
import type { State } from '../../core/state/state.ts';
import {
  packFact,
  packRecord,
  unpackFact,
  unpackRecord,
  type PackedFact,
  type PackedRecord,
} from './packed-append.ts';
import { fromTable, toTable, type Tabular } from './columnar.ts';
import { at, members, setAll, vectorOf } from '../../core/values/persistent-vector.ts';
import type { Frame } from '../../core/frames/frame.ts';
import type { FrameRange } from '../../core/frames/frame-ranges.ts';
import type { FrameTree } from '../../core/frames/tree.ts';
import { shownGoal } from '../../core/state/evolve-timeline.ts';
import type { JournalRecord } from '../../core/state/input.ts';

// A full copy of a state, written now and then so that opening folds a short
// tail of the journal and not its history. What the epoch shows of the tree
// differs from the tree in a few frames at most; only those are written twice.

type Pairs<K, V> = readonly (readonly [K, V])[];

/** A state as plain JSON. */
export interface EncodedState extends Omit<
  State,
  'frames' | 'frameRanges' | 'views' | 'chronicle' | 'outbox' | 'timers' | 'epochView'
> {
  readonly frames: readonly Frame[];
  readonly frameRanges: readonly FrameRange[];
  readonly views: Pairs<string, unknown>;
  readonly chronicle: Omit<State['chronicle'], 'lines'> & { readonly lines: Tabular<KeptLine> };
  readonly outbox: Pairs<string, unknown>;
  readonly timers: Pairs<string, unknown>;
  readonly epochView: Omit<State['epochView'], 'frames'> & {
    readonly length: number;
    readonly frames: Pairs<number, Frame>;
  };
}

/** A state as a JSON value. */
export function encodeState(state: State): EncodedState {
  const { epochView } = state;
  return {
    ...state,
    frames: members(state.frames),
    frameRanges: members(state.frameRanges),
    views: [...state.views],
    chronicle: { ...state.chronicle, lines: toTable(state.chronicle.lines) },
    outbox: [...state.outbox],
    timers: [...state.timers],
    epochView: {
      ...epochView,
      length: epochView.frames.length,
      frames: members(epochView.frames).flatMap((frame, index) =>
        at(state.frames, index) === frame ? [] : [[index, frame] as const],
      ),
    },
  };
}

/** The state that a JSON value was made of. */
export function decodeState(value: unknown): State {
  const copy = value as EncodedState;
  const frames = vectorOf(copy.frames);
  const { length: _, ...epochView } = copy.epochView;
  return {
    ...copy,
    frames,
    frameRanges: vectorOf(copy.frameRanges),
    views: new Map(copy.views) as unknown as State['views'],
    chronicle: { ...copy.chronicle, lines: fromTable(copy.chronicle.lines) },
    outbox: new Map(copy.outbox) as unknown as State['outbox'],
    timers: new Map(copy.timers) as unknown as State['timers'],
    epochView: {
      ...epochView,
      goal: shownGoal(epochView.goal, copy.goal),
      frames: shownFrames(frames, copy),
    },
  };
}

function shownFrames(frames: FrameTree, copy: EncodedState): FrameTree {
  const { length, frames: changed } = copy.epochView;
  const same = length === frames.length ? frames : vectorOf(members(frames).slice(0, length));
  return changed.length === 0 ? same : setAll(same, new Map(changed));
}

/** A journal record as a JSON value. */
export function encodeRecord(record: JournalRecord): unknown {
  const facts = record.facts.map(encodeFact);
  return isAppend(record) ? packRecord(record, facts) : { ...record, facts };
}

/** The journal record that a JSON value was made of. */
export function decodeRecord(value: unknown): JournalRecord {
  if (!Array.isArray(value)) {
    const record = value as JournalRecord;
    return { ...record, facts: record.facts.map(decodeFact) };
  }
  const packed = value as unknown as PackedRecord<unknown>;
  return unpackRecord(packed, packed[4].map(decodeFact));
}

function isAppend(record: JournalRecord): record is Parameters<typeof packRecord>[0] {
  return record.input.type === 'append';
}

function encodeFact(fact: Fact): unknown {
  if (fact.type === 'entry.appended') return packFact(fact);
  return fact.type === 'chronicle.written' ? { ...fact, lines: toTable(fact.lines) } : fact;
}

function decodeFact(value: unknown): Fact {
  if (Array.isArray(value)) return unpackFact(value as unknown as PackedFact);
  const fact = value as Fact;
  if (fact.type !== 'chronicle.written') return fact;
  return { ...fact, lines: fromTable(fact.lines as Tabular<KeptLine>) };
}
