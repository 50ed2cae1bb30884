import type { Inspection, Moment, Store } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { openToRead } from '../sessions/store/open-store.ts';
import { latestFirst, pickSession } from '../sessions/pick.ts';
import { nextStamp, storeStamp } from '../sessions/store/store-stamp.ts';

/** Which part of a session is inspected. */
export interface InspectedPart {
  /** All actors after this step, and nothing else. */
  readonly at?: number | Moment | undefined;
  readonly from?: number | Moment | undefined;
  readonly to?: number | Moment | undefined;
  /** Whether it goes on with what comes. */
  readonly live?: boolean | undefined;
  /** Whether texts are told. */
  readonly text?: boolean | undefined;
}

/**
 * The moves of a session that a person means, as they are stored, then as they come, whoever has the store open: what another
 * process writes is seen within about a second. Rejects on abort.
 */
export async function* inspections(
  call: CommandCall,
  said: string | undefined,
  { live = false, text = false, ...part }: InspectedPart,
): AsyncGenerator<Inspection> {
  const { signal } = call.io;
  let id = said;
  let stamp = live ? await storeStamp(call) : null;
  for (let last = 0; ;) {
    if (last > 0) stamp = await nextStamp(call, stamp, { signal });
    await using store = await openToRead(call);
    ({ id } = pickSession(await latestFirst(store), id));
    await using session = await store.open(id);
    const { seq } = session.state;
    const [after, to] = last > 0 ? [last, seq] : await stretchOf(store, id, part);
    // Before what is new come the actors that were there, which are told once.
    if (seq > last)
      for await (const one of session.inspect({ after, to, text, live: false, signal }))
        if (last === 0 || one.seq > last) yield one;
    if (!live) return;
    last = seq;
  }
}

/** The record before the first step that is meant, and the last one. */
async function stretchOf(
  store: Store,
  id: string,
  { at, from = at, to = at }: InspectedPart,
): Promise<readonly [after: number, to: number]> {
  const stretch = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  for await (const { seq, last } of store.replay(id, stretch))
    return [at === undefined ? seq - 1 : seq, last];
  throw new Error(`Session "${id}" has no steps`);
}
