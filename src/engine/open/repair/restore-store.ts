import { mkdtemp, rm } from 'node:fs/promises';
import { fail, isEngineError } from '../../../core/values/error.ts';
import {
  callable,
  checkArgument,
  nonEmptyText,
  objectOf,
  signal,
} from '../../../core/values/validation.ts';
import { copyStore, type CopyOptions } from '../../../store/copy-store.ts';
import { inspectFolder } from '../../../store/guard.ts';
import { holdStore } from '../../../store/level/hold-store.ts';
import { openLevelReader } from '../../../store/level/level-store.ts';
import { asideFolder, clearFolder, toFolder } from '../../../store/files/new-folder.ts';
import { checkFolder } from './repair-store.ts';

/** How a backup is brought into place. */
export interface RestoreOptions extends CopyOptions {
  /** The folder, on the same disk, that the store which is there is moved to; there may be none unless told. */
  readonly aside?: string;
}

/** A backup that was brought into place. */
export interface Restored {
  /** The folder of the store. */
  readonly location: string;
  readonly rows: number;
  /** Where the store is now that was there; null where there was none. */
  readonly aside: string | null;
}

const restoreOptions = objectOf<RestoreOptions>({
  aside: nonEmptyText('a new folder'),
  signal,
  onProgress: callable,
});

/**
 * Copies the store in the folder `backup` to `location`, which is new, or empty, or a store that is moved
 * `aside` first; the backup stays. Both are checked, record by record. Rejects with `STORE_DAMAGED` where the backup is not
 * sound, `OPTION_INVALID` where `location` holds something and is not to be moved, `STORE_IN_USE` where
 * somebody has it open, and `STORE_NOT_FOUND`; then all is as it was.
 */
export async function restoreStore(
  backup: string,
  location: string,
  options: RestoreOptions = {},
): Promise<Restored> {
  checkArgument('backup', backup, nonEmptyText('the folder of a backup'));
  checkArgument('location', location, nonEmptyText('a folder'));
  checkArgument('options', options, restoreOptions);
  const { aside: named, ...others } = options;
  const [from, to] = [toFolder(backup), toFolder(location)];
  await refuseUnsound(from, others);
  if (!(await isStore(to))) return { ...(await copyChecked(from, to, others)), aside: null };
  if (named === undefined) {
    const message = `There is a store in "${to}"; name a folder that it is moved to`;
    throw fail('OPTION_INVALID', message, { option: 'aside', location: to });
  }
  const held = await holdStore(to, 'restore');
  let next: string | undefined;
  try {
    const aside = asideFolder(held.path, { named, kind: 'replaced' });
    next = await mkdtemp(`${held.path}.restored-`);
    const { rows } = await copyChecked(from, next, others);
    await held.swap({ next, aside });
    return { location: to, rows, aside };
  } finally {
    if (next !== undefined) await rm(next, { recursive: true, force: true });
    await held.release();
  }
}

/** Copies a store into a folder that is empty; where the copy is not sound, nothing of it stays. */
async function copyChecked(
  from: string,
  to: string,
  options: CopyOptions,
): Promise<Pick<Restored, 'location' | 'rows'>> {
  const records = await openLevelReader(from);
  try {
    const { location, rows } = await copyStore(records, to, options);
    try {
      await refuseUnsound(to, options);
    } catch (error) {
      await clearFolder(to);
      throw error;
    }
    return { location, rows };
  } finally {
    await records.close();
  }
}

/** Whether there is a store, be it damaged. */
async function isStore(folder: string): Promise<boolean> {
  try {
    return (await inspectFolder(folder)).is === 'store';
  } catch (error) {
    if (isEngineError(error, 'STORE_DAMAGED')) return true;
    throw error;
  }
}

async function refuseUnsound(folder: string, { signal }: CopyOptions): Promise<void> {
  const { sessions, isSound } = await checkFolder(folder, signal === undefined ? {} : { signal });
  if (isSound) return;
  const [session] = sessions.filter(({ isSound }) => !isSound);
  const where =
    session === undefined
      ? ''
      : `, as ${session.isMachine === true ? 'machine' : 'session'} "${session.id}" is`;
  throw fail('STORE_DAMAGED', `Store "${folder}" is damaged${where}`, { location: folder });
}
