import { fail } from '../../core/values/error.ts';
import { toSessionId } from '../../core/values/id.ts';
import { checkOptions, createOrConfigure, type SessionOptions } from '../commands/configure.ts';
import { decided } from '../live/decided.ts';
import { countLeftOver } from '../live/counting.ts';
import type { Session } from '../session/session.ts';
import { toHandle } from './session-handle.ts';
import type { StoreContext } from './store-context.ts';
import { resumePending } from './resume-pending.ts';

/** An open store, as its handles know it. */
interface OpenStoreContext extends StoreContext {
  /** Throws where the store is closed. */
  readonly check: () => void;
  /** Aborts when the store is closed. */
  readonly ended: AbortSignal;
}

/** A handle on a session, which is created where there is none; `fresh` are options of a new one only, and those given win. */
export async function openSession(
  store: OpenStoreContext,
  id: string,
  { changes, fresh }: { readonly changes: SessionOptions; readonly fresh: SessionOptions },
): Promise<Session> {
  const { records, effects, searches, summarizers, sessions } = store;
  toSessionId(id);
  checkOptions(changes);
  summarizers.check(changes);
  const live = await sessions.hold(id);
  const release = (): void => sessions.release(live);
  try {
    if (live.isNew && records.refusal !== undefined)
      throw fail('SESSION_NOT_FOUND', `There is no session "${id}"`, { session: id });
    if (live.handles > 1) await live.inTurn((writer) => writer.lookForOthers());
    await decided(live, (writer) =>
      createOrConfigure(writer, writer.isNew ? { ...fresh, ...changes } : changes),
    );
    await countLeftOver(live);
  } catch (error) {
    release();
    throw error;
  }
  const addSummarizer = (options: SessionOptions): void => {
    if (summarizers.add(options)) void resumePending(store).catch(() => undefined);
  };
  addSummarizer(changes);
  effects.pump(live);
  records.noteSession?.(id);
  return toHandle(live, {
    ...store,
    effects: effects.of(live),
    checkSummarizer: (options) => summarizers.check(options),
    addSummarizer,
    async release() {
      const isFurther = live.handles === 1 && (await live.noteRest().catch(() => false));
      if (isFurther) await searches.pack(live);
      release();
      if (live.handles === 0) await records.noteHeads?.();
    },
  });
}
