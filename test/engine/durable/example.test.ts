import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build, program } from '../../cli/pty.ts';
import { newLocation } from '../../store/folder.ts';

// The example is run as a user runs it, in processes that are killed.

const file = join(import.meta.dirname, 'generated-agent.mjs');

beforeAll(() => {
  build();
  const entry = pathToFileURL(join(program, '../index.js')).href;
  const example = readFileSync('examples/durable-agent.mjs', 'utf8');
  writeFileSync(file, example.replace("'flamestack'", `'${entry}'`));
});
afterAll(() => rmSync(file, { force: true }));

/** Runs the example until it has printed so many lines, and kills it; or to its end. */
function run(folder: string, most = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
  const child = spawn(process.execPath, [file, folder], {
    env: { ...process.env, AGENT_PACE: '30' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (piece: Buffer) => {
    text += String(piece);
    if (text.split('\n').length > most) child.kill('SIGKILL');
  });
  return new Promise((resolve) => child.on('close', () => resolve(text.trim().split('\n'))));
}

test('the example is killed again and again, goes on where it was, and says everything once', async () => {
  const folder = await newLocation();
  const lives = [
    await run(folder, 1),
    await run(folder, 3),
    await run(folder, 2),
    await run(folder),
  ];
  for (const [first] of lives.slice(1)) expect(first).toMatch(/^It goes on from step \d+: \w+$/);
  const end = ['"It listens on port 8123."', '6 messages in the session'];
  expect(lives.at(-1)!.slice(-2)).toEqual(end);
  const [known, ...rest] = await run(folder);
  expect(known).toMatch(/answered$/);
  expect(rest).toEqual(end);
});
