/** How long after a stop that did not stop anything the process goes on, in milliseconds. */
const wakeAfter = 100;

/** Ctrl-Z as a terminal in raw mode sends it. */
export const suspendKey = '\x1a';

/** Stops the process as the shell's Ctrl-Z does. */
export interface Suspension {
  suspend(): void;
  /** Hears no more of stops. */
  close(): void;
}

/**
 * Calls `goOn` when the process goes on after a stop, whoever stopped it: the
 * terminal was another's meanwhile, who may have changed its modes.
 */
export function suspension(goOn: () => void): Suspension {
  let waking: NodeJS.Timeout | undefined;
  const wake = (): void => {
    clearTimeout(waking);
    goOn();
  };
  process.on('SIGCONT', wake);
  return {
    suspend() {
      // The others of its group, too: who started it waits for it in vain otherwise.
      process.kill(0, 'SIGTSTP');
      // Where nobody can wake it, as without a shell, it was not stopped.
      waking = setTimeout(wake, wakeAfter);
    },
    close() {
      clearTimeout(waking);
      process.off('SIGCONT', wake);
    },
  };
}
