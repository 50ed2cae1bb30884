import { deletion } from '../../store/erase-session.ts';
import { isMachine, parseOutboxKey } from '../../store/key.ts';
import { isRedaction, resumeRedaction } from '../commands/redact.ts';
import { rowsPastDamage } from '../../store/past-damage.ts';
import type { StoreContext } from './store-context.ts';

/** Goes on with deletions and redactions that were broken off, before anybody opens a session. A redaction that fails again is left to the next opening. */
export async function resumeErasures({ records, effects, searches }: StoreContext): Promise<void> {
  const redactDocuments: typeof effects.redactDocuments = (session, mask) =>
    effects.redactDocuments(session, mask);
  const owed: { readonly session: string; readonly effect: string; readonly value: unknown }[] = [];
  for await (const { key, value, error } of rowsPastDamage(records, 'outbox', {})) {
    if (error !== undefined) continue;
    const { session, effect } = parseOutboxKey(key);
    if (effect === deletion || isRedaction(effect)) owed.push({ session, effect, value });
  }
  const going = new Set(
    owed.flatMap(({ session, effect }) => (effect === deletion ? session : [])),
  );
  for (const id of going) await records.erase(id);
  for (const { session, value } of owed)
    if (!going.has(session))
      await resumeRedaction(records, { session, value }, { searches, redactDocuments }).catch(
        () => undefined,
      );
}

/** Takes up work that is pending and does not run; a session that cannot be read says so when it is opened, and a damaged row is left to `verify`. */
export async function resumePending({ records, sessions, effects }: StoreContext): Promise<void> {
  const owing = new Set<string>();
  for await (const { key, error } of rowsPastDamage(records, 'outbox', {})) {
    if (error !== undefined) continue;
    const { session, effect } = parseOutboxKey(key);
    if (effect !== deletion && !isRedaction(effect) && !isMachine(session)) owing.add(session);
  }
  for (const id of owing) {
    const live = await sessions.hold(id).catch(() => undefined);
    if (live === undefined) continue;
    if (!live.isNew) effects.pump(live);
    sessions.release(live);
  }
}
