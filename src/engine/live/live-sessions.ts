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

  function get(id: string): Promise<LiveSession> {
    const known = sessions.get(id);
    if (known !== undefined) return known;
    const opening = read(id);
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
    async all() {
      const read = await Promise.allSettled(sessions.values());
      return read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    },
  };
}
