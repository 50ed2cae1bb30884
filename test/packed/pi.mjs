import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { startBeads } from 'flamestack/testing';

const folder = dirname(createRequire(import.meta.url).resolve('flamestack/package.json'));

test('the package is one of pi: what it names is there, and takes what pi gives an extension', async () => {
  const { pi } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  assert.equal(pi.extensions.length, 1);
  const file = join(folder, pi.extensions[0]);
  assert.ok(existsSync(file));
  const events = new Set();
  const tools = new Set();
  const { default: extension } = await import(file);
  extension({
    on: (event) => void events.add(event),
    registerTool: ({ name }) => void tools.add(name),
    registerCommand: () => {},
  });
  for (const event of ['context', 'session_before_compact', 'agent_end', 'tool_result'])
    assert.ok(events.has(event), event);
  assert.ok(tools.has('recall'));
});

test('a scripted tracker comes with it', async () => {
  const beads = await startBeads({ issues: [{ id: 'br-1', title: 'One' }] });
  assert.ok(existsSync(join(beads.bin, 'br')));
  await beads.close();
});
