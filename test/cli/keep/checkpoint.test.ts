import { readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parseDocuments } from '../../../src/index.ts';
import { demoStore, flamestack, unprintable } from '../call.ts';
import { stage } from '../chat-stage.ts';

/** A store, and the option that has documents written beside it. */
const imported = async (): Promise<readonly [store: string, documents: string]> => {
  const store = await demoStore('4k');
  return [store, memory(store)];
};

const memory = (store: string): string => `--documents ${join(dirname(store), 'memory')}`;

test('checkpoint prints the path and the document, and writes it where it is told to', async () => {
  const [store, documents] = await imported();
  const memory = join(dirname(store), 'memory');
  const { exit, out } = await flamestack(`checkpoint demo --store ${store} ${documents}`);
  expect(exit).toBe(0);
  const [path, empty, ...document] = out.trimEnd().split('\n');
  expect([dirname(path!), empty]).toEqual([memory, '']);
  expect(await readFile(path!, 'utf8')).toBe(`${document.join('\n')}\n`);
  expect(out).not.toMatch(unprintable);
  const [found] = parseDocuments(out);
  expect(found).toMatchObject({
    session: 'demo',
    reason: 'command',
    messages: 67,
    goal: 'Tidy all parts of the program',
  });
  expect(found?.decisions).toContainEqual({ text: 'Tabs are two spaces', done: true });
  expect(found?.actions).toContainEqual({
    text: 'Deep parts',
    done: true,
    kind: 'frame, completed',
    detail: 'Parts 5 to 9 are tidy.',
    frame: 'f1',
    parent: 'f0',
  });
});

test('checkpoint --json gives id, path and document; a second one stands after the first', async () => {
  const [store, documents] = await imported();
  await flamestack(`checkpoint --store ${store} ${documents}`);
  const { out } = await flamestack(`checkpoint --store ${store} ${documents} --json`);
  const { schema, id, path, document } = JSON.parse(out) as Record<string, string>;
  expect([schema, id]).toEqual(['flamestack.checkpoint/1', 'demo']);
  const text = await readFile(path!, 'utf8');
  expect(text.endsWith(`\n\n${document}`)).toBe(true);
  expect(parseDocuments(text)).toHaveLength(2);
});

test('taking a file in writes no documents, and neither does looking', async () => {
  const [store] = await imported();
  await flamestack(`show --store ${store}`);
  await flamestack(`ls --store ${store}`);
  expect(await readdir(dirname(store))).toEqual(['store']);
});

test('a session that there is not is told', async () => {
  const [store] = await imported();
  const { exit, err } = await flamestack(`checkpoint nobody --store ${store}`);
  expect([exit, err]).toEqual([3, expect.stringContaining('nobody')]);
});

test('a chat writes documents where it is told to, and more by /checkpoint', async () => {
  const { pipe, store } = await stage();
  const { exit, err } = await pipe(
    `a ${memory(store)}`,
    '/push Lexer -- reads all tokens\n/checkpoint\n',
  );
  expect(exit).toBe(0);
  const [, path] = /Written to (.*)/.exec(err) ?? [];
  expect(dirname(path!)).toBe(join(dirname(store), 'memory'));
  const found = parseDocuments(await readFile(path!, 'utf8'));
  expect(found.map(({ reason, topic }) => [reason, topic])).toEqual([
    ['push', 'Lexer: reads all tokens'],
    ['command', 'Lexer: reads all tokens'],
  ]);
});

test('FLAMESTACK_DOCUMENTS names another folder, or turns documents off', async () => {
  const [store] = await imported();
  const notes = join(dirname(store), 'notes');
  const env = { FLAMESTACK_DOCUMENTS: notes };
  const { out } = await flamestack(`checkpoint --store ${store}`, { env });
  expect(out.startsWith(notes)).toBe(true);
  const off = { FLAMESTACK_DOCUMENTS: 'off' };
  const { exit, err } = await flamestack(`checkpoint --store ${store}`, { env: off });
  expect([exit, err]).toEqual([1, expect.stringContaining('keeps no documents')]);
});

test('a chat says once that no documents can be written, and goes on', async () => {
  const { pipe, store } = await stage();
  await writeFile(join(dirname(store), 'memory'), 'not a folder');
  const lines = ['/push One', '/pop completed Done', '/push Two', 'Hello'];
  const { exit, out, err } = await pipe(`notes ${memory(store)}`, `${lines.join('\n')}\n`);
  expect(exit).toBe(0);
  expect((out + err).split('No checkpoint document could be written: ENOTDIR')).toHaveLength(2);
});

test('checkpoint tells what it took in of an edited page, or why it refused it', async () => {
  const [store, documents] = await imported();
  const page = join(dirname(store), 'memory', 'NOW.md');
  const line = `checkpoint --store ${store} ${documents}`;
  expect((await flamestack(line)).err).toBe('');
  const text = await readFile(page, 'utf8');
  await writeFile(page, text.replace('## Where', '- Call Ada\n\n## Where'));
  const edited = await flamestack(line);
  expect(edited.err).toBe('The edit of NOW.md is taken in as your words:\n  + - Call Ada\n');
  await writeFile(page, `${text}${'x'.repeat(70_000)}`);
  const { err } = await flamestack(line);
  expect(err).toContain('stays as it is, out of date: it has more than 64 KB (EFBIG); shorten it');
  const { out } = await flamestack(`${line} --json`);
  expect(JSON.parse(out)).toMatchObject({ page: [{ type: 'page.refused', reason: 'EFBIG' }] });
});

test('at a terminal the line by which a document is read back is not printed', async () => {
  const [store, documents] = await imported();
  const line = `checkpoint --store ${store} ${documents}`;
  const { out } = await flamestack(line, { isTTY: true });
  expect(out).toContain('### Current Status');
  expect(out).not.toContain('<!--');
  const [path] = out.split('\n');
  expect(await readFile(path!, 'utf8')).toContain('<!-- flamestack');
  expect((await flamestack(line)).out).toContain('<!-- flamestack');
});
