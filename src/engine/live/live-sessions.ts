import { EngineError } from '../../core/values/error.ts';
import type { LiveSession } from './live-session.ts';

/** The sessions of a store that are in memory; one object each, however many hold it. */
export interface LiveSessions {
  /** The live session, which is read in where it is not there. */
  get(id: string): Promise<LiveSession>;
  /** The same, held by one more handle. */
  hold(id: string): Promise<LiveSession>;
  /** Gives one handle back. */
  release(live: LiveSession): void;
  /** Lets go of a session that nobody holds and for which no work is under way. */
  sweep(live: LiveSession): void;
  /** Takes a session out of memory that nobody holds, and keeps others from reading it in until `work` is over; throws `BUSY` where somebody holds it. */
  without<T>(id: string, work: (live: LiveSession | undefined) => Promise<T>): Promise<T>;
  /** All of them, also those that are being read. */
  all(): Promise<readonly LiveSession[]>;
}

/** An empty set; `read` reads a session in, `isBusy` says whether work for one is still under way. */
export function newLiveSessions(
  read: (id: string) => Promise<LiveSession>,
  isBusy: (live: LiveSession) => boolean,
): LiveSessions {
  const sessions = new Map<string, Promise<LiveSession>>();
  const letGo = new WeakSet<LiveSession>();
  /** Sessions that are not to be read in before something is over. */
  const waits = new Map<string, Promise<void>>();

  function get(id: string): Promise<LiveSession> {
    const known = sessions.get(id);
    if (known !== undefined) return known;
    const wait = waits.get(id);
    const opening = wait === undefined ? read(id) : wait.then(() => read(id));
    sessions.set(id, opening);
    opening.catch(() => sessions.delete(id));
    return opening;
  }

  function sweep(live: LiveSession): void {
    if (letGo.has(live)) return;
    if (live.handles > 0 || !live.isIdle || isBusy(live)) return;
    live.retire();
    letGo.add(live);
    sessions.delete(live.id);
  }

  return {
    get,
    sweep,
    async hold(id) {
      for (;;) {
        const opening = get(id);
        const live = await opening;
        if (sessions.get(id) !== opening) continue;
        live.handles += 1;
        return live;
      }
    },
    release(live) {
      live.handles -= 1;
      sweep(live);
    },
    async without(id, work) {
      if (waits.has(id)) await waits.get(id);
      const live = sessions.has(id) ? await get(id).catch(() => undefined) : undefined;
      if (live !== undefined && live.handles > 0) throw stillOpen(live);
      if (live !== undefined) letGo.add(live);
      live?.retire();
      sessions.delete(id);
      const working = work(live);
      const over = working.then(
        () => void waits.delete(id),
        () => void waits.delete(id),
      );
      waits.set(id, over);
      return working;
    },
    async all() {
      const read = await Promise.allSettled(sessions.values());
      return read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    },
  };
}

function stillOpen({ id, handles }: LiveSession): EngineError {
  const message = `Session "${id}" is open in this program; close it first`;
  return new EngineError('BUSY', message, { retryable: true, detail: { session: id, handles } });
}
