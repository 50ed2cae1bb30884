import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { fail } from '../../../core/values/error.ts';
import { isMissing } from '../../../store/files/if-there.ts';

// Anybody may put something into the folder of documents: a pipe, which is read until somebody writes, a link to what
// is none of ours, a device without an end. So all that is read there is opened without waiting and without following
// a link, and looked at before.

/** Longest file of a day that is read, in bytes. */
const longestDay = 67_108_864;

/** The bytes of a file; rejects with `ELOOP` for a link, `EISDIR` for a folder, `EILSEQ` for what is no file, `EFBIG` for what is longer. */
export async function readPlain(path: string, longest = longestDay): Promise<Buffer> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ELOOP') throw failure('ELOOP', `${path} is a link`);
      if (error.code === 'ENXIO') throw failure('EILSEQ', `${path} is no file`);
      throw error;
    },
  );
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw failure('EISDIR', `${path} is a folder`);
    if (!found.isFile()) throw failure('EILSEQ', `${path} is no file`);
    if (found.size > longest) throw failure('EFBIG', `${path} has ${found.size} bytes`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** The text of the file of a day; rejects with `DOCUMENT_FAILED` where it is none that is read. */
export async function readDay(path: string): Promise<string> {
  try {
    return (await readPlain(path)).toString('utf8');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!refused.has(code)) throw error;
    throw fail('DOCUMENT_FAILED', message, { path, reason: code });
  }
}

/** What a reading gives; '' where there is no file, or none that is read. What fails for a moment rejects. */
export const textIfPlain = (reading: Promise<string>): Promise<string> =>
  reading.catch((error: NodeJS.ErrnoException) => {
    if (isMissing(error) || refused.has(error.code ?? '')) return '';
    throw error;
  });

/** Why a file is not read. */
const refused: ReadonlySet<string> = new Set(['ELOOP', 'EISDIR', 'EILSEQ', 'EFBIG']);

/** An error as the system tells one. */
export const failure = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });
