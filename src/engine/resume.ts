import { parseOutboxKey } from '../store/key.ts';
import type { Workings } from './workings.ts';

/** Takes up work that is pending and does not run; a session that cannot be read says so when it is opened. */
export async function resume({ records, lives, effects }: Workings): Promise<void> {
  const owing = new Set<string>();
  for await (const [key] of records.range('outbox', {})) owing.add(parseOutboxKey(key).session);
  for (const id of owing) {
    const one = await lives.hold(id).catch(() => undefined);
    if (one === undefined) continue;
    if (!one.isNew) effects.pump(one);
    lives.release(one);
  }
}
