import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

test('a server with a thousand sessions answers in each with its own words', () => {
  const example = 'node_modules/flamestack/examples/thousand-sessions.mjs';
  const said = execFileSync(process.execPath, [example], { encoding: 'utf8' });
  assert.match(said, /^1000 sessions answer with their own words\n/);
});
