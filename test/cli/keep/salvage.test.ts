import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn } from '../../store/folder.ts';
import { demoStore, flamestack } from '../call.ts';

test('a store that is refused says how to salvage it; what is lost is named, and shows in the exit code', async () => {
  const store = await demoStore();
  const [log = ''] = await filesIn(store, /\.log$/);
  const bytes = await readFile(join(store, log));
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(join(store, log), bytes);
  const refused = await flamestack(`ls --store ${store}`);
  expect(refused.exit).toBe(1);
  expect(refused.err).toContain(`flamestack salvage ${store} --to <new folder>`);

  expect((await flamestack(`verify --store ${store}`)).exit).toBe(4);

  const { exit, out } = await flamestack(`salvage ${store} --to ${store}-new`);
  expect(exit).toBe(4);
  expect(out).toContain(`rows that nobody can name may be lost in ${log}: texts, keys of appends`);
  expect(out).toContain(`${log} holds other bytes than it did\ndemo: `);
  expect(out).toMatch(/ records of 1 session written to .*-new\n$/);

  expect((await flamestack(`ls --store ${store}-new`)).out).toContain('demo');
});

test('of a sound store all is salvaged, and a script is told so', async () => {
  const store = await demoStore();
  const { exit, out } = await flamestack(`salvage ${store} --to ${store}-new --json`);
  expect(exit).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    schema: 'flamestack.salvage/1',
    isWhole: true,
    sessions: [{ id: 'demo', entries: { sound: 67, lost: [] } }],
    files: [],
    damaged: [],
  });
  expect((await flamestack(`salvage ${store} --to ${store}-new`)).exit).toBe(2);
  const none = await flamestack(`salvage ${store}-none --to ${store}-other`);
  expect(none.exit).toBe(3);
  expect(none.err).toContain('Is the path right?');
  expect(none.err).not.toContain('--store');
});

test('an address is refused with the way to a folder', async () => {
  const { exit, err } = await flamestack('salvage postgres://me@here/db --to new');
  expect(exit).toBe(2);
  expect(err).toContain('flamestack backup <folder> --store postgres://me@here/db');
});
