import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isEngineError, openStore } from '../../index.ts';
import { storeFolder, type CommandCall } from '../call/call.ts';
import { toFailure } from '../call/exit.ts';
import { many } from '../paper/size.ts';
import { exists } from '../sessions/exists.ts';
import { latestFirst } from '../sessions/pick.ts';
import { bad, good, type Finding } from './finding.ts';

/** The oldest Node that works: major, minor. */
const least = [20, 19] as const;

const elsewhere = 'Another folder: --store <folder>';

/** Whether Node is new enough. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < least[0] || (major === least[0] && minor < least[1]);
  const fix = `Install Node ${least.join('.')} or newer.`;
  return isOld
    ? bad('node', `${version} is too old`, { fix, detail: { version } })
    : good('node', version, { version });
}

/** Whether the store is there, can be read, and is free. */
export async function checkStore(call: CommandCall): Promise<Finding> {
  const folder = storeFolder(call);
  const detail = { folder };
  try {
    const store = await openStore(folder, { create: false });
    try {
      const sessions = await latestFirst(store);
      const pending = sessions.reduce((sum, one) => sum + one.pending, 0);
      const owed = pending === 0 ? '' : `, ${many(pending, 'summary', 'summaries')} pending`;
      const text = `${folder}: ${many(sessions.length, 'session')}${owed}`;
      return good('store', text, { folder, sessions: sessions.length, pending });
    } finally {
      await store.close();
    }
  } catch (error) {
    const { message, advice } = toFailure(error);
    if (isEngineError(error, 'STORE_NOT_FOUND')) return checkPlace(folder);
    const fix = advice === '' ? elsewhere : advice;
    return bad('store', message, { fix, detail });
  }
}

/** Whether a store can be made. */
async function checkPlace(folder: string): Promise<Finding> {
  const detail = { folder, sessions: 0 };
  const parent = await nearest(resolve(folder));
  const isFolder = (await stat(parent)).isDirectory();
  const isOurs = await access(parent, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (isFolder && isOurs)
    return good('store', `${folder} is not there yet; a chat makes it`, detail);
  const why = isFolder ? 'may not be written to' : 'is no folder';
  return bad('store', `${folder} cannot be made: ${parent} ${why}`, {
    fix: elsewhere,
    detail,
  });
}

/** The nearest thing on the way to a path that is there. */
async function nearest(path: string): Promise<string> {
  return (await exists(path)) || dirname(path) === path ? path : nearest(dirname(path));
}
