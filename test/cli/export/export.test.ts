import { execFileSync } from 'node:child_process';
import { lstat, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { demoStore, flamestack, folder } from '../call.ts';

/** A store with the script, and a folder to write to. */
async function stored(): Promise<{ store: string; at: string }> {
  const store = await demoStore();
  return { store, at: dirname(store) };
}

test('a terminal takes no export, whatever its form, and is told where it goes', async () => {
  const { store } = await stored();
  for (const form of ['jsonl', 'md', 'html']) {
    const { exit, out, err } = await flamestack(`export --as ${form} --store ${store}`, {
      isTTY: true,
    });
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain('--out <file>');
  }
  const { exit, out } = await flamestack(`export -o - --store ${store}`, { isTTY: true });
  expect([exit, out.split('\n').length]).toEqual([0, 1 + (await lines(store))]);
});

const lines = async (store: string): Promise<number> =>
  (await flamestack(`export --store ${store}`)).out.trimEnd().split('\n').length;

test('a file has what stdout has, whole, for its owner, and says its size', async () => {
  const { store, at } = await stored();
  const path = join(at, 'demo.jsonl');
  await writeFile(path, 'older');
  const link = join(at, 'link.jsonl');
  await symlink(path, link);
  const refused = await flamestack(`export --store ${store} -o ${link}`);
  expect(refused).toMatchObject({ exit: 2, out: '' });
  expect(refused.err).toContain(`The file "${link}" is there already\n`);
  expect(refused.err).toContain('To replace it: --force');
  expect(await readFile(path, 'utf8')).toBe('older');
  const { exit, out } = await flamestack(`export --store ${store} -o ${path} --force`);
  expect([exit, out]).toEqual([0, `${path}: ${Math.round((await stat(path)).size / 1_000)} kB\n`]);
  expect(await readFile(path, 'utf8')).toBe((await flamestack(`export --store ${store}`)).out);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await readdir(at)).sort()).toEqual(['demo.jsonl', 'link.jsonl', 'store']);
});

test('a file that cannot be written is refused, and one that was there stays where it fails', async () => {
  const { store, at } = await stored();
  const { exit, err } = await flamestack(`export --store ${store} -o ${at}/none/x.md --as md`);
  expect(exit).toBe(2);
  expect(err).toContain('cannot be written (ENOENT)');
  const path = join(at, 'kept.md');
  await writeFile(path, 'older');
  const leave = new AbortController();
  leave.abort(130);
  const told = await flamestack(`export --store ${store} -o ${path} --as md --force`, {
    signal: leave.signal,
  });
  expect(told.exit).toBe(130);
  expect(await readFile(path, 'utf8')).toBe('older');
  expect((await readdir(dirname(path))).sort()).toEqual(['kept.md', 'store']);
});

test('only a file that is one or is new is written, and no link that waits under its name', async () => {
  const { store, at } = await stored();
  const pipe = join(at, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const refusals = { [`--out=`]: '"" names no file', [`-o ${pipe}`]: 'is no regular file' };
  for (const [words, says] of Object.entries({ ...refusals, [`-o ${at}`]: 'is a folder' })) {
    const { exit, err } = await flamestack(`export --store ${store} ${words}`);
    expect([words, exit]).toEqual([words, 2]);
    expect(err).toContain(says);
  }
  expect((await flamestack(`export --store ${store} -o /dev/null`)).exit).toBe(0);
  const trap = join(at, 'trap');
  await writeFile(trap, 'kept');
  const path = join(at, 'demo.jsonl');
  await symlink(trap, `${path}.${process.pid}.part`);
  expect((await flamestack(`export --store ${store} -o ${path}`)).exit).toBe(0);
  expect(await readFile(trap, 'utf8')).toBe('kept');
});

test.each(['export', 'inspect'])(
  'a link gives way to what %s writes, and what it leads to stays',
  async (command) => {
    const { store, at } = await stored();
    const kept = join(at, 'kept');
    await writeFile(kept, 'kept');
    for (const to of [kept, join(at, 'nowhere')]) {
      const link = join(at, 'link');
      await symlink(to, link);
      const refused = await flamestack(`${command} --store ${store} --out ${link}`);
      expect([refused.exit, refused.err]).toEqual([2, expect.stringContaining('is there already')]);
      expect((await flamestack(`${command} --store ${store} --out ${link} --force`)).exit).toBe(0);
      expect((await lstat(link)).isFile()).toBe(true);
      await rm(link);
    }
    expect(await readFile(kept, 'utf8')).toBe('kept');
    expect((await readdir(at)).sort()).toEqual(['kept', 'store']);
  },
);

test('what was written is told as JSON: on stdout for a file, on stderr beside what stdout has', async () => {
  const { store, at } = await stored();
  const into = await flamestack(`export --as md --json --store ${store} -o ${join(at, 'a.md')}`);
  const told = { schema: 'flamestack.export/1', session: 'demo', form: 'md', redacted: [] };
  expect(JSON.parse(into.out)).toMatchObject({ ...told, file: join(at, 'a.md') });
  const piped = await flamestack(`export --as md --json --store ${store}`);
  expect(piped.out).toBe(await readFile(join(at, 'a.md'), 'utf8'));
  expect(JSON.parse(piped.err)).toMatchObject({
    ...told,
    file: null,
    bytes: Buffer.byteLength(piped.out),
  });
  expect((await flamestack(`export --json --store ${store}`)).err).toBe('');
});

test('a password that is told once is in no form, also where nothing tells that it is one', async () => {
  const store = await folder();
  const [said, shown] = ['letmein9', 'blue-horse'];
  {
    await using made = await openStore(store);
    await using session = await made.open('notes', {
      window: 2_048,
      system: `The database is postgres://ada:${shown}@db/x`,
    });
    await session.append({ role: 'user', content: `Log in with ${said} and not ${shown}.` });
    const call = { id: 'c1', name: 'bash', arguments: { command: `login ada ${said}` } };
    await session.append({ role: 'assistant', content: `I try ${said}.`, toolCalls: [call] });
    await session.append({ role: 'tool', toolCallId: 'c1', content: `PASSWORD=${said}\nok` });
    await session.push({ title: `Use ${said} and ${shown}` });
    await session.append({ role: 'user', content: `x ${shown} y` });
  }
  const forms = ['md', 'otlp --with-content', 'otlp', 'speedscope', 'trace', 'svg'];
  for (const form of forms) {
    const { exit, out } = await flamestack(`export --as ${form} --store ${store}`);
    expect([form, exit]).toEqual([form, 0]);
    for (const secret of [said, shown]) expect([form, out.includes(secret)]).toEqual([form, false]);
  }
  const bare = await flamestack(`export --as md --no-redact --store ${store}`);
  for (const secret of [said, shown]) expect(bare.out).toContain(secret);
});
