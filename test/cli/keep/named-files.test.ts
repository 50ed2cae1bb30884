import { execFileSync } from 'node:child_process';
import { copyFile, link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Reader } from '../../../src/cli/io.ts';
import { flamestack, folder, scriptFile } from '../call.ts';

const sessionsOf = async (store: string): Promise<readonly string[]> => {
  const { out } = await flamestack(`ls --json --store ${store}`);
  return (JSON.parse(out) as { sessions: { id: string }[] }).sessions.map(({ id }) => id);
};

test('a folder is all sessions below it, and what is none there is passed over', async () => {
  const place = await folder();
  const store = join(place, 'store');
  const from = join(place, 'transcripts');
  await mkdir(join(from, 'deep', 'er'), { recursive: true });
  await mkdir(join(from, 'node_modules'));
  await copyFile(await scriptFile(), join(from, 'deep', 'er', 'demo.jsonl'));
  await copyFile(await scriptFile(), join(from, 'node_modules', 'other.jsonl'));
  await writeFile(join(from, 'package.json'), '{ "name": "no session" }');
  await writeFile(join(from, 'empty.jsonl'), '');
  await writeFile(join(from, 'notes.txt'), 'no candidate at all');
  const { exit, out, err } = await flamestack(`import ${from} --store ${store}`);
  expect(exit).toBe(0);
  expect(out).toMatch(/^demo {2}Tidy the parts {2}flamestack {2}67 entries added/);
  expect(err).toBe(
    '1 session, 67 new entries.\n2 other files there, no sessions: empty.jsonl, package.json.\n',
  );
  expect(await sessionsOf(store)).toEqual(['demo']);
  const again = await flamestack(`import ${from} --store ${store}`);
  expect([again.exit, again.out]).toEqual([0, '']);
});

test('a folder without a session is nothing found, and makes no store', async () => {
  const place = await folder();
  const store = join(place, 'store');
  const { exit, err } = await flamestack(`import ${place} --store ${store}`);
  expect([exit, err]).toEqual([3, `No session file is in ${place}.\n`]);
  await writeFile(join(place, 'package.json'), '{}');
  expect((await flamestack(`import ${place} --store ${store}`)).exit).toBe(3);
  expect((await flamestack(`ls --store ${store}`)).exit).toBe(3);
});

test('the store in a folder is none of its files', async () => {
  const place = await folder();
  const store = join(place, '.flamestack');
  await copyFile(await scriptFile(), join(place, 'demo.jsonl'));
  expect((await flamestack(`import ${place} --store ${store}`)).exit).toBe(0);
  const { err } = await flamestack(`import ${place} --store ${store}`);
  expect(err).not.toContain('no sessions');
  const bare = await flamestack(`import ${store} --store ${store}`);
  expect([bare.exit, bare.err]).toEqual([3, `No session file is in ${store}.\n`]);
});

test('what is piped in is taken in as a file is', async () => {
  const store = join(await folder(), 'store');
  const text = await readFile(await scriptFile(), 'utf8');
  const piped = (): Reader => Readable.from([text.slice(0, 500), text.slice(500)]) as Reader;
  const { exit, out } = await flamestack(`import - --store ${store}`, { stdin: piped() });
  expect(exit).toBe(0);
  expect(out).toMatch(/^demo {2}Tidy the parts {2}flamestack {2}67 entries added {2}\(-\)/);
  const env = { FLAMESTACK_WINDOW: '2k' };
  const again = await flamestack(`import - --store ${store}`, { stdin: piped(), env });
  expect(again.out).toContain('nothing new');
  const terminal = Object.assign(piped(), { isTTY: true });
  const typed = await flamestack(`import - --store ${store}`, { stdin: terminal });
  expect([typed.exit, typed.err]).toEqual([2, expect.stringContaining('Nothing is piped in')]);
  expect((await flamestack(`import - --follow --store ${store}`)).exit).toBe(2);
});

test('links below a folder are not followed, and a file is taken once, under whatever names', async () => {
  const place = await folder();
  const from = join(place, 'transcripts');
  const beside = join(place, 'beside');
  await mkdir(from);
  await mkdir(beside);
  await copyFile(await scriptFile(), join(from, 'demo.jsonl'));
  await copyFile(await scriptFile(), join(beside, 'foreign.jsonl'));
  await symlink('.', join(from, 'loop'));
  await symlink('/', join(from, 'root'));
  await symlink(beside, join(from, 'out'));
  await symlink(join(beside, 'foreign.jsonl'), join(from, 'foreign.jsonl'));
  await link(join(from, 'demo.jsonl'), join(from, 'twin.jsonl'));
  await symlink(from, join(place, 'named'));
  const line = `${from} ${place}/named ${from}/../transcripts ${from}/demo.jsonl`;
  const { exit, out } = await flamestack(`import ${line} --json --store ${place}/store`);
  const { imported } = JSON.parse(out) as { imported: { file: string }[] };
  expect([exit, imported.map(({ file }) => file)]).toEqual([0, [join(from, 'demo.jsonl')]]);
  const linked = await flamestack(`import ${from}/foreign.jsonl --store ${place}/other`);
  expect(linked.exit).toBe(0);
});

test('a pipe or a device is passed over in a folder, and refused where it is named', async () => {
  const place = await folder();
  const from = join(place, 'transcripts');
  const store = join(place, 'store');
  await mkdir(from);
  execFileSync('mkfifo', [join(from, 'a.jsonl'), join(from, 'agent-b.jsonl')]);
  await symlink('/dev/zero', join(from, 'zero.jsonl'));
  await copyFile(await scriptFile(), join(from, 'demo.jsonl'));
  const { exit, out, err } = await flamestack(`import ${from} --store ${store}`);
  expect([exit, err]).toEqual([0, '1 session, 67 new entries.\n']);
  expect(out).toContain('67 entries added');
  for (const named of ['a.jsonl', 'zero.jsonl']) {
    const refused = await flamestack(`import ${join(from, named)} --store ${store}`);
    expect(refused.exit).toBe(1);
    expect(refused.err).toContain(`${named}" is no regular file`);
    expect(refused.err).toContain('… | flamestack import -');
  }
});
