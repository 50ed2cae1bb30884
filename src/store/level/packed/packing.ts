import { rowsPastDamage } from '../../past-damage.ts';
import type { Change, RecordStore } from '../../store.ts';
import {
  linesIn,
  packedKinds,
  readSealed,
  removePacked,
  sealOf,
  toLine,
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
  const changed = packedKinds.map(() => new Map<string, Change>());
  return {
    add(changes) {
      for (const change of changes)
        changed[packedKinds.indexOf(change.kind)]?.set(headOf(change), change);
    },
    lose: () => void (text = null),
    async gather(reading) {
      if (text !== null) return;
      for (const some of changed) some.clear();
      text = await textOf(reading());
    },
    async put(noted) {
      const held = await sealOf(location, noted);
      if (text === null || held === null) return;
      const lines = linesIn(text).map((some, at) => withChanges(some, changed[at]!));
      await writeSealed(location, held, toText(lines));
      // Who opened the store meanwhile found nothing to take away.
      if ((await sealOf(location, noted)) !== held) await removePacked(location);
    },
  };
}

/** What the line of a row begins with, and that of no other. */
const headOf = ({ key }: Pick<Change, 'key'>): string => `[${JSON.stringify(key)},`;

const head = /^\["(?:[^"\\]|\\.)*",/;

/** The lines of rows as they are after some changes, by the heads of their lines. */
function withChanges(
  lines: readonly string[],
  changed: ReadonlyMap<string, Change>,
): readonly string[] {
  if (changed.size === 0) return lines;
  const kept = lines.filter((line) => !changed.has(head.exec(line)![0]));
  const put = [...changed.values()].filter((change) => change.type === 'put');
  return [...kept, ...put.map(({ key, value }) => toLine([key, value]))];
}

/** The text of all rows of the store; null where one is damaged. */
async function textOf(store: RecordStore): Promise<string | null> {
  const lines: string[][] = [];
  for (const kind of packedKinds) {
    const some: string[] = [];
    for await (const { key, value, error } of rowsPastDamage(store, kind, {})) {
      if (error !== undefined) return null;
      some.push(toLine([key, value]));
    }
    lines.push(some);
  }
  return toText(lines);
}
