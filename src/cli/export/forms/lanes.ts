import type { FrameRecord } from '../session-record.ts';

/** The lane of each frame, from 0: in one lane a frame stands in those above it, or beside others, and never across one. */
export function lanesOf(frames: readonly FrameRecord[]): ReadonlyMap<string, number> {
  const parents = new Map(frames.map(({ id, parent }) => [id, parent]));
  const isAbove = (above: string, id: string): boolean => {
    for (let one = parents.get(id); one != null; one = parents.get(one))
      if (one === above) return true;
    return false;
  };
  const lanes = new Map<string, number>();
  /** Of each lane the frames that have not ended, each in the one before. */
  const open: FrameRecord[][] = [];
  for (const frame of frames.toSorted((one, other) => one.from - other.from)) {
    for (const lane of open) while (lane.length > 0 && lane.at(-1)!.to <= frame.from) lane.pop();
    const takes = (lane: readonly FrameRecord[]): boolean =>
      lane.length === 0 || isAbove(lane.at(-1)!.id, frame.id);
    const own = lanes.get(frame.parent ?? '') ?? 0;
    const free = takes(open[own] ?? []) ? own : open.findIndex(takes);
    const lane = free === -1 ? open.length : free;
    (open[lane] ??= []).push(frame);
    lanes.set(frame.id, lane);
  }
  return lanes;
}
