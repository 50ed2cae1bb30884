import type { RecordStore } from '../../store/store.ts';
import type { LiveMachine } from './live-machine.ts';

// A machine runs once over the records that it lies in, however many handles on it are open there, as a session
// does: else a handle for which nobody sends would never hear what another one did.

/** A machine that is held by a handle. */
export interface HeldMachine {
  readonly live: LiveMachine;
  /** How many handles hold it. */
  readonly handles: number;
  /** Whether it was open before. */
  readonly isShared: boolean;
  /** Gives it back, behind what was sent before; whoever held it last ends it, for this reason. */
  release(reason: unknown): Promise<void>;
}

interface SharedMachine {
  readonly opening: Promise<LiveMachine>;
  handles: number;
  /** Resolves when it is ended. */
  closing: Promise<void> | null;
}

const machinesOf = new WeakMap<RecordStore, Map<string, SharedMachine>>();

/** Holds the machine that runs over some records by this name, or the one that `open` opens; one that takes no more steps is not held again. */
export async function holdMachine(
  records: RecordStore,
  id: string,
  open: () => Promise<LiveMachine>,
): Promise<HeldMachine> {
  const machines = machinesOf.get(records) ?? new Map<string, SharedMachine>();
  machinesOf.set(records, machines);
  const letGo = (one: SharedMachine): void => {
    if (machines.get(id) === one) machines.delete(id);
  };
  for (;;) {
    const known = machines.get(id);
    if (known === undefined) {
      const one: SharedMachine = { opening: open(), handles: 1, closing: null };
      machines.set(id, one);
      one.opening.catch(() => letGo(one));
      return toHeld(one, await one.opening, { isShared: false, letGo });
    }
    if (known.closing !== null) {
      await known.closing;
      continue;
    }
    known.handles += 1;
    const held = await known.opening.then(
      (live) => toHeld(known, live, { isShared: true, letGo }),
      () => null,
    );
    if (held === null) continue;
    await held.live.inTurn(() => undefined).catch(() => undefined);
    if (!held.live.isBroken) return held;
    letGo(known);
    await held.release(null);
  }
}

function toHeld(
  one: SharedMachine,
  live: LiveMachine,
  { isShared, letGo }: { readonly isShared: boolean; readonly letGo: (one: SharedMachine) => void },
): HeldMachine {
  return {
    live,
    isShared,
    get handles() {
      return one.handles;
    },
    async release(reason) {
      one.handles -= 1;
      if (one.handles > 0) return live.inTurn(() => undefined).catch(() => undefined);
      one.closing = live.end(reason).finally(() => letGo(one));
      await one.closing;
    },
  };
}
