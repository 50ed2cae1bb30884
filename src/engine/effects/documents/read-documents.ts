import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findDocuments, type FoundDocument } from '../../../core/documents/parse-document.ts';
import { readPage } from '../../../core/documents/page-mark.ts';
import type { CheckpointDocument } from '../../../core/documents/document.ts';
import { ifThere } from '../../../store/files/if-there.ts';
import { readText } from './page-file.ts';
import { readDay, textIfPlain } from './plain-file.ts';

/**
 * The documents of a folder, or of one file, the newest first; then, of sessions that none of them tells
 * of, what their pages tell. None where there is no file.
 */
export async function* readDocuments(from: string): AsyncGenerator<CheckpointDocument> {
  for await (const { document } of findDocumentsIn(from)) yield document;
}

/** A document in a file. */
export interface DocumentInFile extends FoundDocument {
  readonly path: string;
}

/** {@link readDocuments} with the seals and files of the documents; a page carries no seal. */
export async function* findDocumentsIn(from: string): AsyncGenerator<DocumentInFile> {
  const sessions = new Set<string>();
  for (const path of await filesIn(from)) {
    const isOfPage = path !== from && isPage.test(basename(path));
    const text = await (isOfPage
      ? textIfPlain(readText(path))
      : readDay(path === from ? await realpath(from) : path));
    const page = isPage.test(basename(path)) ? readPage(text) : null;
    if (isOfPage && (page === null ? sessions.size > 0 : sessions.has(page.session))) continue;
    const day = dayOfFile.exec(basename(path))?.[1] ?? '';
    const found =
      page === null
        ? findDocuments(text, day).toReversed()
        : [{ document: page, content: text, seal: '' }];
    for (const one of found) {
      sessions.add(one.document.session);
      yield { ...one, path };
    }
  }
}

const dayOfFile = /^(\d{4}-\d{2}-\d{2})\.md$/;

/** A page: of the session that wrote last, of another one, or one that was kept. */
const isPage = /^NOW\.(?:[\w.+-]+\.)?md$/;

/** The files of days in a folder, the newest first, then the pages of sessions; a file itself. */
async function filesIn(from: string): Promise<readonly string[]> {
  const found = await ifThere(stat(from), null);
  if (found === null) return [];
  if (found.isFile()) return [from];
  const names = await readdir(from);
  const days = names.filter((name) => dayOfFile.test(name)).toSorted();
  const pages = names.filter((name) => isPage.test(name) && !name.includes('+'));
  const inOrder = pages.toSorted((a, b) => a.length - b.length || a.localeCompare(b));
  return [...days.reverse(), ...inOrder].map((name) => join(from, name));
}
