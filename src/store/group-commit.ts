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

/** What waits for its group. */
export interface Waiting<Item> {
  readonly item: Item;
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: EngineError) => void;
}

/** Writes that go out together. */
interface Groups<Item> {
  /** Settles as the write of its group says. Groups are written in the order of the calls. */
  add(item: Item, bytes: number): Promise<void>;
  /** Resolves when none is under way, whether they succeeded or not. */
  settled(): Promise<void>;
}

/**
 * Groups over `write`, which settles each that waits and never rejects; it is never called while its last
 * call is under way.
 */
export function inGroups<Item>(
  write: (group: readonly Waiting<Item>[]) => Promise<void>,
): Groups<Item> {
  const queue: Waiting<Item>[] = [];
  let pumping: Promise<void> | null = null;

  async function pump(): Promise<void> {
    await waitForLull(() => queue.length);
    while (queue.length > 0) await write(queue.splice(0, groupLength(queue)));
    pumping = null;
  }

  return {
    add: (item, bytes) =>
      new Promise((resolve, reject) => {
        queue.push({ item, bytes, resolve, reject });
        pumping ??= pump();
      }),
    settled: async () => {
      await pumping;
    },
  };
}

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

/**
 * Commits over `write` to the store at `location`; it is never called while its last call is under way.
 *
 * **Contract:** `write` applies its changes in order, all or nothing, and rejects if it could not.
 */
export function groupCommit<Change>(
  location: string,
  write: (changes: Change[]) => Promise<void>,
): GroupCommit<Change> {
  let failure: EngineError | null = null;
  const groups = inGroups<readonly Change[]>(async (group) => {
    if (failure === null)
      try {
        await write(group.flatMap(({ item }) => item));
      } catch (cause) {
        failure = unavailable(location, cause);
      }
    for (const { resolve, reject } of group)
      if (failure === null) resolve();
      else reject(failure);
  });
  return {
    commit: async (changes, bytes) => {
      if (failure !== null) throw failure;
      return groups.add(changes, bytes);
    },
    settled: () => groups.settled(),
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
  const message = `A write to "${location}" failed (${(cause as Error).message}), so the store takes no more of them until it is opened again`;
  return new EngineError('STORE_UNAVAILABLE', message, { detail: { location }, cause });
}
