import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readSmallFile, sealOf, type ClosedNote } from './packed-rows.ts';

// What a search makes of thousands of short sessions is kept beside the store for the next. Each session in it has a
// stamp, so the file counts as long as that is the one of the session, whoever wrote to others. It is written by who
// reads a store that is closed, and by way of its own copy, so that a killed one leaves nothing; who deletes or redacts
// takes it away. A reader whose copy is older than that sees behind its write that the store was opened, and takes it
// away, too.

/** The file that holds what searches made of a store. */
export const searchFile = 'search.packed';

/** The format of the file; one of another is not read. */
const searchFormat = 1;

const digits = 8;

/** What was made of the store that was so noted; null where nothing is kept, or it was changed. */
export async function readSearch(location: string, noted: ClosedNote): Promise<string | null> {
  const bytes = await readSmallFile(join(location, searchFile));
  if (bytes === null) return null;
  const body = bytes.subarray(digits + 1);
  return bytes.toString('latin1', 0, digits) === sumOf(noted, body)
    ? body.toString('latin1')
    : null;
}

/** Keeps what was made of a store that is still closed as it was noted, by way of the folder `aside`. */
export async function writeSearch(
  location: string,
  { noted, aside }: { readonly noted: ClosedNote; readonly aside: string },
  text: string,
): Promise<void> {
  const file = join(aside, searchFile);
  if ((await sealOf(location, noted)) === null) return;
  await writeFile(file, `${sumOf(noted, text)} ${text}`, { mode: 0o600 });
  await rename(file, join(location, searchFile));
  if ((await sealOf(location, noted)) === null) await removeSearch(location);
}

/** Takes away what is kept. */
export const removeSearch = (location: string): Promise<void> =>
  rm(join(location, searchFile), { force: true, recursive: true });

const sumOf = ({ header }: ClosedNote, body: Uint8Array | string): string =>
  crc32(body, crc32(JSON.stringify([searchFormat, header?.id])))
    .toString(16)
    .padStart(digits, '0');
