import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutDocuments } from '../../../core/documents/parse-document.ts';
import type { Remains } from '../../../store/store.ts';
import { holding } from './file-lock.ts';
import { dayFiles, erasePage } from './page-file.ts';
import { readDay } from './plain-file.ts';
import { replaceFile } from './replace-file.ts';

/** What was taken out of a folder of documents. */
interface ErasedDocuments {
  /** The files that a session was taken out of. */
  readonly files: readonly string[];
  /** Pages of which nobody knows whose they are. */
  readonly unknown: readonly Remains[];
}

/** Takes the documents and the page of a session out of a folder; what people wrote between documents stays. Null is no folder. */
export async function eraseDocuments(
  folder: string | null,
  session: string,
): Promise<ErasedDocuments> {
  if (folder === null) return { files: [], unknown: [] };
  const files: string[] = [];
  for (const name of await dayFiles(folder)) {
    const path = join(folder, name);
    if (await eraseIn(path, session)) files.push(path);
  }
  const { erased, kept } = await erasePage(folder, session);
  return {
    files: [...files, ...erased.map((name) => join(folder, name))],
    unknown: kept.map((name) => ({
      kind: 'page',
      text: `A page of which nobody knows whose it is: ${join(folder, name)}`,
    })),
  };
}

/** Takes the documents of a session out of the file of a day, which goes where nothing else is in it; says whether there were any. */
async function eraseIn(path: string, session: string): Promise<boolean> {
  let isErased = false;
  await holding(path, async () => {
    const text = await readDay(path);
    const rest = withoutDocuments(text, session);
    isErased = rest !== text;
    if (!isErased) return;
    if (rest.trim() === '') await rm(path);
    else await replaceFile(path, rest);
  });
  return isErased;
}
