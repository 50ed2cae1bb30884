import { lstat, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  pageEdits,
  pageFile,
  readPageMark,
  sharedLines,
  type PageEdit,
} from '../../../core/documents/page-mark.ts';
import type { Seals } from '../../../core/documents/parse-document.ts';
import {
  acceptPage,
  copyOf,
  copyPath,
  readCopy,
  type PageOwner,
  type PageText,
} from './page-copy.ts';
import { ifThere } from '../../../store/files/if-there.ts';
import { makeFolder } from '../../../store/files/make-folder.ts';
import { holding } from './file-lock.ts';
import { failure, readPlain, textIfPlain } from './plain-file.ts';
import { replaceFile } from './replace-file.ts';

// The page of a session in its folder. `NOW.md` is of the session that wrote last;
// that of another one that shares the folder stands beside it, under its name. A
// hidden copy says how it was written, so that an edit by hand is told line by line,
// also when the store is gone, and whose page it is; what a page says of itself anybody
// can write. A page of nobody is kept beside. No link is followed.

/** How a page was found. */
export type PageFound =
  | { readonly is: 'as written' | 'missing' }
  | {
      readonly is: 'edited';
      readonly edit: PageEdit;
      readonly text: string;
      /** When it was written before that, in milliseconds since 1970. */
      readonly at: number;
    }
  /** It is no page of text, or too much was put in: `EFBIG`, `EMSGSIZE`, `EILSEQ`, or what the system says. */
  | { readonly is: 'unreadable'; readonly reason: string };

/** Longest page that is read, and most that is put into it by one edit, in bytes. */
const longest = { page: 65_536, edit: 8_192 } as const;

/** How long a page must stay the same to be taken for written, in milliseconds: an editor empties a file before it fills it. */
const calm = 30;

/** A stamp of the pages that changes when somebody writes to one. */
async function stampOf(folder: string, session: string): Promise<string> {
  const names = [pageFile, besideName(session)];
  const found = await Promise.all(names.map((name) => lstat(join(folder, name)).catch(() => null)));
  return found.map((one) => (one === null ? '' : `${one.ino} ${one.size} ${one.mtimeMs}`)).join();
}

/** The stamp of the page of a session once nobody writes to it; at once where it is the one that was `seen`. */
export async function pageStamp(folder: string, session: string, seen?: string): Promise<string> {
  let stamp = await stampOf(folder, session);
  for (let left = 20; left > 0 && stamp !== seen; left -= 1) {
    await sleep(calm);
    const next = await stampOf(folder, session);
    if (next === stamp) break;
    stamp = next;
  }
  return stamp;
}

/** Looks whether somebody edited the page of a session. */
export async function lookAtPage(folder: string, session: string): Promise<PageFound> {
  try {
    const path = await pathOf(folder, session);
    if (path === null) return { is: 'missing' };
    const text = await readText(path);
    if (isOwn(text, session)) return { is: 'as written' };
    const before = await readCopy(folder, session);
    const edit = pageEdits(before, text);
    const isSame = edit.added.length === 0 && edit.removed.length === 0;
    if (Buffer.byteLength(edit.added.join('\n')) > longest.edit)
      return { is: 'unreadable', reason: 'EMSGSIZE' };
    const at = readPageMark(before)?.at ?? 0;
    return isSame ? { is: 'as written' } : { is: 'edited', edit, text, at };
  } catch (error) {
    return { is: 'unreadable', reason: (error as NodeJS.ErrnoException).code ?? 'EIO' };
  }
}

/** What became of a page that was to be written. */
interface PageWritten {
  /** Its stamp; null where it was not written. */
  readonly stamp: string | null;
  /** The file that a page of nobody was kept in; '' for none. */
  readonly kept: string;
}

/**
 * Writes the page of a session in place of what `NOW.md` held, unless somebody edited it since it was
 * looked at. Another session's page is put beside it, and so is one of nobody.
 */
export async function writePage(folder: string, page: PageText): Promise<PageWritten> {
  const { session, text } = page;
  await makeFolder(folder);
  const path = join(folder, pageFile);
  let written: PageWritten = { stamp: null, kept: '' };
  await holding(path, async () => {
    const found = await lookAtPage(folder, session);
    if (found.is === 'edited' || found.is === 'unreadable') return;
    const beside = join(folder, besideName(session));
    if ((await pathOf(folder, session)) === beside) await rm(beside);
    const kept = [await putAside(folder, session), await keep(folder, besideName(session))];
    await acceptPage(folder, page);
    await replaceFile(path, text);
    written = { stamp: await stampOf(folder, session), kept: kept.filter(Boolean).join(', ') };
  });
  return written;
}

/** Puts what `NOW.md` holds beside it, unless it is the page of this session; gives the name that a page of nobody got, else ''. */
async function putAside(folder: string, session: string): Promise<string> {
  const path = join(folder, pageFile);
  const owner = await ownerOf(folder);
  if (owner === session || !(await isThere(path))) return '';
  const beside = owner === null ? '' : besideName(owner);
  if (beside === '' || (await isThere(join(folder, beside)))) return keep(folder, pageFile);
  await rename(path, join(folder, beside));
  return '';
}

/** Renames a page of nobody; gives its new name, '' where there is none. */
async function keep(folder: string, name: string): Promise<string> {
  if (!(await isThere(join(folder, name)))) return '';
  for (let n = 1; ; n += 1) {
    const kept = `NOW.kept+${n}.md`;
    if (await isThere(join(folder, kept))) continue;
    await rename(join(folder, name), join(folder, kept));
    return kept;
  }
}

/** Takes what `NOW.md` holds for the page of a session, which is all that it was recovered from. */
export const claimPage = async (folder: string, page: PageOwner): Promise<void> =>
  acceptPage(folder, { ...page, text: await readText(join(folder, pageFile)) });

/** Whether this store wrote the page of a session as it stands there. */
export async function isPageKnown(folder: string, page: PageOwner): Promise<boolean> {
  const path = await pathOf(folder, page.session);
  const { text, isKnown } = await copyOf(folder, page);
  return path !== null && isKnown && text === (await readText(path));
}

/**
 * Renames the page of a session that was lost, of whose name is one begun `since`, and one of which a hidden copy
 * tells that this store did not make; gives its new name, '' where there is none.
 */
export async function keepLostPage(
  folder: string,
  session: string,
  { since, seals }: { readonly since: number; readonly seals: Seals },
): Promise<string> {
  const path = await pathOf(folder, session);
  if (path === null) return '';
  const { text, isKnown } = await copyOf(folder, { session, seals });
  const isForeign = text !== '' && !isKnown;
  const pageText = text || (await readText(path));
  if (!isForeign && (readPageMark(pageText)?.at ?? since) >= since) return '';
  let kept = '';
  await holding(join(folder, pageFile), async () => {
    kept = await keep(folder, basename(path));
    await rm(copyPath(folder, session), { force: true });
  });
  return kept;
}

/** Removes the page of a session, and what is known of it; gives the names of what went, and of pages that were kept and are nobody's. */
export async function erasePage(
  folder: string,
  session: string,
): Promise<{ readonly erased: readonly string[]; readonly kept: readonly string[] }> {
  const names: readonly string[] = await ifThere(readdir(folder), []);
  const kept: string[] = [];
  const gone: string[] = [];
  const path = await pathOf(folder, session);
  if (path !== null) gone.push(basename(path));
  for (const name of names.filter((one) => /^NOW\.kept\+\d+\.md$/.test(one))) {
    const text = await textIfPlain(readText(join(folder, name)));
    const mark = readPageMark(text);
    if (mark?.session === session) gone.push(name);
    else if (mark === null) kept.push(name);
  }
  const copy = basename(copyPath(folder, session));
  if (names.includes(copy)) gone.push(copy);
  if (gone.length > 0)
    await holding(join(folder, pageFile), async () => {
      for (const name of gone) await rm(join(folder, name), { force: true });
    });
  return { erased: gone, kept };
}

/** Where the page of a session stands: in `NOW.md` where that is its own, else beside it; null for nowhere. */
export async function pathOf(folder: string, session: string): Promise<string | null> {
  if ((await ownerOf(folder)) === session) return join(folder, pageFile);
  const beside = join(folder, besideName(session));
  if (!(await isThere(beside))) return null;
  if (await isThere(copyPath(folder, session))) return beside;
  return isOwn(await readText(beside).catch(() => ''), session) ? beside : null;
}

/** Whether a page says that it is as this session wrote it. */
function isOwn(text: string, session: string): boolean {
  const mark = readPageMark(text);
  return mark?.session === session && mark.isAsWritten;
}

/**
 * The session that `NOW.md` is of, by the kept copies: the one that has written it as it is, else, of
 * those whose page stands nowhere else, the one that most of its lines are from. An empty one, or what
 * cannot be read, is of the one that wrote last. Null where it is of nobody, or there is none.
 */
async function ownerOf(folder: string): Promise<string | null> {
  const path = join(folder, pageFile);
  if (!(await isThere(path))) return null;
  const text = await readText(path).catch(() => '');
  const sessions = await copiesIn(folder);
  const mark = readPageMark(text);
  const named = mark?.isAsWritten === true ? mark.session : null;
  if (named !== null && !sessions.includes(named)) return named;
  const names = new Set(await readdir(folder));
  let best: { readonly session: string; readonly shared: number } | null = null;
  for (const session of sessions) {
    const copy = await readCopy(folder, session);
    if (session === named && copy === text) return session;
    if (names.has(besideName(session))) continue;
    const shared = text.trim() === '' ? 1 : sharedLines(copy, text);
    if (shared > (best?.shared ?? 0)) best = { session, shared };
  }
  return best?.session ?? null;
}

/** The sessions that have a copy in a folder, the one that wrote last first. */
async function copiesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const found = names.flatMap((name) => /^\.NOW\.([\w.-]{1,64})\.z$/.exec(name)?.[1] ?? []);
  const times = await Promise.all(
    found.map(async (session) => ({
      session,
      at: (await stat(copyPath(folder, session)).catch(() => null))?.mtimeMs ?? 0,
    })),
  );
  return times.toSorted((a, b) => b.at - a.at).map(({ session }) => session);
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** The text of a page; rejects with `EFBIG` or `EILSEQ` where it is none, with `ELOOP` for a link, `EISDIR` for a folder. */
export async function readText(path: string): Promise<string> {
  const bytes = await readPlain(path, longest.page);
  const text = bytes.toString('utf8');
  if (bytes.includes(0) || text.includes('\ufffd')) throw failure('EILSEQ', `${path} is no text`);
  return text;
}

const besideName = (session: string): string => `NOW.${session}.md`;

/** The files of days in a folder, the newest first. */
export async function dayFiles(folder: string): Promise<readonly string[]> {
  const names = await ifThere(readdir(folder), []);
  return names
    .filter((name) => /^\d{4}-\d{2}-\d{2}\.md$/.test(name))
    .toSorted()
    .reverse();
}
