import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateRawSync, inflateSync } from 'node:zlib';
import { fileRows } from '../../src/store/salvage/file-rows.ts';

/** A word that no compression makes shorter, so that its bytes stand wherever it was written. */
export const secret = (of: string, n: number): string =>
  `sk${createHash('sha256').update(`${of} ${n}`).digest('hex').slice(0, 28)}`;

/** Where in the files of a folder one of these words stands: in the bytes as UTF-8 or UTF-16, in rows that LevelDB or we made shorter, in what a page had. */
export async function placesOf(
  folder: string,
  words: readonly string[],
): Promise<readonly string[]> {
  const found = new Set<string>();
  const look = (text: string, place: string): void => {
    for (const word of words)
      if (text.toLowerCase().includes(word.toLowerCase()))
        found.add(`${place}: ${around(text, word)}`);
  };
  for (const file of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!file.isFile()) continue;
    // The guard writes a file beside its own and renames it, at any time.
    if (file.name.endsWith('.tmp')) continue;
    const bytes = await readFile(join(file.parentPath, file.name));
    look(bytes.toString(), file.name);
    look(bytes.toString('utf16le'), file.name);
    look(bytes.subarray(1).toString('utf16le'), file.name);
    if (file.name.endsWith('.z')) look(inflateSync(bytes).toString(), file.name);
    if (!/\.(?:ldb|log)$/.test(file.name)) continue;
    for (const { key, text } of fileRows(bytes, null)) {
      const [, kind = '', name = ''] = /^!([a-z]+)!(.*)$/s.exec(key) ?? [];
      if (text === null) look(name, `${file.name} ${kind} key`);
      else look(JSON.stringify([name, bodyOf(text)]), `${file.name} ${kind} ${name}`);
    }
  }
  return [...found];
}

/** The body of a record, whatever its sum. */
function bodyOf(record: string): string {
  const [, mark, body = ''] = /^.{8}\d*([ z])(.*)$/s.exec(record) ?? [];
  return mark === 'z' ? inflateRawSync(Buffer.from(body, 'base64')).toString() : body;
}

const around = (text: string, word: string): string => {
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  return JSON.stringify(text.slice(Math.max(0, at - 40), at + word.length + 20));
};
