import { deletion } from '../../store/erase-session.ts';
import { parseOutboxKey } from '../../store/key.ts';
import { rowsPastDamage } from '../journal/past-damage.ts';
import type { StoreContext } from './store-context.ts';

/** Takes up work that is pending and does not run, and deletions that were broken off; a session that cannot be read says so when it is opened, and a damaged row is left to `verify`. */
export async function resumePending({ records, sessions, effects }: StoreContext): Promise<void> {
  const owing = new Set<string>();
  const going = new Set<string>();
  for await (const { key, error } of rowsPastDamage(records, 'outbox', {})) {
    if (error !== undefined) continue;
    const { session, effect } = parseOutboxKey(key);
    (effect === deletion ? going : owing).add(session);
  }
  for (const id of going) await records.erase(id);
  for (const id of owing) {
    if (going.has(id)) continue;
    const live = await sessions.hold(id).catch(() => undefined);
    if (live === undefined) continue;
    if (!live.isNew) effects.pump(live);
    sessions.release(live);
  }
}
