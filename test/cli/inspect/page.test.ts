import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { demoStore, flamestack } from '../call.ts';
import { build, program } from '../pty.ts';

beforeAll(build);

/** The built program with a page of the session `demo`, until it is ended. */
async function shown(options: readonly string[]) {
  const store = await demoStore();
  const words = ['inspect', 'demo', '--page', '--store', store, ...options];
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const err = text(child.stderr);
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const { origin, hash } = new URL(String(printed).trim());
  const headers = { authorization: `Bearer ${hash.slice('#t='.length)}` };
  const end = async (): Promise<readonly [code: unknown, err: string]> => {
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [unknown];
    return [code, await err];
  };
  return { store, origin, headers, end };
}

test('a page is served with all moves, until Ctrl-C', async () => {
  const { origin, headers, end, store } = await shown([]);
  const page = await (await fetch(origin)).text();
  expect(page).toContain('/inspector.js');
  const script = await (await fetch(`${origin}/inspector.js`)).text();
  expect(script.length).toBeLessThan(100_000);
  const lines = await (await fetch(`${origin}/api/inspections`, { headers })).text();
  const [head, ...moves] = lines.trim().split('\n');
  expect(JSON.parse(head!)).toEqual({ live: false });
  const { out } = await flamestack(`inspect demo --as table --store ${store}`);
  expect(moves).toHaveLength(out.trim().split('\n').length);
  expect(await end()).toEqual([130, expect.stringContaining('Ctrl-C')]);
});

test('a page that is read while it ends leaves nothing that goes on', async () => {
  const { origin, headers, end } = await shown(['--live']);
  const { body } = await fetch(`${origin}/api/inspections`, { headers });
  const reader = body!.getReader();
  await reader.read();
  expect((await end())[0]).toBe(130);
  await expect(
    (async () => {
      for (let read = await reader.read(); !read.done; read = await reader.read());
      return 'closed';
    })(),
  ).rejects.toThrow();
});

test('a session that is not there is said before a page is served', async () => {
  const store = await demoStore();
  const { exit, out, err } = await flamestack(`inspect nobody --page --store ${store}`);
  expect([exit, out]).toEqual([3, '']);
  expect(err).toContain('nobody');
});
