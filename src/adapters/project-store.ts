import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The store of the project in which a folder lies, the innermost that there is; null where there is none. */
export function projectStore(folder: string): string | null {
  const store = join(folder, '.flamestack');
  if (existsSync(store)) return store;
  const parent = dirname(folder);
  return parent === folder ? null : projectStore(parent);
}
