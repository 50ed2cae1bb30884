import { isEngineError, openStore } from '../../index.ts';
import { quote, storeFolder, type Call } from '../call.ts';
import { toFailure } from '../exit.ts';
import { latestFirst } from '../pick.ts';
import { many } from '../render/size.ts';
import { bad, good, odd, type Finding } from './finding.ts';

/** The oldest Node that works: major, minor. */
const least = [20, 19] as const;

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
export async function checkStore(call: Call): Promise<Finding> {
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
    if (isEngineError(error, 'STORE_NOT_FOUND'))
      return good('store', `${folder} is not there yet; a chat makes it`, { folder, sessions: 0 });
    if (isEngineError(error, 'STORE_IN_USE')) return odd('store', message, { fix: advice, detail });
    const fix = advice === '' ? `Another folder: --store ${quote(`${folder}-2`)}` : advice;
    return bad('store', message, { fix, detail });
  }
}
