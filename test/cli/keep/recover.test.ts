import { appendFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { flamestack, folder, typed } from '../call.ts';

/** A store with a session, and the document that tells where it stands. */
async function worked(): Promise<{ readonly at: string; readonly memory: string }> {
  const root = await folder();
  const [at, memory] = [join(root, 'store'), join(root, 'memory')];
  await mkdir(memory);
  await using store = await openStore(at, { documents: memory });
  const session = await store.open('notes', { window: 8_000 });
  await session.goal.set({
    description: 'Move the tokens to cookies',
    decisions: [{ text: 'Cookies live an hour', locked: true }],
    next: ['Write the migration'],
  });
  await session.append([
    { role: 'user', content: 'Change the guard in src/auth.ts.' },
    {
      role: 'assistant',
      content: 'Changing it.',
      toolCalls: [{ id: 'c1', name: 'edit', arguments: { path: 'src/auth.ts', text: 'x' } }],
    },
    { role: 'tool', toolCallId: 'c1', content: 'ok' },
  ]);
  await session.writeDocument();
  return { at, memory };
}

test('recover tells where the work stood, and the next prompt begins with it', async () => {
  const { at } = await worked();
  const told = await flamestack(`recover --store ${at}`);
  expect(told.exit).toBe(0);
  expect(told.out).toContain('We were working on Move the tokens to cookies');
  expect(told.err).toContain('flamestack show notes');
  const shown = await flamestack(`show --store ${at} --section checkpoints --full`);
  expect(shown.out).toContain('next step is Write the migration');
});

test('with the store gone, the documents tell goal, decisions, open items, files and next step', async () => {
  const { at } = await worked();
  await rm(at, { recursive: true });
  const told = await flamestack(`recover notes --yes --store ${at} --json`);
  expect(told.exit).toBe(0);
  const { id, line, source, goal } = JSON.parse(told.out) as Record<string, unknown>;
  expect([id, source]).toEqual(['notes', 'documents']);
  expect(line).toContain('next step is Write the migration');
  expect(goal).toMatchObject({
    description: 'Move the tokens to cookies',
    decisions: [{ text: 'Cookies live an hour', locked: true }],
    next: ['Write the migration'],
    artifacts: [{ path: 'src/auth.ts' }],
  });
  const shown = await flamestack(`show notes --store ${at} --json`);
  expect(shown.out).toContain('src/auth.ts');
});

test('with neither store nor documents it says so, and leaves nothing behind', async () => {
  const at = join(await folder(), 'store');
  const told = await flamestack(`recover notes --store ${at}`, { stdin: typed('y') });
  expect(told.exit).not.toBe(0);
  expect(told.err).toContain('There is no checkpoint document and no page in ');
  expect(told.err).toContain('--from <folder or file>');
  const listed = await flamestack(`ls --store ${at}`);
  expect(listed.exit).not.toBe(0);
});

test('while documents that the store does not know are asked about, others write into it', async () => {
  const { at, memory } = await worked();
  const name = (await readdir(memory)).find((one) => /^\d/.test(one)) ?? '';
  const path = join(memory, name);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replaceAll('Cookies live an hour', 'Push to main'));
  let isAsked = false;
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const write = async (): Promise<void> => {
    await using store = await openStore(at);
    await (await store.open('other', { window: 4_000 })).append({ role: 'user', content: 'Hi' });
  };
  const told = await flamestack(`recover notes --from ${memory} --store ${at}`, {
    stdin,
    onErr(err) {
      if (isAsked || !err.includes('[y/N]')) return;
      isAsked = true;
      void write().then(
        () => stdin.write('y\n'),
        (error: Error) => stdin.end(`no: ${error.message}\n`),
      );
    },
  });
  expect([isAsked, told.exit]).toEqual([true, 0]);
  expect(told.out).toContain('We were working on Move the tokens to cookies');
});

test('a mistyped name makes no session of another one’s documents', async () => {
  const { at } = await worked();
  const { exit, err } = await flamestack(`recover notse --store ${at}`);
  expect(exit).toBe(3);
  expect(err).toContain('notse');
  await using store = await openStore(at);
  const ids: string[] = [];
  for await (const { id } of store.sessions()) ids.push(id);
  expect(ids).toEqual(['notes']);
});

test('with the store gone, the documents tell what sessions there were: the newest, or by the beginning of its name', async () => {
  const { at, memory } = await worked();
  await using store = await openStore(':memory:', { documents: memory });
  const other = await store.open('parser', { window: 8_000 });
  await other.goal.set('Write the parser');
  await other.writeDocument();
  await rm(at, { recursive: true });
  const ids = async (words: string): Promise<unknown> => {
    const { out, exit } = await flamestack(`recover ${words} --yes --store ${at} --json`);
    await rm(at, { recursive: true, force: true });
    return exit === 0 ? (JSON.parse(out) as { id: string }).id : exit;
  };
  expect(await ids('')).toBe('parser');
  expect(await ids('not')).toBe('notes');
  expect(await ids(`other --from ${memory}`)).toBe('other');
  const { exit, err } = await flamestack(`recover notse --store ${at}`);
  expect(exit).toBe(3);
  expect(err).toContain(
    'There is no session "notse"; near it: @2 notes; the documents tell of parser, notes',
  );
  expect((await flamestack(`ls --store ${at}`)).exit).not.toBe(0);
});

test('where only the session is gone, it is begun anew from its documents, and others stay as they are', async () => {
  const { at, memory } = await worked();
  {
    await using gone = await openStore(':memory:', { documents: memory });
    const own = await gone.open('own', { window: 8_000 });
    await own.goal.set('Write the parser');
    await own.writeDocument();
  }
  const { exit, out } = await flamestack(`recover own --yes --store ${at} --json`);
  expect(exit).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    id: 'own',
    source: 'documents',
    goal: { description: 'Write the parser' },
    others: [],
  });
  const mistyped = await flamestack(`recover onw --store ${at}`);
  expect([mistyped.exit, mistyped.err]).toEqual([3, expect.stringContaining('tell of own, notes')]);
  await using store = await openStore(at);
  const ids: string[] = [];
  for await (const { id } of store.sessions()) ids.push(id);
  expect(ids.toSorted()).toEqual(['notes', 'own']);
});

test('what a person wrote into the document is shown to them; it makes no goal', async () => {
  const { at, memory } = await worked();
  await rm(at, { recursive: true });
  const file = (await readdir(memory)).find((name) => /^\d/.test(name)) ?? '';
  await appendFile(join(memory, file), '- [x] Cookies live forever\u001b[2J\n');
  const told = await flamestack(`recover notes --store ${at}`, { stdin: typed('y') });
  expect(told.out).toContain('next step is Write the migration');
  expect(told.err).toContain('Somebody wrote in the file');
  expect(told.err).toContain('- [x] Cookies live forever\n');
  await rm(at, { recursive: true });
  await rm(join(memory, 'NOW.md'));
  await writeFile(join(memory, file), '# Monday\nThe port is 4711.\n');
  const text = await flamestack(`recover notes --from ${memory} --store ${at}`, {
    stdin: typed('y'),
  });
  expect(text.out).toContain('next step is to be said');
  expect(text.err).toContain('# Monday\nThe port is 4711.');
  await using store = await openStore(at);
  const session = await store.open('notes');
  expect(session.state.goal).toBeNull();
  expect((await session.recall('port 4711'))[0]).toMatchObject({ entry: 'e1' });
});

test('a name that begins several sessions of the store recovers none of the documents’ instead', async () => {
  const { at } = await worked();
  {
    await using store = await openStore(at);
    for (const id of ['north', 'notary']) await store.open(id, { window: 8_000 });
  }
  const { exit, err } = await flamestack(`recover no --store ${at}`);
  expect([exit, err]).toEqual([3, expect.stringContaining('"no" begins 3 ids')]);
});

test('without a name it says which other sessions the documents tell of', async () => {
  const { at, memory } = await worked();
  {
    await using store = await openStore(':memory:', { documents: memory });
    const other = await store.open('parser', { window: 8_000 });
    await other.goal.set('Write the parser');
    await other.writeDocument();
  }
  await rm(at, { recursive: true });
  const { out, err } = await flamestack(`recover --store ${at}`, { stdin: typed('y') });
  expect(out).toContain('We were working on Write the parser');
  expect(err).toContain('The documents tell of notes, too');
});

test('an edit of the page made while the store was gone is told at each recovery, and counts in the next document', async () => {
  const { at, memory } = await worked();
  const page = join(memory, 'NOW.md');
  const text = await readFile(page, 'utf8');
  await writeFile(page, text.replace(/- \*\*Next:.*/, '- **Next:** ask Ada first'));
  for (let times = 0; times < 2; times += 1) {
    await rm(at, { recursive: true });
    const { out, err } = await flamestack(`recover --store ${at}`, { stdin: typed('y') });
    expect(out).toContain('next step is ask Ada first.');
    expect(err).toContain('taken in as your words:\n  + - **Next:** ask Ada first\n');
  }
  const { out, err } = await flamestack(`checkpoint --documents ${memory} --store ${at}`);
  expect(out).toContain('**Next:** ask Ada first');
  expect(err).toBe('');
  expect(await readFile(page, 'utf8')).toContain('- **Next:** ask Ada first\n');
});

test('with nothing left but the page, recover names its session and goes on from it', async () => {
  const { at, memory } = await worked();
  await rm(at, { recursive: true });
  for (const name of await readdir(memory)) if (name !== 'NOW.md') await rm(join(memory, name));
  const { out, exit } = await flamestack(`recover --yes --store ${at} --json`);
  expect(exit).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    id: 'notes',
    goal: {
      description: 'Move the tokens to cookies',
      decisions: [{ text: 'Cookies live an hour', locked: true }],
      next: ['Write the migration'],
      artifacts: [{ path: 'src/auth.ts' }],
    },
  });
});

test('a second recovery knows what was completed before the first', async () => {
  const root = await folder();
  const [at, memory] = [join(root, 'store'), join(root, 'memory')];
  {
    await using store = await openStore(at, { documents: memory });
    const session = await store.open('notes', { window: 8_000 });
    await session.goal.set('Build a tool');
    await session.push({ title: 'Parser' });
    await session.append({ role: 'assistant', content: 'Wrote it' });
    await session.pop({ status: 'completed', results: 'It parses' });
    await session.writeDocument();
  }
  await rm(at, { recursive: true });
  const first = await flamestack(`recover notes --yes --store ${at}`);
  const second = await flamestack(`recover notes --yes --store ${at}`);
  expect(first.out).toContain('last completed Parser: It parses');
  expect(second.out).toContain('last completed Parser: It parses');
  const shown = await flamestack(`frames notes --json --store ${at}`);
  expect(JSON.parse(shown.out)).toMatchObject({
    frames: { children: [{ title: 'Parser', status: 'completed', results: 'It parses' }] },
  });
});

test('asked again before anybody answered, it says the same', async () => {
  const { at } = await worked();
  await rm(at, { recursive: true });
  const first = await flamestack(`recover notes --store ${at}`, { stdin: typed('y') });
  const again = await flamestack(`recover notes --store ${at}`, { stdin: typed('y') });
  expect(again.out).toBe(first.out);
  expect(first.err.endsWith(`[y/N] ${again.err}`)).toBe(true);
  const said = await flamestack(`recover notes --store ${at} --yes`);
  expect(said.out).toBe(first.out);
  expect(said.err).toContain('The next prompt begins with it');
});

test('where a recovery ended before the document was taken in, the next one takes it in, once', async () => {
  const { at, memory } = await worked();
  await rm(at, { recursive: true });
  {
    // As it is after the first of its two steps.
    await using store = await openStore(at);
    const session = await store.open('notes', { window: 8_000, recovery: 'confirm' });
    await session.goal.set('Move the tokens to cookies');
  }
  for (let n = 0; n < 2; n += 1)
    await flamestack(`recover notes --store ${at}`, { stdin: typed('y') });
  await using store = await openStore(at, { documents: memory });
  const session = await store.open('notes');
  expect(session.state.entries).toBe(1);
  expect((await session.recall('cookies live an hour'))[0]).toMatchObject({ entry: 'e1' });
});

/** A store whose session has no goal that anybody set, and the page of it. */
async function asked(): Promise<{ readonly at: string; readonly memory: string }> {
  const root = await folder();
  const [at, memory] = [join(root, 'store'), join(root, 'memory')];
  await mkdir(memory);
  await using store = await openStore(at, { documents: memory });
  const session = await store.open('notes', { window: 8_000 });
  await session.append([
    { role: 'user', content: 'Write a parser for the ini files in src/ini.ts.' },
    {
      role: 'assistant',
      content: 'Writing it.',
      toolCalls: [{ id: 'c1', name: 'write', arguments: { path: 'src/ini.ts', content: 'x' } }],
    },
    { role: 'tool', toolCallId: 'c1', content: 'ok' },
    { role: 'assistant', content: 'The parser is written and its tests pass.' },
    {
      role: 'user',
      content: 'Never add a dependency for this. Add a writer for the ini files, too.',
    },
    {
      role: 'assistant',
      content: '',
      toolCalls: [
        {
          id: 'c2',
          name: 'TodoWrite',
          arguments: {
            todos: [
              { content: 'Parse sections', status: 'completed', activeForm: 'Parsing' },
              { content: 'Write sections', status: 'in_progress', activeForm: 'Writing' },
            ],
          },
        },
      ],
    },
    { role: 'tool', toolCallId: 'c2', content: 'Todos have been modified successfully' },
  ]);
  await session.writeDocument();
  return { at, memory };
}

/** The lines of a page that tell of the work, without ids of entries. */
const toldOn = async (memory: string): Promise<readonly string[]> =>
  (await readFile(join(memory, 'NOW.md'), 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('- ') && !/As of|\.md: what|e12|search/.test(line))
    .map((line) => line.replace(/[ ,(]*(?:asked in )?\be\d+(?:–e\d+)?\)?/g, ''));

test('after a recovery the next page and document tell all that was recovered, and a second loss recovers the same', async () => {
  const { at, memory } = await asked();
  const before = await toldOn(memory);
  expect(before.join('\n')).toMatch(/Never add a dependency[^]*Parse sections/);
  const lines: unknown[] = [];
  for (let times = 0; times < 3; times += 1) {
    await rm(at, { recursive: true });
    const { out } = await flamestack(`recover notes --yes --store ${at} --json`);
    lines.push((JSON.parse(out) as { line: string }).line.replace(/ \(e\d+\)/g, ''));
    expect((await flamestack(`checkpoint notes --documents ${memory} --store ${at}`)).exit).toBe(0);
    expect(await toldOn(memory)).toEqual(before);
  }
  expect(lines[0]).toContain('next step is “Write sections”');
  expect(new Set(lines).size).toBe(1);
});

test('documents that came along with a folder are shown, and taken in by whoever says so alone', async () => {
  const { at, memory } = await worked();
  await rm(at, { recursive: true });
  const file = (await readdir(memory)).find((name) => /^\d/.test(name)) ?? '';
  const path = join(memory, file);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replaceAll('Cookies live an hour', 'Push\\u001b[2J to main'));
  const call = `recover notes --store ${at}`;
  const piped = await flamestack(call);
  expect([piped.exit, piped.out]).toEqual([1, '']);
  expect(piped.err).toContain(path);
  expect(piped.err).toContain('--yes');
  const json = await flamestack(`${call} --json`, { stdin: typed('y') });
  expect([json.exit, JSON.parse(json.err)]).toMatchObject([
    1,
    { code: 'DOCUMENT_UNTRUSTED', detail: { files: [path], decisions: ['Push\u001b[2J to main'] } },
  ]);
  const declined = await flamestack(call, { stdin: typed('n') });
  expect(declined.exit).toBe(0);
  expect(declined.err).toContain('Move the tokens to cookies');
  expect(declined.err).toContain('Push\\u001b[2J to main');
  expect(declined.err).toContain('Write the migration');
  expect(declined.err).toContain('Nothing was recovered.');
  expect((await flamestack(`ls --store ${at}`)).exit).not.toBe(0);
  const taken = await flamestack(call, { stdin: typed('y') });
  expect(taken.out).toContain('We were working on Move the tokens to cookies');
});

test('documents that the store wrote are believed unseen', async () => {
  const { at, memory } = await worked();
  const { exit, out, err } = await flamestack(`recover notes --from ${memory} --store ${at}`);
  expect(exit).toBe(0);
  expect(out).toContain('We were working on Move the tokens to cookies');
  expect(err).not.toContain('[y/N]');
});
