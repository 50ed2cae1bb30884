import { toSessionId } from '../../core/values/id.ts';
import { checkOptions, openWith, type SessionOptions } from '../commands/configure.ts';
import { countLeftOver } from '../live/counting.ts';
import { toSession } from './session-handle.ts';
import type { Session } from '../session/session.ts';
import type { StoreContext } from './store-context.ts';
import { parseOutboxKey } from '../../store/key.ts';

/** An open store, as its handles know it. */
interface OpenStoreContext extends StoreContext {
  /** Throws where the store is closed. */
  readonly check: () => void;
  /** Aborts when the store is closed. */
  readonly ended: AbortSignal;
}

/** A handle on a session, which is made where there is none; `fresh` counts only then. */
export async function openSession(
  store: OpenStoreContext,
  id: string,
  { given, fresh }: { readonly given: SessionOptions; readonly fresh: SessionOptions },
): Promise<Session> {
  const { records, effects, summarizers, lives, ...context } = store;
  toSessionId(id);
  checkOptions(given);
  summarizers.vet(given);
  const live = await lives.hold(id);
  const release = (): void => lives.release(live);
  try {
    const { durable } = await live.enqueue(() =>
      openWith(live, live.isNew ? { ...fresh, ...given } : given),
    );
    await durable;
    await countLeftOver(live);
  } catch (error) {
    release();
    throw error;
  }
  /** Takes a summarizer object in, once a session has it; work that waited for it begins. */
  const adopt = (options: SessionOptions): void => {
    if (summarizers.adopt(options)) void resume(store).catch(() => undefined);
  };
  adopt(given);
  effects.pump(live);
  const vet = (options: SessionOptions): void => summarizers.vet(options);
  return toSession(live, { ...context, store: records, effects, vet, adopt, release });
}

/** Takes up work that is pending and does not run; a session that cannot be read says so when it is opened. */
export async function resume({ records, lives, effects }: StoreContext): Promise<void> {
  const owing = new Set<string>();
  for await (const [key] of records.range('outbox', {})) owing.add(parseOutboxKey(key).session);
  for (const id of owing) {
    const one = await lives.hold(id).catch(() => undefined);
    if (one === undefined) continue;
    if (!one.isNew) effects.pump(one);
    lives.release(one);
  }
}
