import { fail } from '../values/error.ts';
import type { Frame } from '../frames/frame.ts';
import { leftAt } from '../state/timeline.ts';
import {
  ordinal,
  toEntryId,
  type CheckpointId,
  type EntryId,
  type FrameId,
  entryId,
} from '../values/id.ts';
import { endsOf, isWithin } from '../values/span.ts';
import { frameAt } from '../frames/frame-ranges.ts';
import type { State } from '../state/state.ts';
import { frameOf } from '../frames/tree.ts';
import type { Human, FrameView } from '../state/view.ts';
import { at } from '../values/persistent-vector.ts';

/** Where an entry is, seen from the assembly; the coverage law says that one of these always holds. */
export type Place =
  /** Byte for byte in the assembly. */
  | { readonly place: 'verbatim'; readonly entry: EntryId; readonly frame: FrameId }
  /** In the assembly with a marker that leads to it. */
  | {
      readonly place: 'shortened';
      readonly entry: EntryId;
      readonly frame: FrameId;
      readonly tokens: number;
    }
  /** Behind a checkpoint of its frame. */
  | {
      readonly place: 'checkpoint';
      readonly entry: EntryId;
      readonly frame: FrameId;
      readonly checkpoint: CheckpointId;
      readonly from: EntryId;
      readonly to: EntryId;
    }
  /** Behind the partial result of a frame whose child is active. */
  | {
      readonly place: 'partial';
      readonly entry: EntryId;
      readonly frame: FrameId;
      readonly from: EntryId;
      readonly to: EntryId;
    }
  /** Behind a breadcrumb over a range; its directives are quoted. */
  | {
      readonly place: 'offloaded';
      readonly entry: EntryId;
      readonly frame: FrameId;
      readonly from: EntryId;
      readonly to: EntryId;
    }
  /** Behind the results of its closed frame. */
  | { readonly place: 'results'; readonly entry: EntryId; readonly frame: FrameId }
  /** Behind the breadcrumb of a branch that was left. */
  | {
      readonly place: 'left';
      readonly entry: EntryId;
      readonly frame: FrameId;
      readonly from: EntryId;
      readonly to: EntryId;
    }
  /** Behind the one line of an invalidated frame. */
  | { readonly place: 'invalidated'; readonly entry: EntryId; readonly frame: FrameId };

/** Where the entry `id` is; throws `ENTRY_NOT_FOUND`. */
export function where(state: State, id: string): Place {
  const entry = toEntryId(id);
  const n = ordinal(entry);
  const within = n > state.entries ? undefined : frameAt(state.runs, n);
  if (within === undefined)
    throw fail('ENTRY_NOT_FOUND', `There is no entry "${id}"`, {
      entry: id,
      session: state.session,
    });
  const frame = frameOf(state.frames, within);
  const at = { entry, frame: within };
  const view = state.views.get(frame.id);
  const shown = visible(state, frame, n);
  if (shown !== null) {
    return shown.whole
      ? { place: 'verbatim', ...at }
      : { place: 'shortened', ...at, tokens: shown.tokens };
  }
  const left = leftAt(state.timeline.left, n);
  if (left !== undefined) return { place: 'left', ...at, from: left.from, to: left.to };
  if (frame.status === 'invalidated') return { place: 'invalidated', ...at };
  if (view === undefined || frame.status === 'blocked') return { place: 'results', ...at };
  return covered(view, frame, n) ?? { place: 'results', ...at };
}

interface VisibleEntry {
  readonly whole: boolean;
  readonly tokens: number;
}

/** How an entry stands in the assembly; null if it does not. */
function visible(state: State, frame: Frame, n: number): VisibleEntry | null {
  const { newest, shown } = state;
  if (newest?.n === n) return ofHuman(newest);
  if (shown.newest?.n === n) return ofHuman(shown.newest);
  const view = state.views.get(frame.id);
  if (view === undefined || frame.status === 'blocked') return null;
  const human = view.human.find((candidate) => candidate.n === n);
  if (human !== undefined) return ofHuman(human);
  const item = view.items.find((candidate) => candidate.n === n && candidate.form !== 'closing');
  if (item === undefined || (frame.id !== state.active && !item.human)) return null;
  return { whole: item.form === 'whole', tokens: item.shown };
}

const ofHuman = ({ text, shown }: Human): VisibleEntry => ({
  whole: text === undefined,
  tokens: shown,
});

function covered(view: FrameView, frame: Frame, n: number): Place | null {
  const at = { entry: `e${n}` as EntryId, frame: frame.id };
  if (view.items.some((item) => item.n === n)) {
    const { partial } = frame;
    return partial === null
      ? null
      : { place: 'partial', ...at, from: partial.from, to: partial.to };
  }
  const { checkpoints, offloaded } = view;
  const checkpoint = checkpoints.find((one) => isWithin(endsOf(one), n));
  if (checkpoint === undefined && offloaded !== null && isWithin(endsOf(offloaded), n))
    return { place: 'offloaded', ...at, from: offloaded.from, to: offloaded.to };
  if (checkpoint === undefined) return null;
  const { id, from, to } = checkpoint;
  return { place: 'checkpoint', ...at, checkpoint: id, from, to };
}

/** Entries in a row that are not in the assembly word for word, and where they are. */
export interface Gap {
  readonly from: EntryId;
  readonly to: EntryId;
  readonly entries: number;
  readonly frame: FrameId;
  readonly place: Exclude<Place['place'], 'verbatim'>;
  /** The checkpoint that stands for them. */
  readonly checkpoint?: CheckpointId;
}

/** Everything that is not in the assembly word for word, oldest first, by stretches of one frame and one place. */
export function gapsOf(state: State): readonly Gap[] {
  const gaps: Gap[] = [];
  for (let run = 0; run < state.runs.length; run += 1) {
    const [first] = at(state.runs, run)!;
    const next = at(state.runs, run + 1)?.[0] ?? state.entries + 1;
    for (let n = first; n < next; n += 1) {
      const gap = gapAt(state, n);
      const last = gaps.at(-1);
      if (gap !== null && last !== undefined && continues(last, gap))
        gaps[gaps.length - 1] = { ...last, to: gap.to, entries: last.entries + 1 };
      else if (gap !== null) gaps.push(gap);
    }
  }
  return gaps;
}

function gapAt(state: State, n: number): Gap | null {
  const place = where(state, entryId(n));
  if (place.place === 'verbatim') return null;
  const { entry, frame } = place;
  const gap = { from: entry, to: entry, entries: 1, frame, place: place.place };
  return place.place === 'checkpoint' ? { ...gap, checkpoint: place.checkpoint } : gap;
}

function continues(one: Gap, next: Gap): boolean {
  return (
    one.frame === next.frame &&
    one.place === next.place &&
    one.checkpoint === next.checkpoint &&
    ordinal(one.to) + 1 === ordinal(next.from)
  );
}
