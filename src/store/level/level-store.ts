import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fail, isEngineError } from '../../core/values/error.ts';
import { type Driver, openFailure, storeOver, unavailable } from '../driver-store.ts';
import { headerOf, openStoreOver, type Header } from '../format.ts';
import {
  inspectFolder,
  noteFiles,
  noteManifest,
  readNoted,
  type Noted,
  type Opening,
} from '../guard.ts';
import { makeStoreFolder, shutFolder } from '../files/make-folder.ts';
import { copiesFolder, sweepCopies } from './copy-folder.ts';
import { damagedTables } from './damaged-tables.ts';
import { newHeads } from './heads.ts';
import { claimFolder, type Claim } from './identity.ts';
import { inUse, isLocked, openAlready } from './in-use.ts';
import { listFirst } from './packed/list-first.ts';
import { newNotes, type Notes } from './notes.ts';
import { noteOwner, type OwnerNote } from './owner.ts';
import { readPacked, sealOf } from './packed/packed-rows.ts';
import { removeSearch } from './packed/packed-search.ts';
import { takePacked, type Packing } from './packed/packing.ts';
import { isFull, openReadCopy } from './read-copy.ts';
import { compact, reclaim } from './reclaim.ts';
import type { Erasure, RecordStore } from '../store.ts';

/** Options of opening a folder. */
export interface LevelStoreOptions {
  /** `power`: what is committed survives a loss of power; `process`: it survives a killed process. */
  readonly durability: 'power' | 'process';
  /** Whether a store is begun where there is none; true unless told. */
  readonly create?: boolean;
  /** What this process does with it, for others who find it in use. */
  readonly command?: string | undefined;
}

/**
 * The store in a folder, which is made with its parents if it is missing, on LevelDB; one process at a time. Throws `STORE_IN_USE` (with the
 * owner's `pid` if it is known), `STORE_DAMAGED` before anything is touched, `STORE_TOO_NEW`,
 * `STORE_NOT_FOUND` without `create`, `OPTION_INVALID` for a folder of somebody else's files, and
 * `STORE_UNAVAILABLE` where the system refuses. A store on a full disk opens for reading: commits throw that.
 */
export async function openLevelStore(
  folder: string,
  options: LevelStoreOptions,
): Promise<RecordStore> {
  const location = toLocation(folder);
  try {
    const isFresh = (await prepare(location, options.create ?? true)) === null;
    const claim = await claimFolder(location);
    if ('openAs' in claim) throw openAlready(location, claim.openAs);
    return await openClaimed(claim, { ...options, location, isFresh }).catch((error: unknown) => {
      claim.release();
      throw error;
    });
  } catch (error) {
    const failure = isEngineError(error) ? error : unavailable(location, error);
    if (!isFull(failure) || !existsSync(join(location, 'CURRENT'))) throw failure;
    return openReadCopy(location, failure).catch(() => {
      throw failure;
    });
  }
}

/**
 * The store in a folder as it is now, for reading, whoever has it open: commands on its sessions throw
 * `STORE_READ_ONLY`. With `isListed` what a list needs comes from where it is packed, if it is, and the store is opened when more is read.
 * Throws `STORE_NOT_FOUND`, `STORE_DAMAGED`, `STORE_TOO_NEW`, `STORE_UNAVAILABLE`.
 */
export async function openLevelReader(folder: string, isListed = false): Promise<RecordStore> {
  const location = toLocation(folder);
  const refused = (error: unknown): never => {
    throw isEngineError(error) ? error : unavailable(location, error);
  };
  try {
    const noted = (await prepare(location, false)) ?? {};
    const message = `Store "${location}" is open for reading only`;
    const refusal = fail('STORE_READ_ONLY', message, { location });
    const open = (): Promise<RecordStore> => openReadCopy(location, refusal, noted);
    const seal = isListed ? await sealOf(location, noted) : null;
    const packed = seal === null ? null : await readPacked(location, seal);
    if (packed === null) return await open();
    return listFirst(packed, { location, refusal, noted, open: () => open().catch(refused) });
  } catch (error) {
    return refused(error);
  }
}

function toLocation(folder: string): string {
  if (folder !== '') return resolve(folder);
  throw fail('OPTION_INVALID', 'Location "" names no folder', { option: 'location' });
}

async function openClaimed(
  claim: Claim,
  {
    location,
    isFresh,
    durability,
    create: begins = true,
    command,
  }: LevelStoreOptions & { readonly location: string; readonly isFresh: boolean },
): Promise<RecordStore> {
  const { path } = claim;
  const sync = durability === 'power';
  const noted = await readNoted(path);
  const seal = await sealOf(path, noted);
  const heads = newHeads(noted.heads);
  let header: Header;
  const opening = (): Opening => ({ header, sync, heads: heads.all() });
  const notes = newNotes(() => noteManifest(path, opening()));
  let note: OwnerNote | undefined;
  const { Level } = await import('level');
  const db: Driver = new Level(path, { createIfMissing: isFresh });
  await openDriver(db, location);
  const packing = await takePacked(path, seal).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  // The store itself is closed to readers by then.
  const reading = (): RecordStore => storeOver(db, { location, sync, id: header.id });
  const store = await openStoreOver(db, {
    location,
    sync,
    noted: noted.header ?? {},
    begins,
    onWritten(changes) {
      heads.add(changes);
      packing.add(changes);
      // What is not synced may be lost with the power, and is not to be missed.
      if (sync) notes.soon();
    },
    onFailed: () => packing.lose(),
    async reclaim(session, kinds) {
      await removeSearch(path);
      await reclaim(db, session, kinds);
      await notes.now();
      return copiesLeft(path);
    },
    async compact(options) {
      const compaction = await compact(db, path, options);
      await notes.now();
      return compaction;
    },
    async beforeClose() {
      await Promise.all([disown(notes, note), packing.gather(reading).catch(() => undefined)]);
    },
    afterClose: () => leave(claim, opening(), packing),
  });
  try {
    header = await headerOf(store);
    await notes.now();
    note = await noteOwner(path, command);
    await shutFolder(path);
    await sweepCopies(path);
    const isNoted = isFresh || noted.heads !== undefined;
    return {
      ...store,
      noteSession: (session) => note?.name(session),
      // A failure costs no more than a kill before the note.
      noteHeads: () => notes.flush().catch(() => undefined),
      heads: () => (isNoted ? heads.all() : null),
      damagedFiles: () => damagedTables(path),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A store in memory, gone when it is closed; the same code over another driver. */
export async function openMemoryStore(): Promise<RecordStore> {
  const { MemoryLevel } = await import('memory-level');
  const db: Driver = new MemoryLevel();
  await db.open();
  return openStoreOver(db, { location: ':memory:', sync: false });
}

/** What was noted of the store; null where it has yet to be made, and the folder is there then. */
async function prepare(location: string, create: boolean): Promise<Partial<Noted> | null> {
  const holding = await inspectFolder(location);
  if (holding.is === 'store') return holding.noted;
  if (!create) throw fail('STORE_NOT_FOUND', `There is no store in "${location}"`, { location });
  if (holding.is === 'foreign') {
    const { stranger } = holding;
    const message = `Folder "${location}" holds "${stranger}", so it is no place for a store`;
    throw fail('OPTION_INVALID', message, { option: 'location', location, stranger });
  }
  await makeStoreFolder(location);
  return null;
}

/** Sweeps copies of a store, and gives those that are read. */
async function copiesLeft(path: string): Promise<Erasure['left']> {
  const copies = await sweepCopies(path);
  return copies.map((name) => ({
    kind: 'reader',
    text: `A copy that another process reads: ${join(path, copiesFolder, name)}`,
  }));
}

async function openDriver(db: Driver, location: string): Promise<void> {
  try {
    await db.open();
  } catch (error) {
    throw isLocked(error)
      ? await inUse(location, (error as Error).cause)
      : openFailure(location, error);
  }
}

/** A failure costs only one check at the next open, so it is ignored; here and in {@link leave}. */
async function disown(notes: Notes, note: OwnerNote | undefined): Promise<void> {
  await Promise.allSettled([notes.end(), note?.remove()]);
}

/** Notes what the closed store leaves behind, and gives it up. */
async function leave(claim: Claim, opening: Opening, packing: Packing): Promise<void> {
  const noted = await noteFiles(claim.path, opening).catch(() => ({}));
  await packing.put(noted).catch(() => undefined);
  await shutFolder(claim.path);
  claim.release();
}
