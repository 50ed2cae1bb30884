// A stored session, decided again.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from 'flamestack';

test('a session is replayed, by the command and in a program', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'flamestack-packed-')), 'store');
  const call = (...words) =>
    execFileSync('npx', ['flamestack', ...words, '--store', folder], { encoding: 'utf8' });
  const example = join(import.meta.dirname, 'node_modules/flamestack/examples/notes-app.jsonl');
  call('import', example, '--window', '8k');
  assert.match(call('replay', 'notes-app', '--verify'), /0 differences/);
  assert.match(call('replay', 'notes-app', '--find', 'compressions >= 3'), /\d/);
  const store = await openStore(folder, { readOnly: true });
  let steps = 0;
  for await (const { difference } of store.replay('notes-app', { decide: true })) {
    assert.equal(difference, null);
    steps += 1;
  }
  await store.close();
  assert.ok(steps > 400);
});
