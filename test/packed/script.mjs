// Scripts of sessions: what happens, and what must hold.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { harness, laws } from 'flamestack/testing';

const folder = mkdtempSync(join(tmpdir(), 'flamestack-packed-'));
const run = (name, text) => {
  writeFileSync(join(folder, name), text);
  return spawnSync('npx', ['flamestack', 'test', join(folder, name)], { encoding: 'utf8' });
};

test('a script with a crash, a fault and expectations passes', () => {
  const { status, stdout } = run(
    'good.yaml',
    `test: It survives
session: { window: 4k }
steps:
  - user: Never touch the production database.
  - assistant: I begin.
    crash: after
  - reopen
  - expect: { fits: true, shows: Never touch, state: { entries: 2 }, laws: true }
`,
  );
  assert.equal(status, 0, stdout);
});

test('what is not as expected is 4, a step that is no step 1, with its line', () => {
  const script = (step) => `test: It\nsession: { window: 4k }\nsteps:\n  - ${step}\n`;
  const unmet = run('unmet.yaml', script('expect: { state: { entries: 3 } }'));
  assert.equal(unmet.status, 4);
  const typo = run('typo.yaml', script('asistant: Hello'));
  assert.equal(typo.status, 1);
  assert.match(typo.stdout + typo.stderr, /typo\.yaml:4/);
});

test('so does a harness in a program', async () => {
  const it = await harness({ session: { window: 4_096 } });
  await it.run({ user: 'Hello' }, { assistant: 'Hello', crash: 'after' });
  await it.expect({ fits: true, state: { entries: 2 } });
  await it[Symbol.asyncDispose]();
  assert.ok(laws.length > 5);
});
