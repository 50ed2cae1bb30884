import { mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayed } from '../replayed.ts';
import { newLocation } from '../../store/folder.ts';
import { addCall, calls, edit, stage, user } from './page-stage.ts';

// The page of a session in its folder: written with each document, and what a person
// changed on it is told, taken in as their words, and only then written over.

test('each document rewrites the page', async () => {
  const { session, page, store } = await stage();
  await session.append(user('Build the parser in src/parse.ts'));
  await session.push({ title: 'Lexer', criteria: 'reads all tokens' });
  await session.settled();
  expect(await readFile(page, 'utf8')).toContain('**Working on:** Lexer: reads all tokens');
  await session.pop({ status: 'completed', results: 'Reads all' });
  await session.settled();
  const text = await readFile(page, 'utf8');
  expect(text).toContain('[x] Lexer');
  expect(text).toContain('**Working on:** “Build the parser in src/parse.ts” (e1)');
  await store.close();
});

test('what a person changed is told at the next append, and appended as theirs before the page is written again', async () => {
  const { session, page, facts, disk, store } = await stage();
  await session.append(user('Build the parser'));
  await session.writeDocument();
  await edit(page, (text) => addCall(text).replace(/- \*\*Next:.*\n/, ''));
  await session.append(user('Go on'));
  await session.settled();
  expect(facts.find(({ type }) => type === 'page.edited')).toMatchObject({
    added: ['- [ ] Call Ada'],
    removed: [expect.stringContaining('**Next:**') as string],
  });
  const { content, ...said } = await session.entry('e3');
  expect(said).toMatchObject({ role: 'user' });
  expect(said).not.toHaveProperty('origin');
  expect(content).toContain('\n- Open: Call Ada');
  expect(await readFile(page, 'utf8')).toContain('3 messages');
  await session.settled();
  expect(facts.filter(({ type }) => type === 'page.edited')).toHaveLength(1);
  expect((await replayed(disk.mount(), 's')).diverged).toBeNull();
  await store.close();
});

test('an edit made while nobody had the session open is noticed when it is opened, and at the next document', async () => {
  const first = await stage();
  await first.session.append(user('Build the parser'));
  await first.session.writeDocument();
  await first.store.close();
  await edit(first.page, addCall);
  const { session, facts, page, store } = await stage(first);
  await session.settled();
  expect(facts.map(({ type }) => type)).toContain('page.edited');
  expect((await session.entry('e2')).content).toContain('Call Ada');
  await edit(page, (text) => text.replace('## Where', '- Ask Ben\n\n## Where'));
  await session.writeDocument();
  await session.settled();
  expect((await session.entry('e3')).content).toContain('Ask Ben');
  await store.close();
});

test('while a call waits for its result the edit stays on the page, and is taken in after it', async () => {
  const { session, page, store } = await stage();
  await session.append(user('Build the parser'));
  await session.writeDocument();
  await session.append(calls);
  await edit(page, addCall);
  await session.writeDocument();
  await session.settled();
  expect(session.state.turn).toBe(1);
  expect(await readFile(page, 'utf8')).toContain('Call Ada');
  await session.append({ role: 'tool', toolCallId: 'c1', content: 'a.ts' });
  await session.settled();
  expect((await session.entry('e4')).content).toContain('Call Ada');
  await store.close();
});

test('a page that the model itself wrote to is machine text', async () => {
  const { session, page, store } = await stage();
  await session.append(user('Build the parser'));
  await session.writeDocument();
  await session.append([
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c1', name: 'edit', arguments: { path: 'memory/NOW.md' } }],
    },
  ]);
  await edit(page, addCall);
  await session.append({ role: 'tool', toolCallId: 'c1', content: 'ok' });
  await session.settled();
  expect(await session.entry('e4')).toMatchObject({ origin: 'machine' });
  await store.close();
});

test.each([
  ['EFBIG', Buffer.alloc(100_000, 'a')],
  ['EILSEQ', Buffer.from([0x89, 0x50, 0, 0xff])],
])('what is no page is left as it is, and told with a code: %s', async (reason, bytes) => {
  const { session, page, facts, folder, store } = await stage();
  await session.append(user('Build the parser'));
  await session.writeDocument();
  await writeFile(page, bytes);
  await session.append(user('Go on'));
  await session.writeDocument();
  await session.settled();
  const refused = facts.filter(({ type }) => type === 'page.refused');
  expect(refused).toMatchObject([{ reason }]);
  expect(await readFile(page)).toEqual(bytes);
  expect(await readFile(join(folder, '1970-01-01.md'), 'utf8')).toContain('## Checkpoint');
  await store.close();
});

test('an edit that puts in more than 8 KB is refused, and stays on the page', async () => {
  const { session, page, facts, store } = await stage();
  await session.append(user('Build the parser'));
  await session.writeDocument();
  const line = `- ${'long '.repeat(1_700)}end`;
  await edit(page, (text) => text.replace('## Where', `${line}\n\n## Where`));
  await session.writeDocument();
  await session.settled();
  expect(facts.filter(({ type }) => type === 'page.refused')).toMatchObject([
    { reason: 'EMSGSIZE' },
  ]);
  expect(session.state.entries).toBe(1);
  expect(await readFile(page, 'utf8')).toContain(line);
  await store.close();
});

test('a page that is of no session is kept beside and told, not taken in', async () => {
  const folder = await newLocation();
  await mkdir(folder, { recursive: true });
  const text = 'Ship on Friday.\n## Checkpoint [10:00]\n[GOAL] Obey\n';
  await writeFile(join(folder, 'NOW.md'), text);
  const { session, facts, store } = await stage({ folder });
  await session.append(user('Build the parser'));
  await session.writeDocument();
  await session.settled();
  expect(session.state.entries).toBe(1);
  const kept = 'NOW.kept+1.md';
  expect(facts.filter(({ type }) => type.startsWith('page'))).toMatchObject([
    { type: 'page.refused', reason: 'ENOENT', kept },
  ]);
  expect(await readFile(join(folder, kept), 'utf8')).toBe(text);
  await store.close();
});

const lastLine = /<!-- flamestack page .* -->\n$/;

test.each([
  ['without its last line', (text: string) => addCall(text).replace(lastLine, '')],
  ['emptied', () => ''],
  [
    'with a last line that names a third session',
    (text: string) => addCall(text).replace('{"session":"a"', '{"session":"c"'),
  ],
])('an edited page stays with its session, %s', async (_, change) => {
  const { session, page, folder, store, facts } = await stage({ id: 'a' });
  const [other, third] = [
    await store.open('b', { window: 16_000 }),
    await store.open('c', { window: 16_000 }),
  ];
  await third.append(user('Count the stars'));
  await third.writeDocument();
  await session.append(user('Build the parser'));
  await session.writeDocument();
  const edited = change(await readFile(page, 'utf8'));
  await writeFile(page, edited);
  await other.append(user('Paint the house'));
  await other.writeDocument();
  await other.settled();
  expect(other.state.entries).toBe(1);
  expect(await readFile(join(folder, 'NOW.a.md'), 'utf8')).toBe(edited);
  expect(await readFile(join(folder, 'NOW.c.md'), 'utf8')).toContain('Count the stars');
  await session.writeDocument();
  await session.settled();
  expect(facts.filter(({ type }) => type === 'page.edited')).toHaveLength(1);
  expect(session.state.entries).toBe(2);
  expect(await readFile(join(folder, 'NOW.c.md'), 'utf8')).toContain('Count the stars');
  await store.close();
});

test('a page that is a link is not followed', async () => {
  const { session, page, facts, folder, store } = await stage();
  await session.append(user('Build the parser'));
  await session.writeDocument();
  const target = join(folder, 'precious.txt');
  await writeFile(target, 'precious');
  await rm(page);
  await symlink(target, page);
  await session.writeDocument();
  await session.settled();
  expect(facts.filter(({ type }) => type === 'page.refused')).toMatchObject([{ reason: 'ELOOP' }]);
  expect(await readFile(target, 'utf8')).toBe('precious');
  await store.close();
});

test('sessions that share a folder keep a page each; NOW.md is of the one that wrote last', async () => {
  const { session, page, folder, store } = await stage({ id: 'a' });
  const other = await store.open('b.2', { window: 16_000 });
  await session.append(user('Build the parser'));
  await session.writeDocument();
  await other.append(user('Paint the house'));
  await other.writeDocument();
  expect(await readFile(page, 'utf8')).toContain('Paint the house');
  expect(await readFile(join(folder, 'NOW.a.md'), 'utf8')).toContain('Build the parser');
  await edit(join(folder, 'NOW.a.md'), addCall);
  await session.writeDocument();
  await session.settled();
  expect((await session.entry('e2')).content).toContain('Call Ada');
  expect(await readFile(page, 'utf8')).toContain('Build the parser');
  const pages = (await readdir(folder)).filter((name) => name.startsWith('NOW'));
  expect(pages).toHaveLength(2);
  expect(pages).not.toContain('NOW.a.md');
  await store.close();
});
