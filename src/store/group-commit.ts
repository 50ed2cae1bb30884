import { EngineError } from '../core/values/error.ts';

// A sync to the disk costs as much as thousands of writes. While one batch is on its way to the disk,
// the commits that come in wait together and go out as the next one:
//
//   calls    a │ b c d         │ e f
//   disk     [a····] [b c d····] [e f····]
//
// Calls of one moment (a turn of four messages) follow each other by microtasks; a group waits for
// the last of them, and is one write.

/** Largest group, in bytes; a larger commit goes alone. */
const largestGroup = 1 << 20;

/** Commits that share the sync of one batch. */
export interface GroupCommit<Change> {
  /**
   * Resolves when a batch that holds `changes`, about `bytes` of them, was written. Batches are written
   * in the order of the calls. Rejects with `STORE_UNAVAILABLE` if the write of its batch failed, and so
   * does every later commit: nobody knows what reached the disk.
   */
  commit(changes: readonly Change[], bytes: number): Promise<void>;
  /** Resolves when no commit is under way, whether they succeeded or not. */
  settled(): Promise<void>;
}

interface QueuedCommit<Change> {
  readonly changes: readonly Change[];
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: EngineError) => void;
}

/**
 * Commits over `write` to the store at `location`; it is never called while its last call is under way.
 *
 * **Contract:** `write` applies its changes in order, all or nothing, and rejects if it could not.
 */
export function groupCommit<Change>(
  location: string,
  write: (changes: Change[]) => Promise<void>,
): GroupCommit<Change> {
  let queue: QueuedCommit<Change>[] = [];
  let pumping: Promise<void> | null = null;
  let failure: EngineError | null = null;

  async function pump(): Promise<void> {
    await waitForLull(() => queue.length);
    while (queue.length > 0) {
      const group = queue.splice(0, groupLength(queue));
      try {
        await write(group.flatMap((waiting) => waiting.changes));
        for (const waiting of group) waiting.resolve();
      } catch (cause) {
        failure = unavailable(location, cause);
        for (const waiting of [...group, ...queue]) waiting.reject(failure);
        queue = [];
      }
    }
    pumping = null;
  }

  return {
    commit: (changes, bytes) =>
      new Promise((resolve, reject) => {
        if (failure !== null) return reject(failure);
        queue.push({ changes, bytes, resolve, reject });
        pumping ??= pump();
      }),
    settled: async () => {
      await pumping;
    },
  };
}

/** Microtasks that may pass between two steps of one session. */
const waitHops = 16;

/** Resolves when `length` has not grown for a while, told in microtasks: neither a tick nor a timer, behind which other work would come first. */
async function waitForLull(length: () => number): Promise<void> {
  const passed = Promise.resolve();
  for (let before = 0; length() > before;) {
    before = length();
    for (let hop = 0; hop < waitHops; hop += 1) await passed;
  }
}

/** Number of waiting commits that fit into one group; at least one. */
function groupLength(queue: readonly { readonly bytes: number }[]): number {
  let bytes = 0;
  const end = queue.findIndex((waiting) => (bytes += waiting.bytes) > largestGroup);
  return end === -1 ? queue.length : Math.max(1, end);
}

function unavailable(location: string, cause: unknown): EngineError {
  const message = `A write to "${location}" failed, so the store takes no more of them until it is opened again`;
  return new EngineError('STORE_UNAVAILABLE', message, { detail: { location }, cause });
}
