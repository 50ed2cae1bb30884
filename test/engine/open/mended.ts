import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '../../../src/index.ts';
import { filesIn, newLocation } from '../../store/folder.ts';

/** Entries of a {@link saidStore}. */
export const total = 60;

/** A closed store with a session `s` of sixty entries. */
export async function saidStore(word = 'said'): Promise<string> {
  const location = await newLocation();
  await using store = await openStore(location);
  const session = await store.open('s', { window: 2_000 });
  for (let n = 1; n <= total; n += 1)
    await session.append({ role: 'assistant', content: `${word} ${n} ${'and more '.repeat(60)}` });
  return location;
}

/** Flips a bit of a closed store: in entry 30 where it is in a log, else in the middle of a table. */
export async function flipBit(location: string): Promise<void> {
  for (const name of await filesIn(location, /\.(log|ldb)$/)) {
    const bytes = await readFile(join(location, name));
    const entry = bytes.indexOf(' 30 and more');
    if (entry < 0 && name.endsWith('.log')) continue;
    bytes[entry < 0 ? bytes.length >> 1 : entry + 1]! ^= 1;
    await writeFile(join(location, name), bytes);
    return;
  }
}

/** The content of each entry of a store that can be read, by its id. */
export async function contents(location: string): Promise<ReadonlyMap<string, unknown>> {
  await using store = await openStore(location, { create: false });
  const session = await store.open('s');
  const read = new Map<string, unknown>();
  for await (const { id, content } of session.log({ onLost: () => undefined }))
    read.set(id, content);
  return read;
}
