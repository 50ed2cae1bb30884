import { fail } from '../../core/values/error.ts';
import type { Snapshot } from '../../core/state/timeline.ts';
import type { Draft } from './draft.ts';
import { measure } from './measure.ts';

// A snapshot is the sequence number of a record; the journal and the state copies
// have the rest. It is the record before the step that makes it, so that it is the
// state before that step decided anything; entries of the step survive a restore.

/** Share of what is available at which a snapshot is made, once in an epoch. */
const threshold = 0.8;

/** Makes a snapshot. */
export function snapshot(draft: Draft, by: Snapshot['by'], title: string): void {
  const { timeline, epoch } = draft.state;
  const before = draft.before!;
  const { seq, turn, entryCount: entries, tokens: said } = before;
  const id = `s${timeline.made + 1}`;
  const { total: tokens } = measure(before);
  const created: Snapshot = {
    id,
    seq,
    title,
    by,
    at: draft.at,
    turn,
    entries,
    tokens,
    said,
    epoch,
  };
  draft.record({ type: 'snapshot.created', snapshot: created });
}

/** Makes one before a compression, unless this moment has one, is where a rewind led, or snapshots are manual. */
export function snapshotBefore(draft: Draft): void {
  const { options, timeline, seq } = draft.state;
  if (options.snapshots === 'manual' || timeline.snapshots.at(-1)?.seq === seq) return;
  if (timeline.turned === seq) return;
  snapshot(draft, 'compression', '');
}

/** Makes one when the working part has reached the threshold, once in an epoch. */
export function snapshotAtThreshold(draft: Draft): void {
  const { options, timeline, epoch } = draft.state;
  if (options.snapshots === 'manual') return;
  const { human, working, available } = measure(draft.state);
  if (human + working < threshold * available) return;
  const last = timeline.snapshots.findLast(({ by }) => by !== 'person');
  if (last?.epoch !== epoch) snapshot(draft, 'threshold', '');
}

/** Deletes a snapshot; throws `SNAPSHOT_NOT_FOUND`. */
export function deleteSnapshot(draft: Draft, id: string): void {
  snapshotOf(draft.state, id);
  draft.record({ type: 'snapshot.deleted', snapshot: id });
}

/** The snapshot with this id; throws `SNAPSHOT_NOT_FOUND`. */
export function snapshotOf({ timeline, session }: Draft['state'], id: string): Snapshot {
  const found = timeline.snapshots.find((one) => one.id === id);
  if (found !== undefined) return found;
  throw fail('SNAPSHOT_NOT_FOUND', `There is no snapshot "${id}" in session "${session}"`, {
    snapshot: id,
    session,
  });
}
