import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import type { Seals } from '../../../core/documents/parse-document.ts';
import { readPlain } from './plain-file.ts';
import { replaceFile } from './replace-file.ts';

// The hidden copy of a page says how it was written. The seal behind it says that this store did: a copy that
// came along with a folder says nothing.

/** Whose page it is, and by which seals the store knows it. */
export interface PageOwner {
  readonly session: string;
  readonly seals: Seals;
}

/** A page as this store writes it, or takes it for written. */
export interface PageText extends PageOwner {
  readonly text: string;
}

/** Longest copy, in bytes. */
const longest = 262_144;

/** Stands before the seal of a copy. */
const sealMark = '\0seal ';

/** Takes a page as it was read for what was written, once an edit was taken in. */
export const acceptPage = (folder: string, { session, text, seals }: PageText): Promise<void> =>
  writeCopy(folder, session, { text, seal: seals.make(contentOf(session, text)) });

/** Takes what was known of the page of a lost session for known in this store. */
export async function adoptPage(folder: string, page: PageOwner): Promise<void> {
  const text = await readCopy(folder, page.session);
  if (text !== '') await acceptPage(folder, { ...page, text });
}

/** Changes what is known of a page; it is sealed again where it was, by the key of now. */
export async function changeCopy(
  folder: string,
  page: PageOwner,
  change: (text: string) => string,
): Promise<void> {
  const { text, isKnown } = await copyOf(folder, page);
  const changed = change(text);
  if (changed === text && !isKnown) return;
  if (isKnown) await acceptPage(folder, { ...page, text: changed });
  else await writeCopy(folder, page.session, { text: changed, seal: '' });
}

/** A page as it was written last; '' where nobody knows. */
export const readCopy = async (folder: string, session: string): Promise<string> =>
  (await readSealed(folder, session)).text;

/** The same, and whether this store wrote it. */
export async function copyOf(
  folder: string,
  { session, seals }: PageOwner,
): Promise<{ readonly text: string; readonly isKnown: boolean }> {
  const { text, seal } = await readSealed(folder, session);
  return { text, isKnown: seals.holds(contentOf(session, text), seal) };
}

/** A page as it was written last, and the seal of who wrote it. */
interface SealedCopy {
  readonly text: string;
  readonly seal: string;
}

async function readSealed(folder: string, session: string): Promise<SealedCopy> {
  try {
    const bytes = await readPlain(copyPath(folder, session), longest);
    const whole = inflateSync(bytes, { maxOutputLength: longest }).toString();
    const at = whole.lastIndexOf(sealMark);
    if (at < 0) return { text: whole, seal: '' };
    return { text: whole.slice(0, at), seal: whole.slice(at + sealMark.length) };
  } catch {
    return { text: '', seal: '' };
  }
}

async function writeCopy(
  folder: string,
  session: string,
  { text, seal }: SealedCopy,
): Promise<void> {
  await replaceFile(copyPath(folder, session), deflateSync(`${text}${sealMark}${seal}`));
}

const contentOf = (session: string, text: string): string => `page\n${session}\n${text}`;

/** The hidden copy of the page of a session. */
export const copyPath = (folder: string, session: string): string =>
  join(folder, `.NOW.${session}.z`);
