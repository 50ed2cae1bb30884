/** Steps that were begun and may not be durable yet. */
export interface Pipeline {
  /** Takes one in; waits for all where that makes as many as may be. Rejects where one failed. */
  add(step: Promise<unknown>): Promise<void>;
  /** Resolves when all are done; rejects with the first that failed. */
  done(): Promise<void>;
  /** Resolves when all are over, however they went. */
  over(): Promise<void>;
}

/** None yet; `most` may be under way. */
export function newStepsAhead(most: number): Pipeline {
  let steps: Promise<unknown>[] = [];
  const done = async (): Promise<void> => {
    await Promise.all(steps);
    steps = [];
  };
  return {
    async add(step) {
      step.catch(() => undefined);
      steps.push(step);
      if (steps.length >= most) await done();
    },
    done,
    async over() {
      await Promise.allSettled(steps);
    },
  };
}
