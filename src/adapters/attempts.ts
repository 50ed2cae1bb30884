/** Does what may fail, and gives undefined then. */
export type Attempt = <T>(
  work: () => Promise<T>,
  tell: (reason: string) => void,
) => Promise<T | undefined>;

/** Attempts of which the first that fails is told, and the next ones not until one has succeeded. */
export function attempts(): Attempt {
  let hasReported = false;
  return async (work, tell) => {
    try {
      const result = await work();
      hasReported = false;
      return result;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!hasReported) tell(/[.!?]$/.test(reason) ? reason : `${reason}.`);
      hasReported = true;
      return undefined;
    }
  };
}

/** The window of a session whose model a host does not know yet, in tokens. */
export const unknownWindow = 32_768;
