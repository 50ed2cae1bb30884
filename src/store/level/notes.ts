// A store that is killed has noted nothing at its close. So how far its sessions have come is noted while it
// is written to as well, a little later: what was lost before the last note is told at the next opening.

/** Least wait before a note, in milliseconds, and as a multiple of what the last one took: most of the time nobody notes. */
const least = 200;
const share = 100;

/** Notes of a store, one after the other. */
export interface Notes {
  /** Notes what is so now. */
  now(): Promise<void>;
  /** Notes it soon, behind what goes on; whether that succeeds does not matter. */
  soon(): void;
  /** Notes at once what was to be noted soon. */
  flush(): Promise<void>;
  /** Notes it for the last time. */
  end(): Promise<void>;
}

/** Notes that `write` writes. */
export function newNotes(write: () => Promise<void>): Notes {
  let last = Promise.resolve();
  let wait = least;
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const timed = async (): Promise<void> => {
    const begun = performance.now();
    await write();
    wait = Math.max(least, share * (performance.now() - begun));
  };
  const now = (): Promise<void> => {
    const noting = last.then(timed);
    last = noting.catch(() => undefined);
    return noting;
  };
  const cancel = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const due = (): void => {
    timer = undefined;
    now().catch(() => undefined);
  };
  return {
    now,
    soon() {
      if (!hasEnded) timer ??= setTimeout(due, wait).unref();
    },
    async flush() {
      if (timer === undefined) return last;
      cancel();
      return now();
    },
    end() {
      hasEnded = true;
      cancel();
      return now();
    },
  };
}
