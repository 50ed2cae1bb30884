// Appends documents to a file, one after the other.
// With `rename` or `write` as its end it is killed on the first document: when the
// file is about to be put in its place, or when half of it is written.

import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [compiled, path, name, count, end] = process.argv.slice(2);
const die = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
};

if (end === 'rename') fs.rename = die;
if (end === 'write') {
  const { open } = fs;
  fs.open = async (file, ...rest) => {
    const handle = await open(file, ...rest);
    if (!String(file).endsWith('.tmp')) return handle;
    const { writeFile } = handle;
    handle.writeFile = async (whole) => {
      await writeFile.call(handle, whole.subarray(0, whole.length - 10));
      return die();
    };
    return handle;
  };
}
syncBuiltinESMExports();

const { appendDocument } = await import(
  pathToFileURL(join(compiled, 'src/engine/effects/documents/day-file.js')).href
);
for (let n = 1; n <= Number(count); n += 1) {
  const mark = JSON.stringify({ id: `${name}/${n}`, session: name, at: 0, reason: '' });
  await appendDocument(
    path,
    `## Checkpoint [10:00] — Message #${n}\n\n<!-- flamestack ${mark} -->\n`,
  );
}
