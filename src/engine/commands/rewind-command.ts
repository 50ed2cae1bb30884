import { positionsOf, type Snapshot, type Undoable } from '../../core/state/timeline.ts';
import { entryId } from '../../core/values/id.ts';
import { rangeLabel } from '../../core/values/span.ts';
import { checkArgument, flag, nonEmptyText, objectOf, text } from '../../core/values/validation.ts';
import type { SessionReader } from '../live/session-access.ts';
import { snapshotOf } from '../step/snapshots.ts';
import type { Archive } from '../time-travel/moment.ts';
import { viewAt, type View } from '../time-travel/view-at.ts';
import { checkId } from './command-arguments.ts';
import { noAnswer, type CommandOptions, type ReadAnswer, type RunCommand } from './command.ts';

/** What going back did. */
export interface GoneBack {
  /** The step that was taken back or again; `restore` for a snapshot. */
  readonly what: Undoable;
  /** The record after which it was so. */
  readonly from: number;
  /** Entries that this step put behind a breadcrumb: those left before are not counted again, nor is what a person said last, which stays in view. */
  readonly left: number;
  /** The range of these entries, which `expand` opens; null for none. */
  readonly breadcrumb: string | null;
  /** Whether it was too much for the window and had to be compressed. */
  readonly compressed: boolean;
}

/** How a snapshot is restored. */
export interface RestoreOptions extends CommandOptions {
  /** Whether what was said since stays in view; false unless told. */
  readonly keep?: boolean;
}

const restoreOptions = objectOf<RestoreOptions>({ key: nonEmptyText(), keep: flag });

/** Moments to go back to: numbers of records, never copies. */
export interface Snapshots {
  create(title?: string): Promise<Snapshot>;
  /** Oldest first. */
  list(): readonly Snapshot[];
  /** The session as it was; rejects with `SNAPSHOT_NOT_FOUND`. */
  show(id: string): Promise<View>;
  /**
   * Goes back; what was said since is left behind one breadcrumb, unless it is to `keep`, and `undo`
   * brings it back. Rejects with `SNAPSHOT_NOT_FOUND`, and with `CONTEXT_OVERFLOW` where nothing more
   * can shrink.
   */
  restore(id: string, options?: RestoreOptions): Promise<GoneBack>;
  delete(id: string): Promise<void>;
}

/** The answer of undo, redo and restore. */
export const rewindAnswer: ReadAnswer<GoneBack> = (facts, { timeline }) => {
  const { what, from, left, newest } = facts.find((one) => one.type === 'state.restored')!;
  const known = new Set([newest?.n, ...timeline.left.flatMap(positionsOf)]);
  const fresh = left.flatMap(positionsOf).filter((n) => !known.has(n));
  const compressed = facts.some(({ type }) => type === 'checkpoint.created');
  const [first, last] = [Math.min(...fresh), Math.max(...fresh)];
  const breadcrumb =
    fresh.length === 0 ? null : rangeLabel({ from: entryId(first), to: entryId(last) });
  return { what, from, left: fresh.length, breadcrumb, compressed };
};

/** The journal of a session up to its last step, once that is durable. */
export async function archiveOf(session: SessionReader): Promise<Archive> {
  const state = await session.durableState();
  const { id, store } = session;
  return { store, session: id, last: state.seq };
}

/** The snapshots of a session; `check` throws where its handle is closed. */
export function toSnapshots(
  session: SessionReader,
  { check, command }: { readonly check: () => void; readonly command: RunCommand },
): Snapshots {
  return {
    create: async (title = '') => {
      checkArgument('title', title, text);
      return command({ type: 'snapshot', title }, (facts) => {
        const fact = facts.find((one) => one.type === 'snapshot.created');
        return fact!.snapshot;
      });
    },
    list() {
      check();
      return session.state.timeline.snapshots;
    },
    async show(id) {
      check();
      const archive = await archiveOf(session);
      checkId('snapshot', id);
      const { seq } = snapshotOf(session.state, id);
      return viewAt(archive, { seq });
    },
    async restore(id, options = {}) {
      check();
      checkId('snapshot', id);
      checkArgument('options', options, restoreOptions);
      const { keep = false, ...rest } = options;
      const restore = { type: 'restore', cause: 'restore', snapshot: id } as const;
      return command({ ...restore, leaves: !keep }, rewindAnswer, rest);
    },
    async delete(id) {
      checkId('snapshot', id);
      return command({ type: 'snapshot.delete', snapshot: id }, noAnswer);
    },
  };
}
