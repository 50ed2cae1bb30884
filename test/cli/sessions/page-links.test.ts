import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { demoStore, flamestack, folder } from '../call.ts';
import { build, program } from '../pty.ts';

beforeAll(build);

test('the link of a page is told again as long as it is served, from a file of its owner alone', async () => {
  const state = await folder();
  const env = { XDG_STATE_HOME: state };
  const pages = join(state, 'flamestack/pages');
  const store = await demoStore();
  const child = spawn(process.execPath, [program, 'view', 'demo', '--store', store], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const link = String(printed);
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]+\n$/);
  expect(await flamestack('view --link', { env })).toEqual({ exit: 0, out: link, err: '' });
  const [name] = await readdir(pages);
  expect(((await stat(join(pages, name!))).mode & 0o777).toString(8)).toBe('600');
  child.kill('SIGINT');
  await once(child, 'exit');
  expect(await readdir(pages)).toEqual([]);
});

test('the link of a page that nobody serves any more is told to nobody', async () => {
  const state = await folder();
  const env = { XDG_STATE_HOME: state };
  const pages = join(state, 'flamestack/pages');
  await mkdir(pages, { recursive: true });
  await writeFile(join(pages, '99999999-x.json'), '{"session":"s","link":"http://127.0.0.1:1/"}');
  const told = await flamestack('view --link', { env });
  expect(told).toEqual({
    exit: 3,
    out: '',
    err: 'No page is served. flamestack view serves one.\n',
  });
  expect(await readdir(pages)).toEqual([]);
  const { exit, out, err } = await flamestack('view --link --json', { env });
  expect([exit, out]).toEqual([3, '']);
  expect(JSON.parse(err)).toMatchObject({ schema: 'flamestack.error/1', code: 'PAGE_MISSING' });
});
