import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { CheckpointDocument } from '../core/document.ts';
import { parseDocuments } from '../core/document-reading.ts';
import { fail } from '../core/error.ts';
import type { Input } from '../core/input.ts';
import { contextOfDocument, goalOfDocument } from '../core/recovered-document.ts';

/**
 * What to recover from the documents of a folder, or of one file: the newest of this session, or of
 * any where it has none. Rejects with `RECOVERY_EMPTY` where there is no document.
 */
export async function recoveryFrom(
  from: string,
  session: string,
): Promise<Extract<Input, { type: 'recover' }>> {
  const document = await newestIn(from, session);
  if (document === undefined)
    throw fail('RECOVERY_EMPTY', `There is no checkpoint document in "${from}"`, { from });
  const goal = goalOfDocument(document);
  const context = contextOfDocument(document);
  return { type: 'recover', context, ...(goal === null ? {} : { goal }) };
}

async function newestIn(from: string, session: string): Promise<CheckpointDocument | undefined> {
  let any: CheckpointDocument | undefined;
  for (const path of await filesIn(from)) {
    const day = /^(\d{4}-\d{2}-\d{2})\.md$/.exec(basename(path))?.[1] ?? '';
    const documents = parseDocuments(await readFile(path, 'utf8'), day);
    const own = documents.findLast((document) => document.session === session);
    if (own !== undefined) return own;
    any ??= documents.at(-1);
  }
  return any;
}

/** Files of days, the newest first; the file itself where it is one. */
async function filesIn(from: string): Promise<readonly string[]> {
  const found = await stat(from).catch(() => null);
  if (found === null) return [];
  if (found.isFile()) return [from];
  const names = await readdir(from);
  return names
    .filter((name) => /^\d{4}-\d{2}-\d{2}\.md$/.test(name))
    .toSorted()
    .reverse()
    .map((name) => join(from, name));
}
