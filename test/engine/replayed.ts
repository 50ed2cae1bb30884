import type { ReplayDifference } from '../../src/engine/time-travel/decide-again.ts';
import { replay } from '../../src/engine/time-travel/replay.ts';
import type { RecordStore } from '../../src/store/store.ts';

/** What came of deciding every stored input of a session again, up to the first difference; what came before a redaction is not. */
export async function replayed(
  store: RecordStore,
  session: string,
): Promise<{ records: number; diverged: (ReplayDifference & { readonly seq: number }) | null }> {
  let records = 0;
  for await (const { seq, difference } of replay(store, session, { decide: true })) {
    if (difference !== undefined) records += 1;
    if (difference != null) return { records, diverged: { seq, ...difference } };
  }
  return { records, diverged: null };
}
