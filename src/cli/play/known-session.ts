import { openStore, type ImportOptions, type Store } from '../../index.ts';

/** Whether the store has the session of this file; finds its id by a look at its beginning. */
export async function hasSessionOf(
  store: Store,
  file: string | Uint8Array,
  options: ImportOptions,
): Promise<boolean> {
  const ids = new Set<string>();
  for await (const { id } of store.sessions()) ids.add(id);
  if (ids.size === 0) return false;
  const enough = new AbortController();
  const trial = await openStore(':memory:');
  let id = '';
  try {
    await trial.import(file, {
      ...options,
      signal: enough.signal,
      onProgress: ({ session }) => {
        id = session.id;
        enough.abort();
      },
    });
  } catch (error) {
    if (!enough.signal.aborted) throw error;
  } finally {
    await trial.close();
  }
  return ids.has(id);
}
