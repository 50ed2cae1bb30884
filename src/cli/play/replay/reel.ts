import type { Moment, ReplayStep, Store } from '../../../index.ts';
import type { CommandCall } from '../../call/call.ts';

/** Options of `replay` alone. */
export interface ReplayCommandOptions {
  readonly from?: number | Moment | undefined;
  readonly to?: number | Moment | undefined;
  /** Steps per second. */
  readonly speed?: number | undefined;
  readonly fast?: boolean | undefined;
  readonly verify?: boolean | undefined;
  readonly find?: string | undefined;
}

/** The stretch of a session that a person means. */
export interface Reel {
  readonly id: string;
  readonly store: Store;
  readonly call: CommandCall;
  /** Its first step, and its last. */
  readonly first: number;
  readonly last: number;
  /** The steps from one on; decided again where that is told. */
  steps(from: number, options?: { readonly decide?: boolean }): AsyncIterable<ReplayStep>;
}

/** What every line of `replay --json` is. */
export const schema = 'flamestack.replay/1';

/** The stretch that these options name. */
export async function reelOf(
  { store, id, call }: Pick<Reel, 'store' | 'id' | 'call'>,
  { from, to }: ReplayCommandOptions,
): Promise<Reel> {
  const { signal } = call.io;
  const stretch = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  for await (const { seq, last } of store.replay(id, stretch)) {
    const steps: Reel['steps'] = (next, options = {}) =>
      store.replay(id, { ...options, from: next, to: last, signal });
    return { store, id, call, first: seq, last, steps };
  }
  throw new Error(`Session "${id}" has no steps`);
}
