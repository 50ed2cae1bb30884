import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isEngineError, openStore } from '../../index.ts';
import { quote, storeFolder, type CommandCall } from '../call/call.ts';
import { toFailure } from '../call/exit.ts';
import { many } from '../paper/size.ts';
import { exists } from '../sessions/store/exists.ts';
import { latestFirst } from '../sessions/pick.ts';
import { badFinding, goodFinding, oddFinding, type Finding } from './finding.ts';

/** The oldest Node that works: major, minor. */
const leastNode = [20, 19] as const;

const otherFolder = 'Another folder: --store <folder>';

/** Checks the version of Node. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < leastNode[0] || (major === leastNode[0] && minor < leastNode[1]);
  const fix = `Install Node ${leastNode.join('.')} or newer.`;
  return isOld
    ? badFinding('node', `${version} is too old`, { fix, detail: { version } })
    : goodFinding('node', version, { version });
}

/** Checks that the store exists, can be read, and is free. */
export async function checkStore(call: CommandCall): Promise<Finding> {
  let folder = '.flamestack';
  try {
    folder = storeFolder(call);
    const store = await openStore(folder, { create: false });
    try {
      const sessions = await latestFirst(store);
      const pending = sessions.reduce((sum, one) => sum + one.pending, 0);
      const owed =
        pending === 0 ? '' : `, ${many(pending, 'summary', 'summaries')} still to be written`;
      const text = `${folder}: ${many(sessions.length, 'session')}${owed}`;
      const detail = { folder, sessions: sessions.length, pending };
      if (!(await isOpenToOthers(folder))) return goodFinding('store', text, detail);
      const fix = `Close it to them: chmod 700 ${quote(folder)}`;
      return oddFinding('store', `${text}; others may look into it`, { fix, detail });
    } finally {
      await store.close();
    }
  } catch (error) {
    const { message, advice } = toFailure(error, call);
    if (isEngineError(error, 'STORE_NOT_FOUND')) return checkPlace(folder);
    const fix = advice === '' ? otherFolder : advice;
    return badFinding('store', message, { fix, detail: { folder } });
  }
}

/** Whether other users of the machine may look into a folder; a store that is in none is its server's. */
const isOpenToOthers = (folder: string): Promise<boolean> =>
  stat(folder).then(
    ({ mode }) => process.platform !== 'win32' && (mode & 0o077) !== 0,
    () => false,
  );

/** Checks that a store can be made. */
async function checkPlace(folder: string): Promise<Finding> {
  const detail = { folder, sessions: 0 };
  const parent = await nearest(resolve(folder));
  const isFolder = (await stat(parent)).isDirectory();
  const isOurs = await access(parent, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (isFolder && isOurs)
    return goodFinding('store', `${folder} is not there yet; a chat makes it`, detail);
  const why = isFolder ? 'may not be written to' : 'is no folder';
  return badFinding('store', `${folder} cannot be made: ${parent} ${why}`, {
    fix: otherFolder,
    detail,
  });
}

/** The nearest existing ancestor of a path, or the path itself. */
async function nearest(path: string): Promise<string> {
  return (await exists(path)) || dirname(path) === path ? path : nearest(dirname(path));
}
