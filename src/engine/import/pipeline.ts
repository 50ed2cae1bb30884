/** Work that was begun and may not be durable yet. */
export interface Pipeline {
  /** Takes work in; waits for all of it where that makes as much as may be. Rejects where some failed. */
  add(work: Promise<unknown>): Promise<void>;
  /** Resolves when all is done; rejects with the first that failed. */
  done(): Promise<void>;
  /** Resolves when all is over, however it went. */
  over(): Promise<void>;
}

/** An empty pipeline, in which at most `most` pieces are under way. */
export function newPipeline(most: number): Pipeline {
  let running: Promise<unknown>[] = [];
  const done = async (): Promise<void> => {
    await Promise.all(running);
    running = [];
  };
  return {
    async add(work) {
      work.catch(() => undefined);
      running.push(work);
      if (running.length >= most) await done();
    },
    done,
    async over() {
      await Promise.allSettled(running);
    },
  };
}
