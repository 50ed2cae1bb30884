import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/index.ts';
import { flamestack, folder } from './call.ts';

/** A store with a session, and the document that tells where it stands. */
async function worked(): Promise<{ readonly at: string; readonly memory: string }> {
  const root = await folder();
  const [at, memory] = [join(root, 'store'), join(root, 'memory')];
  await mkdir(memory);
  await using store = await openStore(at, { documents: memory });
  const session = await store.open('notes', { window: 8_000 });
  await session.goal.set({
    description: 'Move the tokens to cookies',
    decisions: [{ text: 'Cookies live an hour', locked: true }],
    next: ['Write the migration'],
  });
  await session.append([
    { role: 'user', content: 'Change the guard in src/auth.ts.' },
    {
      role: 'assistant',
      content: 'Changing it.',
      toolCalls: [{ id: 'c1', name: 'edit', arguments: { path: 'src/auth.ts', text: 'x' } }],
    },
    { role: 'tool', toolCallId: 'c1', content: 'ok' },
  ]);
  await session.writeDocument();
  return { at, memory };
}

test('recover tells where the work stood, and the next prompt begins with it', async () => {
  const { at } = await worked();
  const told = await flamestack(`recover --store ${at}`);
  expect(told.exit).toBe(0);
  expect(told.out).toContain('We were working on Move the tokens to cookies');
  expect(told.err).toContain('flamestack show notes');
  const shown = await flamestack(`show --store ${at} --section checkpoints --full`);
  expect(shown.out).toContain('next step is Write the migration');
});

test('with the store gone, the documents tell goal, decisions, open items, files and next step', async () => {
  const { at } = await worked();
  await rm(at, { recursive: true });
  const told = await flamestack(`recover notes --store ${at} --json`);
  expect(told.exit).toBe(0);
  const { id, line, source, goal } = JSON.parse(told.out) as Record<string, unknown>;
  expect([id, source]).toEqual(['notes', 'documents']);
  expect(line).toContain('next step is Write the migration');
  expect(goal).toMatchObject({
    description: 'Move the tokens to cookies',
    decisions: [{ text: 'Cookies live an hour', locked: true }],
    next: ['Write the migration'],
    artifacts: [{ path: 'src/auth.ts' }],
  });
  const shown = await flamestack(`show notes --store ${at} --json`);
  expect(shown.out).toContain('src/auth.ts');
});

test('with neither store nor documents it says so, and leaves nothing behind', async () => {
  const at = join(await folder(), 'store');
  const told = await flamestack(`recover notes --store ${at}`);
  expect(told.exit).not.toBe(0);
  expect(told.err).toContain('There is no checkpoint document');
  const listed = await flamestack(`ls --store ${at}`);
  expect(listed.exit).not.toBe(0);
});

test('a mistyped name makes no session of another one’s documents', async () => {
  const { at } = await worked();
  const { exit, err } = await flamestack(`recover notse --store ${at}`);
  expect(exit).toBe(3);
  expect(err).toContain('notse');
  await using store = await openStore(at);
  const ids: string[] = [];
  for await (const { id } of store.sessions()) ids.push(id);
  expect(ids).toEqual(['notes']);
});
