import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { maskedPage, pageFile, readPageMark } from '../../../core/documents/page-mark.ts';
import { maskedDocuments } from '../../../core/documents/parse-document.ts';
import type { Mask } from '../../../core/text/redaction.ts';
import { ifThere } from '../../../store/files/if-there.ts';
import type { RecordStore } from '../../../store/store.ts';
import { formerSeals } from './document-seal.ts';
import { holding } from './file-lock.ts';
import { changeCopy, readCopy } from './page-copy.ts';
import { dayFiles, pathOf, readText } from './page-file.ts';
import { readDay, textIfPlain } from './plain-file.ts';
import { replaceFile } from './replace-file.ts';

/** Masks a text in the documents and the page of a session; what people wrote between documents stays. What was sealed is again, by the key of now. Gives the files that the text was in. */
export async function redactDocuments(
  folder: string,
  {
    session,
    mask,
    store,
  }: { readonly session: string; readonly mask: Mask; readonly store: RecordStore },
): Promise<readonly string[]> {
  const changed: string[] = [];
  const seals = await formerSeals(store, session);
  for (const name of await dayFiles(folder)) {
    const path = join(folder, name);
    await holding(path, async () => {
      const masked = (text: string, by: Mask): string =>
        maskedDocuments(text, by, { session, seals });
      if (await maskIn(path, masked, mask)) changed.push(path);
    });
  }
  const isBare = (await pagesOf(folder, session)).length === 0;
  if (isBare && (await readCopy(folder, session)) === '') return changed;
  await holding(join(folder, pageFile), async () => {
    await changeCopy(folder, { session, seals }, (text) => maskedPage(text, mask));
    // Whoever held the page until now may have put it under another name.
    for (const path of await pagesOf(folder, session))
      if (await maskIn(path, maskedPage, mask)) changed.push(path);
  });
  return changed;
}

/** The page of a session, and those of it that were kept. */
async function pagesOf(folder: string, session: string): Promise<readonly string[]> {
  const names = await ifThere(readdir(folder), []);
  const pages = new Set<string>();
  const own = await pathOf(folder, session);
  if (own !== null) pages.add(own);
  for (const name of names.filter((one) => /^NOW\.(?:.+\.)?md$/.test(one))) {
    const text = await textIfPlain(readText(join(folder, name)));
    if (readPageMark(text)?.session === session) pages.add(join(folder, name));
  }
  return [...pages];
}

/** Replaces a file where a text in it is masked, or sealed anew, and takes away what a crash left of writing it; says whether the text was in it. */
async function maskIn(
  path: string,
  masked: (text: string, mask: Mask) => string,
  mask: Mask,
): Promise<boolean> {
  await rm(join(dirname(path), `.${basename(path)}.tmp`), { force: true });
  const text = await readDay(path);
  const next = masked(text, mask);
  if (next === text) return false;
  await replaceFile(path, next);
  return next !== masked(text, (one) => one);
}
