import { rowsPastDamage } from '../../past-damage.ts';
import { toLine } from '../../session-line.ts';
import type { Change, Head, RecordKind, RecordStore } from '../../store.ts';
import {
  linesIn,
  readSealed,
  removePacked,
  sealOf,
  toText,
  writeSealed,
  type ClosedNote,
  type Seal,
} from './packed-rows.ts';

/** What the owner of a store packs when it closes it. */
export interface Packing {
  /** Takes in what was written. */
  add(changes: readonly Change[]): void;
  /** Takes note that nobody knows what was written. */
  lose(): void;
  /** Reads the rows where they are not known: behind the last commit, and before the store is closed. */
  gather(reading: () => RecordStore): Promise<void>;
  /** Packs them for the closed store of which this was noted. */
  put(noted: ClosedNote): Promise<void>;
}

/** The packing of a store that was opened just now and had this seal before; takes away what was packed under it. */
export async function takePacked(location: string, seal: Seal | null): Promise<Packing> {
  let text = seal === null ? null : await readSealed(location, seal);
  await removePacked(location);
  const changed: { readonly [kind in RecordKind]?: Map<string, unknown> } = {
    session: new Map(),
    outbox: new Map(),
  };
  return {
    add(changes) {
      for (const change of changes)
        changed[change.kind]?.set(change.key, change.type === 'put' ? change.value : undefined);
    },
    lose: () => void (text = null),
    async gather(reading) {
      if (text !== null) return;
      const store = reading();
      for (const kind of ['session', 'outbox'] as const) {
        changed[kind]!.clear();
        for await (const { key, value, error } of rowsPastDamage(store, kind, {}))
          if (error === undefined) changed[kind]!.set(key, value);
          else return;
      }
      text = toText([], []);
    },
    async put(noted) {
      const held = await sealOf(location, noted);
      if (text === null || held === null) return;
      const heads = noted.heads ?? new Map<string, Head>();
      const [lines, owed] = linesIn(text);
      for (const [key, value] of changed.session!)
        if (value === undefined) lines.delete(key);
        else lines.set(key, toLine(value, heads.get(key)));
      for (const [key, value] of changed.outbox!)
        if (value === undefined) owed.delete(key);
        else owed.set(key, value);
      // A session whose header is gone is found by what was noted of it alone.
      if ([...heads.keys()].some((id) => !lines.has(id))) return;
      await writeSealed(location, held, toText(sorted(lines), sorted(owed)));
      // Who opened the store meanwhile found nothing to take away.
      if ((await sealOf(location, noted)) !== held) await removePacked(location);
    },
  };
}

/** Rows by key: no key has a sign beyond ASCII, so the order of units is that of bytes. */
const sorted = <Value>(rows: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] =>
  [...rows].sort(([one], [other]) => (one < other ? -1 : 1));
