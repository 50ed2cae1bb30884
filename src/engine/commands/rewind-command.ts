import type { Fact } from '../../core/state/fact.ts';
import {
  positionsOf,
  type AbandonedBranch,
  type Snapshot,
  type Undoable,
} from '../../core/state/timeline.ts';
import { checkArgument, text } from '../../core/values/validation.ts';
import type { RecordStore } from '../../store/store.ts';
import { viewAt, type View } from '../time-travel/view-at.ts';
import type { RunCommand, CommandOptions } from './command.ts';
import { checkCommandOptions, checkId } from './command-check.ts';
import { exactCounter } from '../live/counting.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { Rewind } from '../decide/rewind.ts';
import { snapshotOf } from '../step/snapshots.ts';
import type { Age } from '../../core/checkpoints/checkpoint.ts';

/** What going back did. */
export interface GoneBack {
  /** The step that was taken back or again; `restore` for a snapshot. */
  readonly what: Undoable;
  /** The record after which it was so. */
  readonly from: number;
  /** Entries that this step put behind a breadcrumb: those left before are not counted again, nor is what a person said last, which stays in view. */
  readonly left: number;
  /** Whether it was too much for the window and had to be compressed. */
  readonly compressed: boolean;
}

/** Moments to go back to: numbers of records, never copies. */
export interface Snapshots {
  create(title?: string): Promise<Snapshot>;
  /** Oldest first. */
  list(): readonly Snapshot[];
  /** The session as it was; rejects with `SNAPSHOT_NOT_FOUND`. */
  show(id: string): Promise<View>;
  /** Goes back; what was said since stays, and `undo` takes it back. Rejects with `SNAPSHOT_NOT_FOUND`, and with `CONTEXT_OVERFLOW` where nothing more can shrink. */
  restore(id: string, options?: CommandOptions): Promise<GoneBack>;
  delete(id: string): Promise<void>;
}

/** Goes back in a live session, once per key; resolves when it is durable. */
export async function goBack(
  live: LiveSession,
  input: Rewind,
  options: CommandOptions = {},
): Promise<GoneBack> {
  checkCommandOptions(options);
  const key = options.key === undefined ? undefined : `${input.cause} ${options.key}`;
  const { done, durable } = await live.enqueue(async () => {
    const before = key === undefined ? undefined : await live.answered(key);
    if (before !== undefined) return { done: before as GoneBack, durable: live.written };
    await exactCounter(live);
    const { timeline } = live.state;
    const done = (facts: readonly Fact[]): GoneBack => goneBack(facts, timeline.left);
    const keys = (facts: readonly Fact[]) => [[key!, done(facts)] as const];
    const { decision, durable } = await live.stepWithHistory(
      input,
      key === undefined ? {} : { keys },
    );
    return { done: done(decision.facts), durable };
  });
  await durable;
  return done;
}

function goneBack(facts: readonly Fact[], before: readonly AbandonedBranch[]): GoneBack {
  const { what, from, left, newest } = facts.find((one) => one.type === 'state.restored')!;
  const known = new Set([newest?.n, ...before.flatMap(positionsOf)]);
  const fresh = left.flatMap(positionsOf).filter((n) => !known.has(n));
  const compressed = facts.some(({ type }) => type === 'checkpoint.created');
  return { what, from, left: fresh.length, compressed };
}

/** The snapshots of a live session. */
export function toSnapshots(
  live: LiveSession,
  given: {
    readonly store: RecordStore;
    readonly check: () => void;
    readonly command: RunCommand;
  },
): Snapshots {
  const { store, check, command } = given;
  return {
    create: async (title = '') => {
      checkArgument('title', title, text);
      return command({ type: 'snapshot', title }, (facts) => {
        const fact = facts.find(({ type }) => type === 'snapshot.created');
        return (fact as Extract<Fact, { type: 'snapshot.created' }>).snapshot;
      });
    },
    list() {
      check();
      return live.state.timeline.snapshots;
    },
    async show(id) {
      check();
      await live.written;
      checkId('snapshot', id);
      const { seq } = snapshotOf(live.state, id);
      return viewAt({ store, session: live.id, last: live.state.seq }, { seq });
    },
    async restore(id, options) {
      check();
      checkId('snapshot', id);
      const input = { type: 'restore', cause: 'restore', snapshot: id } as const;
      return goBack(live, input, options);
    },
    async delete(id) {
      checkId('snapshot', id);
      return command({ type: 'snapshot.delete', snapshot: id }, () => undefined);
    },
  };
}

/** Shows a finer version of a checkpoint in a live session; resolves when it is durable. */
export async function raiseStep(
  live: LiveSession,
  checkpoint: string,
): Promise<{ age: Age; tokens: number }> {
  checkId('checkpoint', checkpoint);
  const { facts, durable } = await live.enqueue(async () => {
    await exactCounter(live);
    const { decision, durable } = await live.stepWithHistory({ type: 'raise', checkpoint });
    return { facts: decision.facts, durable };
  });
  await durable;
  const { age, tokens } = facts.find(({ type }) => type === 'checkpoint.raised') as {
    age: Age;
    tokens: number;
  };
  return { age, tokens };
}
