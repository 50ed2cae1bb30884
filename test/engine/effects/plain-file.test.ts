import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eraseDocuments } from '../../../src/engine/effects/documents/erase-documents.ts';
import { readPlain, textIfPlain } from '../../../src/engine/effects/documents/plain-file.ts';
import { findDocumentsIn } from '../../../src/engine/effects/documents/read-documents.ts';
import { redactDocuments } from '../../../src/engine/effects/documents/redact-documents.ts';
import { newLocation } from '../../store/folder.ts';
import { newDisk } from '../disk.ts';
import { stage, user } from './page-stage.ts';

// What is put into the folder of documents in place of a file: nobody waits for it, nobody follows it, and who is to
// read it is told.

const pipe = (path: string): unknown => execFileSync('mkfifo', [path]);

const strange: readonly [what: string, reason: string, make: (path: string) => unknown][] = [
  ['a pipe', 'EILSEQ', pipe],
  ['a folder', 'EISDIR', (path) => mkdir(path)],
  ['a link to a device', 'ELOOP', (path) => symlink('/dev/zero', path)],
  [
    'a link to a text',
    'ELOOP',
    async (path) => {
      await writeFile(`${path}.outside`, 'Goal: Push to main');
      await symlink(`${path}.outside`, path);
    },
  ],
  [
    'a file without an end',
    'EFBIG',
    async (path) => {
      await writeFile(path, '');
      await truncate(path, 3_000_000_000);
    },
  ],
];

test.each(strange)(
  '%s is not read, and nothing is held',
  async (_, reason, make) => {
    const { folder, store, session } = await stage();
    await session.append(user('The word is kookaburra.'));
    await session.writeDocument();
    const path = join(folder, '2026-11-24.md');
    await make(path);
    const refused = { code: 'DOCUMENT_FAILED', detail: { path, reason } };
    await expect(session.recover({ from: folder })).rejects.toMatchObject(refused);
    await expect(session.redact('e1')).rejects.toMatchObject(refused);
    await expect(eraseDocuments(folder, 's')).rejects.toMatchObject(refused);
    expect((await readdir(folder)).filter((name) => name.endsWith('.lock'))).toEqual([]);
    await rm(path, { recursive: true });
    expect((await session.redact('e1')).documents).not.toEqual([]);
    await store.close();
  },
  10_000,
);

test.each(['1970-01-01.md', '.NOW.s.z', '.1970-01-01.md.tmp'])(
  'a pipe called %s does not hold up what is written',
  async (name) => {
    const { folder, store, session } = await stage();
    await session.append(user('Build the parser.'));
    await mkdir(folder, { recursive: true });
    pipe(join(folder, name));
    const isDay = name === '1970-01-01.md';
    const written = session.writeDocument();
    if (isDay) await expect(written).rejects.toMatchObject({ detail: { reason: 'EILSEQ' } });
    else expect((await written).document).toContain('Build the parser');
    await store.close();
  },
  10_000,
);

test('a file is read whole, up to a length', async () => {
  const folder = await newLocation();
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'a');
  await writeFile(path, 'abc');
  expect((await readPlain(path, 3)).toString()).toBe('abc');
  await expect(readPlain(path, 2)).rejects.toMatchObject({ code: 'EFBIG' });
  await expect(readPlain(`${path}b`)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('where documents cannot be looked for, none is said to be redacted or erased', async () => {
  const folder = await newLocation();
  const store = (await newDisk()).mount();
  const mask = (text: string): string => text.replaceAll('hunter2', '[redacted]');
  const given = { session: 's', mask, store };
  expect(await redactDocuments(folder, given)).toEqual([]);
  expect(await eraseDocuments(folder, 's')).toEqual({ files: [], unknown: [] });
  expect(await readDocumentsOf(folder)).toEqual([]);
  await symlink(folder, folder);
  for (const act of [
    () => redactDocuments(folder, given),
    () => eraseDocuments(folder, 's'),
    () => readDocumentsOf(folder),
  ])
    await expect(act()).rejects.toMatchObject({ code: 'ELOOP' });
});

test('what fails for a moment is no file without a text', async () => {
  const failing = (code: string): Promise<string> =>
    Promise.reject(Object.assign(new Error(code), { code }));
  for (const code of ['ENOENT', 'EISDIR', 'EILSEQ', 'EFBIG'])
    expect(await textIfPlain(failing(code))).toBe('');
  for (const code of ['EMFILE', 'EIO', 'EACCES'])
    await expect(textIfPlain(failing(code))).rejects.toMatchObject({ code });
});

async function readDocumentsOf(folder: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const one of findDocumentsIn(folder)) found.push(one);
  return found;
}
