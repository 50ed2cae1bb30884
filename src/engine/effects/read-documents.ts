import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseDocuments } from '../../core/documents/parse-document.ts';
import { pageFile } from '../../core/documents/page-mark.ts';
import type { CheckpointDocument } from '../../core/documents/document.ts';

/** The documents of a folder, or of one file, the newest first; none where there is no file. */
export async function* readDocuments(from: string): AsyncGenerator<CheckpointDocument> {
  for (const path of await filesIn(from)) {
    const day = dayOfFile.exec(basename(path))?.[1] ?? '';
    yield* parseDocuments(await readFile(path, 'utf8'), day).toReversed();
  }
}

const dayOfFile = /^(\d{4}-\d{2}-\d{2})\.md$/;

/** The files of days in a folder, the newest first, without any the page; a file itself. */
async function filesIn(from: string): Promise<readonly string[]> {
  const found = await stat(from).catch(() => null);
  if (found === null) return [];
  if (found.isFile()) return [from];
  const names = await readdir(from);
  const days = names.filter((name) => dayOfFile.test(name)).toSorted();
  const pages = names.filter((name) => name === pageFile);
  return (days.length > 0 ? days.reverse() : pages).map((name) => join(from, name));
}
