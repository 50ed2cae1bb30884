import { watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** Milliseconds after a change until the next run, so that an editor is done writing. */
const calm = 80;

/** Resolves once one of the files, or a trace beside them, was changed, or the signal aborts. */
export function changeOf(files: readonly string[], signal: AbortSignal): Promise<void> {
  const names = new Set(files.map((file) => resolve(file)));
  const folders = [...new Set([...names].map((file) => dirname(file)))];
  return new Promise((done) => {
    const watchers = folders.map((folder) =>
      watch(folder, (_, name) => {
        const file = name === null ? null : resolve(folder, name);
        if (file === null || names.has(file) || basename(file).endsWith('.trace'))
          setTimeout(end, calm);
      }),
    );
    function end(): void {
      for (const watcher of watchers) watcher.close();
      signal.removeEventListener('abort', end);
      done();
    }
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}
