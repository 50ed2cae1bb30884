import type { LiveSession } from './live-session.ts';

/** The sessions of a store that are in memory; one object each, however many hold it. */
export interface LiveSessions {
  /** The live session, read in where it is not. */
  get(id: string): Promise<LiveSession>;
  /** The same, held by one more handle. */
  hold(id: string): Promise<LiveSession>;
  /** Gives one handle back. */
  release(live: LiveSession): void;
  /** Lets go of a session that nobody holds and that owes nothing. */
  sweep(live: LiveSession): void;
  /** All of them, also those that are being read. */
  all(): Promise<readonly LiveSession[]>;
}

/** None yet; `isOwing` says whether work for a session is still under way. */
export function newLives(
  read: (id: string) => Promise<LiveSession>,
  isOwing: (live: LiveSession) => boolean,
): LiveSessions {
  const lives = new Map<string, Promise<LiveSession>>();

  function get(id: string): Promise<LiveSession> {
    const known = lives.get(id);
    if (known !== undefined) return known;
    const opening = read(id);
    lives.set(id, opening);
    opening.catch(() => lives.delete(id));
    return opening;
  }

  function sweep(live: LiveSession): void {
    if (live.handles > 0 || !live.isIdle || isOwing(live)) return;
    live.retire();
    lives.delete(live.id);
  }

  return {
    get,
    sweep,
    async hold(id) {
      for (;;) {
        const opening = get(id);
        const live = await opening;
        if (lives.get(id) !== opening) continue;
        live.handles += 1;
        return live;
      }
    },
    release(live) {
      live.handles -= 1;
      sweep(live);
    },
    async all() {
      const read = await Promise.allSettled(lives.values());
      return read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    },
  };
}
