import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Reader } from '../../../src/cli/io.ts';
import { openStore } from '../../../src/index.ts';
import { flamestack, folder, scriptFile } from '../call.ts';
import { newLocation } from '../../store/folder.ts';

async function kept(): Promise<string> {
  // Documents are looked for beside the store.
  const store = await newLocation();
  const script = await scriptFile();
  for (const id of ['demo', 'other'])
    await flamestack(`import ${script} --id ${id} --window 2k --store ${store}`);
  return store;
}

/** Somebody at a terminal who types a line. */
const typing = (line: string): Reader =>
  Object.assign(Readable.from([`${line}\n`]), { isTTY: true });

const idsIn = async (store: string): Promise<readonly string[]> =>
  (
    JSON.parse((await flamestack(`ls --json --store ${store}`)).out) as {
      sessions: { id: string }[];
    }
  ).sessions.map(({ id }) => id);

test('a question that is longer than a line is parted between words', async () => {
  const store = await kept();
  const look = { isTTY: true, columns: 40, stdin: typing('') };
  const { err } = await flamestack(`rm demo --store ${store}`, look);
  expect(err).toMatch(
    /^Delete demo \(Tidy the parts, 17 turns,\n[\d,]+ tokens\) for good\? \[y\/N\] /,
  );
});

test('rm asks at a terminal, and deletes on yes alone', async () => {
  const store = await kept();
  const no = await flamestack(`rm demo --store ${store}`, { stdin: typing('') });
  expect(no).toMatchObject({ exit: 0, out: '' });
  expect(no.err).toMatch(
    /^Delete demo \(Tidy the parts, 17 turns, [\d,]+ tokens\) for good\? \[y\/N\] Nothing/,
  );
  expect(await idsIn(store)).toHaveLength(2);
  const yes = await flamestack(`rm demo --store ${store}`, { stdin: typing('y') });
  expect(yes.out).toMatch(/^Deleted demo: [\d,]+ records\n$/);
  expect(yes.err).toMatch(
    /Not reached from here:\n  Checkpoint documents, .*\n  Backups, exported files/,
  );
  expect(await idsIn(store)).toEqual(['other']);
});

test('where nobody can be asked, rm wants --yes', async () => {
  const store = await kept();
  const { exit, err } = await flamestack(`rm demo --store ${store}`);
  expect([exit, err]).toEqual([2, expect.stringContaining('say --yes')]);
  expect(await idsIn(store)).toHaveLength(2);
  expect((await flamestack(`rm none --yes --store ${store}`)).exit).toBe(3);
});

test('rm --yes --json leaves no name of the session in the folder, and says what it cannot reach', async () => {
  const store = await kept();
  const { exit, out } = await flamestack(`rm demo --yes --json --store ${store}`);
  expect(exit).toBe(0);
  const told = JSON.parse(out) as { session: string; rows: number; left: { kind: string }[] };
  expect(told).toMatchObject({ schema: 'flamestack.rm/1', session: 'demo' });
  expect(told.left.map(({ kind }) => kind)).toEqual(['document', 'backup', 'session']);
  // LevelDB's list of tables notes where it merged last: the id of the session alone.
  for (const name of (await readdir(store)).filter((file) => !file.startsWith('MANIFEST')))
    expect(await readFile(join(store, name), 'latin1'), name).not.toContain('demo');
  expect((await flamestack(`verify --store ${store}`)).exit).toBe(0);
});

test('a session in a store that is open elsewhere is not deleted', async () => {
  const store = await kept();
  await using _ = await openStore(store);
  const { exit, err } = await flamestack(`rm demo --yes --store ${store}`);
  expect(exit).toBe(1);
  expect(err).toContain('is in use: this process');
  expect(await idsIn(store)).toHaveLength(2);
});

test('rm in a copy leaves the documents of the store that lives, and names them', async () => {
  const place = await folder();
  const [store, copy] = [join(place, '.flamestack'), join(place, 'copy')];
  const memory = join(place, 'memory');
  const live = await openStore(store, { documents: memory });
  const session = await live.open('demo', { window: 2_000 });
  await session.goal.set({ description: 'Ship it' });
  for (let n = 0; n < 20; n += 1) {
    await session.append({ role: 'user', content: `Never rename src/a${n}.ts.` });
    await session.append({ role: 'assistant', content: 'It says much. '.repeat(40) });
  }
  await session.document();
  await session.settled();
  await session.close();
  await live.close();
  const files = await readdir(memory);
  expect(files).toContain('NOW.md');
  await cp(store, copy, { recursive: true });

  const { out, err } = await flamestack(`rm demo --yes --store ${copy}`);
  expect(out).toMatch(/^Deleted demo: [\d,]+ records\n$/);
  expect(err).toContain(`Documents and pages in ${memory}: they may belong to another store`);
  const told = { env: { FLAMESTACK_DOCUMENTS: memory } };
  await cp(store, `${copy}2`, { recursive: true });
  await flamestack(`rm demo --yes --store ${copy}2`, told);
  expect(await readdir(memory)).toEqual(files);

  expect((await flamestack(`rm demo --yes --store ${store}`)).out).toContain(
    `and from ${join(memory, 'NOW.md')}`,
  );
  expect(await readdir(memory)).not.toContain('NOW.md');
});
