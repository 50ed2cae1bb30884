import type { Store } from '../store/store.ts';
import type { Importing, OpenFor } from './import.ts';
import type { Live } from './live.ts';
import type { Lives } from './lives.ts';
import { abandonEntries } from './take-way.ts';

/** Does `work`, and counts the sessions that it opens as being imported into until it ends. */
export async function whileImporting<T>(
  given: { readonly open: OpenFor; readonly lives: Lives; readonly records: Store },
  work: (importing: Omit<Importing, 'maxQueued'>) => Promise<T>,
): Promise<T> {
  const { open, lives, records } = given;
  const taking: Live[] = [];
  const opening: OpenFor = async (id, options, fresh) => {
    const session = await open(id, options, fresh);
    const one = await lives.get(id);
    one.imports += 1;
    taking.push(one);
    return session;
  };
  try {
    return await work({
      open: opening,
      leave: async (id, run) => abandonEntries(await lives.get(id), records, run),
      answered: async (id, key) => (await lives.get(id)).answered(key),
    });
  } finally {
    for (const one of taking) one.imports -= 1;
  }
}
