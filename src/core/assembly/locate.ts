import { fail } from '../values/error.ts';
import type { Frame } from '../frames/frame.ts';
import { leftAt } from '../state/timeline.ts';
import {
  ordinal,
  toEntryId,
  toFrameId,
  type CheckpointId,
  type EntryId,
  type FrameId,
  entryId,
} from '../values/id.ts';
import { endsOf, isWithin, type Span } from '../values/span.ts';
import { frameAt } from '../frames/frame-ranges.ts';
import type { State } from '../state/state.ts';
import { frameOf } from '../frames/tree.ts';
import { formOf, treeParts } from '../sections/tree-section.ts';
import type { HumanEntry, FrameView } from '../state/view.ts';

/** The place of an entry or a frame as seen from the assembly. */
export type Place = EntryPlace | FramePlace;

/** The place of a frame in the tree of the assembly. */
export interface FramePlace {
  readonly place: 'tree';
  readonly frame: FrameId;
  /**
   * How it stands there: on the path to the active frame; with its results in full, their brief, or
   * its title alone; in a count of others; or not at all, for what lies below or on a branch that
   * was left.
   */
  readonly form: 'path' | 'whole' | 'brief' | 'line' | 'counted' | 'hidden';
}

/** The place of an entry; by the coverage law each entry has one. */
export type EntryPlace =
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

/** Entries in a row that are not verbatim in the assembly, and their place. */
export interface Gap {
  readonly from: EntryId;
  readonly to: EntryId;
  readonly entries: number;
  readonly frame: FrameId;
  readonly place: Exclude<EntryPlace['place'], 'verbatim'>;
  /** The checkpoint that stands for them. */
  readonly checkpoint?: CheckpointId;
}

/** The place of the entry or frame `id`; throws `ENTRY_NOT_FOUND` and `FRAME_NOT_FOUND`. */
export function where(state: State, id: string): Place {
  return /^f\d/.test(id) ? framePlace(state, toFrameId(id)) : entryPlace(state, id);
}

/** The place of a frame in the tree; throws `FRAME_NOT_FOUND`. */
function framePlace({ frames, active, epochView }: State, id: FrameId): FramePlace {
  const frame = frameOf(frames, id);
  if (ordinal(id) >= epochView.frames.length) return { place: 'tree', frame: id, form: 'hidden' };
  const parts = treeParts(epochView.frames, active, epochView.left);
  return { place: 'tree', frame: id, form: formOf(parts, epochView.plan, frame) };
}

function entryPlace(state: State, id: string): EntryPlace {
  const entry = toEntryId(id);
  const n = ordinal(entry);
  const within = n > state.entryCount ? undefined : frameAt(state.frameRanges, n);
  if (within === undefined)
    throw fail('ENTRY_NOT_FOUND', `There is no entry "${id}"`, {
      entry: id,
      session: state.session,
    });
  const frame = frameOf(state.frames, within);
  const located = { entry, frame: within };
  const display = shownEntry(state, frame, n);
  if (display?.whole === true) return { place: 'verbatim', ...located };
  if (display !== null) return { place: 'shortened', ...located, tokens: display.tokens };
  const left = leftAt(state.timeline.left, n);
  if (left !== undefined) return { place: 'left', ...located, from: left.from, to: left.to };
  if (frame.status === 'invalidated') return { place: 'invalidated', ...located };
  const view = state.views.get(frame.id);
  if (view === undefined || frame.status === 'blocked') return { place: 'results', ...located };
  return coveredPlace(view, frame, entry) ?? { place: 'results', ...located };
}

/** Everything that is not verbatim in the assembly, oldest first, neighbors of one frame and place as one gap. */
export function gapsOf(state: State): readonly Gap[] {
  const gaps: Gap[] = [];
  for (let n = 1; n <= state.entryCount; n += 1) {
    const gap = gapAt(state, n);
    if (gap === null) continue;
    const last = gaps.at(-1);
    if (last !== undefined && continues(last, gap))
      gaps[gaps.length - 1] = { ...last, to: gap.to, entries: last.entries + 1 };
    else gaps.push(gap);
  }
  return gaps;
}

interface ShownEntry {
  readonly whole: boolean;
  readonly tokens: number;
}

/** The entry as the assembly shows it; null if it does not. */
function shownEntry(state: State, frame: Frame, n: number): ShownEntry | null {
  const { newest, epochView } = state;
  if (newest?.n === n) return shownHuman(newest);
  if (epochView.newest?.n === n) return shownHuman(epochView.newest);
  const view = state.views.get(frame.id);
  if (view === undefined || frame.status === 'blocked') return null;
  const human = view.human.find((candidate) => candidate.n === n);
  if (human !== undefined) return shownHuman(human);
  const item = view.items.find((candidate) => candidate.n === n && candidate.form !== 'closing');
  if (item === undefined || (frame.id !== state.active && !item.human)) return null;
  return { whole: item.form === 'whole', tokens: item.shown };
}

const shownHuman = ({ text, shown }: HumanEntry): ShownEntry => ({
  whole: text === undefined,
  tokens: shown,
});

/** The place of an entry behind what stands for it in the view of its frame; null for none. */
function coveredPlace(view: FrameView, frame: Frame, entry: EntryId): EntryPlace | null {
  const n = ordinal(entry);
  const located = { entry, frame: frame.id };
  const includes = (span: Span): boolean => isWithin(endsOf(span), n);
  if (view.items.some((item) => item.n === n)) {
    const { partial } = frame;
    if (partial === null) return null;
    return { place: 'partial', ...located, from: partial.from, to: partial.to };
  }
  const checkpoint = view.checkpoints.find(includes);
  if (checkpoint !== undefined) {
    const { id, from, to } = checkpoint;
    return { place: 'checkpoint', ...located, checkpoint: id, from, to };
  }
  const { offloaded } = view;
  if (offloaded === null || !includes(offloaded)) return null;
  return { place: 'offloaded', ...located, from: offloaded.from, to: offloaded.to };
}

function gapAt(state: State, n: number): Gap | null {
  const place = entryPlace(state, entryId(n));
  if (place.place === 'verbatim') return null;
  const { entry, frame } = place;
  const gap = { from: entry, to: entry, entries: 1, frame, place: place.place };
  return place.place === 'checkpoint' ? { ...gap, checkpoint: place.checkpoint } : gap;
}

/** Whether the next gap joins the one before: neighbors of one frame and place. */
function continues(gap: Gap, next: Gap): boolean {
  return (
    gap.frame === next.frame &&
    gap.place === next.place &&
    gap.checkpoint === next.checkpoint &&
    ordinal(gap.to) + 1 === ordinal(next.from)
  );
}
