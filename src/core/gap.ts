import { entryId, ordinal, type CheckpointId, type EntryId, type FrameId } from './id.ts';
import { at } from './vector.ts';
import type { State } from './state.ts';
import { where, type Place } from './where.ts';

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
