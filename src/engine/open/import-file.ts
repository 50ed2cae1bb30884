import { frameId } from '../../core/values/id.ts';
import { frameOf } from '../../core/frames/tree.ts';
import type { SourceInput } from '../../import/source/source.ts';
import type { ImportOptions, ImportResult } from '../import/import-options.ts';
import { importSession, type ImportTarget } from '../import/import.ts';
import type { LiveSession } from '../live/live-session.ts';
import { abandonEntries } from '../sync/switch-branch.ts';
import type { StoreContext } from './store-context.ts';

/** Imports a session file into a store. While it does, the session writes no checkpoint documents of what happened elsewhere. */
export async function importFile(
  { sessions, maxQueued, open }: StoreContext & Pick<ImportTarget, 'open'>,
  source: SourceInput,
  options: ImportOptions,
): Promise<ImportResult> {
  const importing: LiveSession[] = [];
  const looked: LiveSession[] = [];
  const target: ImportTarget = {
    maxQueued,
    async open(id, options, fresh) {
      const session = await open(id, options, fresh);
      const live = await sessions.get(id);
      live.imports += 1;
      importing.push(live);
      return session;
    },
    abandon: async (id, run) => abandonEntries(await sessions.get(id), run),
    statusOf: async (id, frame) => frameOf((await sessions.get(id)).state.frames, frame).status,
    async standing(id) {
      const live = await sessions.get(id);
      looked.push(live);
      if (live.isNew || live.state.entryCount === 0) return null;
      const { options, entryCount: entries, frames } = live.state;
      const { agent } = options;
      const { title } = frameOf(frames, frameId(0));
      return { id, title, entries, ...(agent === undefined ? {} : { agent }) };
    },
    answered: async (id, key) => (await sessions.get(id)).answered(key),
  };
  try {
    return await importSession(target, source, options);
  } finally {
    for (const live of importing) live.imports -= 1;
    for (const live of looked) sessions.sweep(live);
  }
}
