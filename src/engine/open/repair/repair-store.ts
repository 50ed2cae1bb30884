import { mkdtemp, rm } from 'node:fs/promises';
import { fail, isEngineError } from '../../../core/values/error.ts';
import {
  callable,
  checkArgument,
  nonEmptyText,
  objectOf,
  signal,
} from '../../../core/values/validation.ts';
import type { FileDamage } from '../../../store/store.ts';
import { damagedTables } from '../../../store/level/damaged-tables.ts';
import { holdStore } from '../../../store/level/hold-store.ts';
import { openLevelReader } from '../../../store/level/level-store.ts';
import { asideFolder, toFolder } from '../../../store/files/new-folder.ts';
import { storeFiles, type SalvageOptions } from '../../../store/salvage/salvage-rows.ts';
import type { SessionCheck } from '../../journal/verify-session.ts';
import { verifySessions } from '../../journal/verify.ts';
import { salvageStore, type Salvage } from './salvage-store.ts';

// Nothing is mended where it lies: what can be read is salvaged beside the store, checked, and put into its
// place with two renames. The damaged store stays, under another name.

/** How a store is repaired. */
export interface RepairOptions extends SalvageOptions {
  /** The folder that the damaged store is moved to, on the same disk; beside it, with `.damaged` behind its name, unless told. */
  readonly aside?: string;
}

/** What became of a store that was to be repaired. */
export interface Repair {
  /** The folder of the store. */
  readonly location: string;
  /** Where the damaged store is now; null where nothing was to be mended, and nothing was touched. */
  readonly aside: string | null;
  /** What was read of the damaged store, and what is lost; null where nothing was touched. */
  readonly salvage: Salvage | null;
  /** The sessions and durable machines as they are now; what is lost of them for good is named. */
  readonly sessions: readonly SessionCheck[];
}

const repairOptions = objectOf<RepairOptions>({
  aside: nonEmptyText('a new folder'),
  signal,
  onProgress: callable,
});

/**
 * Puts what can be read of the store at `location` into its place, and keeps the damaged one beside it. A
 * store that is sound, but for what is known to be gone and for durable machines, of which nothing is made again, is left as it is. Rejects with `STORE_IN_USE` where somebody has it
 * open, `STORE_NOT_FOUND`, `STORE_TOO_NEW`, and `OPTION_INVALID` where something is at `aside`.
 */
export async function repairStore(location: string, options: RepairOptions = {}): Promise<Repair> {
  checkArgument('location', location, nonEmptyText('a folder'));
  checkArgument('options', options, repairOptions);
  const { aside: named, ...others } = options;
  const folder = toFolder(location);
  await storeFiles(folder);
  // A store that is used is not looked at either: its logs are as they may be.
  await (await holdStore(folder, 'repair')).release();
  const before = await checkFolder(folder, others);
  if (isMended(before))
    return { location: folder, aside: null, salvage: null, sessions: before.sessions };
  const held = await holdStore(folder, 'repair');
  let next: string | undefined;
  try {
    const aside = asideFolder(held.path, { named, kind: 'damaged' });
    next = await mkdtemp(`${held.path}.repaired-`);
    const salvage = await salvageStore(held.path, next, others);
    const after = await checkFolder(next, others);
    if (!isMended(after))
      throw fail('STORE_DAMAGED', `What is left of "${folder}" makes no sound store`, {
        location: folder,
      });
    others.signal?.throwIfAborted();
    await held.swap({ next, aside });
    const { sessions } = after;
    return { location: folder, aside, salvage: { ...salvage, location: folder }, sessions };
  } finally {
    if (next !== undefined) await rm(next, { recursive: true, force: true });
    await held.release();
  }
}

/** Whether nothing is wrong with a store but what no salvage mends: records of a machine cannot be made again. */
const isMended = ({ sessions, isReadable }: CheckedFolder): boolean =>
  isReadable && sessions.every(({ isSound, isMachine }) => isSound || isMachine === true);

/** What was found of a folder. */
interface CheckedFolder {
  /** Its sessions and durable machines. */
  readonly sessions: readonly SessionCheck[];
  /** Whether all of its rows could be read. */
  readonly isReadable: boolean;
  /** Whether nothing is wrong with it but what is known to be gone. */
  readonly isSound: boolean;
}

/** The sessions of a store, and whether nothing is wrong with it but what is known to be gone. */
export async function checkFolder(
  folder: string,
  { signal, onProgress }: SalvageOptions,
): Promise<CheckedFolder> {
  const sessions: SessionCheck[] = [];
  const files: FileDamage[] = [];
  for await (const _ of damagedTables(folder))
    return { sessions, isReadable: false, isSound: false };
  try {
    const records = await openLevelReader(folder);
    try {
      const options = {
        onFile: (file: FileDamage) => void files.push(file),
        onProgress: ({ session }: { readonly session: string }) => onProgress?.({ of: session }),
        ...(signal === undefined ? {} : { signal }),
      };
      for await (const check of verifySessions(records, options)) sessions.push(check);
    } finally {
      await records.close();
    }
  } catch (error) {
    if (!isEngineError(error, 'STORE_DAMAGED') && !isEngineError(error, 'RECORD_DAMAGED'))
      throw error;
    return { sessions, isReadable: false, isSound: false };
  }
  const isReadable = files.length === 0;
  return { sessions, isReadable, isSound: isReadable && sessions.every((one) => one.isSound) };
}
