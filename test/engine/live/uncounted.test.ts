import { cp } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import type * as Api from '../../../src/index.ts';
import { newLocation } from '../../store/folder.ts';

const said = 'What an entry holds is known by its bytes until the vocabulary is loaded.';

/** The program as a new process has it: no vocabulary is loaded, and none is before `ready`. */
async function anew(ready?: Promise<void>): Promise<typeof Api> {
  vi.resetModules();
  vi.doMock('js-tiktoken/ranks/o200k_base', async (original) => {
    await ready;
    return original();
  });
  return import('../../../src/index.ts');
}

function gate(): { readonly ready: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const ready = new Promise<void>((resolve) => (open = resolve));
  return { ready, open };
}

/** A folder with a session of no entries. */
async function empty(): Promise<string> {
  const path = await newLocation();
  await using store = await (await anew()).openStore(path);
  await store.open('notes', { window: 8_192 });
  return path;
}

/** Tokens of the only entry, as a new process has them, and the true ones. */
async function counts(path: string): Promise<{ readonly read: number; readonly true: number }> {
  const { openStore, countTokens } = await anew();
  await using store = await openStore(path);
  await using session = await store.open('notes');
  return { read: (await session.entry('e1')).tokens, true: (await countTokens(said)) + 4 };
}

test('what a process counted by its bytes is counted exactly before the store is closed', async () => {
  const path = await empty();
  const { ready, open } = gate();
  const store = await (await anew(ready)).openStore(path);
  await (await store.open('notes')).append({ role: 'user', content: said });
  const closed = store.close();
  open();
  await closed;
  const found = await counts(path);
  expect(found.read).toBe(found.true);
});

test('where a process had no time for that, the next opening counts', async () => {
  const path = await empty();
  const { ready, open } = gate();
  await using store = await (await anew(ready)).openStore(path);
  await (await store.open('notes')).append({ role: 'user', content: said });
  const cut = `${path}-cut`;
  await cp(path, cut, { recursive: true, filter: (name) => !name.endsWith('.tmp') });
  open();
  const found = await counts(cut);
  expect(found.read).toBe(found.true);
});
