// A live and a stored session, watched in Stately's words, and no word of the conversation in them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore, toStately } from 'flamestack';

test('a session is watched while it runs, and as it is stored', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'flamestack-packed-')), 'store');
  const live = [];
  const store = await openStore(folder, { inspect: (one) => live.push(one) });
  const session = await store.open('s', { window: 2_048 });
  await session.append({ role: 'user', content: 'The parrot is called Kakadu.' });
  for (let n = 0; n < 40; n += 1)
    await session.append({ role: 'assistant', content: `Kakadu ${n} ${'says so '.repeat(30)}` });
  await store.close();
  const again = await openStore(folder, { readOnly: true });
  const stored = [];
  for await (const one of (await again.open('s')).inspect({ live: false })) stored.push(one);
  await again.close();
  assert.deepEqual(stored, live);
  const messages = stored.flatMap(toStately);
  assert.deepEqual(
    new Set(messages.map(({ type }) => type)),
    new Set(['@xstate.actor', '@xstate.event', '@xstate.snapshot']),
  );
  assert.ok(messages.some(({ sessionId }) => sessionId === 's/f0/compression'));
  assert.ok(!JSON.stringify(messages).includes('akadu'));
  const words = ['flamestack', 'inspect', 's', '--store', folder];
  const printed = execFileSync('npx', words, { encoding: 'utf8' });
  assert.deepEqual(
    printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    messages,
  );
});
