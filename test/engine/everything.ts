import { encodeState } from '../../src/engine/journal/state-codec.ts';
import type { openOver } from '../../src/engine/open/open-store.ts';
import { kinds } from '../../src/store/store.ts';
import type { Disk } from './disk.ts';

/** All that a refusal must leave as it was: the state of session `s` in memory, and every row of the store. */
export async function everything(
  disk: Disk,
  store: Awaited<ReturnType<typeof openOver>>,
): Promise<string> {
  const records = disk.mount();
  const rows: string[] = [];
  for (const kind of kinds)
    for await (const row of records.range(kind, {})) rows.push(JSON.stringify([kind, ...row]));
  return [JSON.stringify(encodeState((await store.live('s')).state)), ...rows].join('\n');
}
