import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../draws.ts';
import { openOver } from '../../src/engine/open/open-store.ts';
import { isEngineError, type Message, type Session } from '../../src/index.ts';
import { newDisk } from '../engine/disk.ts';
import { everything } from '../engine/everything.ts';
import { act, script } from '../engine/script.ts';

const hello: Message = { role: 'user', content: 'Hello' };
const window = 2_000;

/** Calls that are refused in whatever state a session is, and why. */
const hopeless: readonly (readonly [string, (session: Session) => unknown])[] = [
  ['MESSAGE_INVALID', (s) => s.append({ role: 'system', content: 'Obey' } as never)],
  ['MESSAGE_INVALID', (s) => s.append([hello, { role: 'user' } as never, hello])],
  ['FRAME_TITLE_TOO_LONG', (s) => s.frames.plan({ title: 'word '.repeat(40) })],
  ['FRAME_TITLE_TOO_LONG', (s) => s.push({ title: ' ' })],
  ['FRAME_NOT_FOUND', (s) => s.frames.start('f9999')],
  ['FRAME_NOT_FOUND', (s) => s.frames.edit('nonsense', { title: 'Other' })],
  ['FRAME_NOT_FOUND', (s) => s.frames.retry('')],
  ['FRAME_NOT_FOUND', (s) => s.pop({ frame: 'f9999', status: 'failed' })],
  ['FRAME_NOT_FOUND', (s) => s.frames.plan({ title: 'Part', parent: 'f9999' })],
  ['FRAME_STATUS', (s) => s.frames.invalidate('f0')],
  ['FRAME_STATUS', (s) => s.frames.start('f0')],
  ['FRAME_FROZEN', (s) => s.frames.edit('f0', { title: 'Other' })],
  ['GOAL_TOO_LARGE', (s) => s.goal.set('word '.repeat(2_000))],
  ['OPTION_INVALID', (s) => s.pop({ status: 'done' as never })],
  ['OPTION_INVALID', (s) => s.configure({ trigger: 7 })],
  ['WINDOW_TOO_SMALL', (s) => s.configure({ window: 1 })],
  ['SYSTEM_TOO_LARGE', (s) => s.configure({ system: 'word '.repeat(9_000) })],
  ['TOKENIZER_MISMATCH', (s) => s.configure({ tokenizer: 'cl100k_base' })],
  ['SUMMARIZER_MISSING', (s) => s.configure({ summarizer: 'nobody' })],
  ['ENTRY_NOT_FOUND', (s) => s.entry('e99999')],
  ['ENTRY_NOT_FOUND', (s) => s.where('nonsense')],
  [
    'CONTEXT_OVERFLOW',
    (s) => s.assemble({ tools: [{ name: 'read', about: 'word '.repeat(9_000) }] }),
  ],
];

async function codeOf(call: () => unknown): Promise<string> {
  try {
    await call();
    return 'ok';
  } catch (error) {
    if (isEngineError(error)) return error.code;
    throw error;
  }
}

test('whatever is refused, in whatever state, leaves state and rows as they were', async () => {
  await fc.assert(
    fc.asyncProperty(script(16), async (steps) => {
      const disk = await newDisk();
      const store = await openOver(disk.mount());
      const session = await store.open('s', { window });
      for (const [at, step] of steps.entries()) {
        const before = await everything(disk, store);
        const code = await act(session, step, at);
        if (code !== 'ok') expect(await everything(disk, store), code).toBe(before);
      }
      const before = await everything(disk, store);
      for (const [code, call] of hopeless) expect(await codeOf(() => call(session))).toBe(code);
      expect(await everything(disk, store)).toBe(before);
      await store.close();
    }),
    { numRuns: draws(25) },
  );
});

test('a completed session refuses everything but reading', async () => {
  const disk = await newDisk();
  const store = await openOver(disk.mount());
  const session = await store.open('s', { window });
  await session.append(hello);
  await session.goal.set('Ship');
  await session.pop({ status: 'completed' });
  const before = await everything(disk, store);
  const calls: readonly (readonly [string, () => unknown])[] = [
    ['SESSION_COMPLETED', () => session.append(hello)],
    ['SESSION_COMPLETED', () => session.append([hello, hello])],
    ['FRAME_CLOSED', () => session.push({ title: 'Part' })],
    ['FRAME_CLOSED', () => session.frames.plan({ title: 'Part' })],
    ['FRAME_STATUS', () => session.pop({ status: 'completed' })],
  ];
  for (const [code, call] of calls) expect(await codeOf(call)).toBe(code);
  expect(await everything(disk, store)).toBe(before);
  expect((await session.assemble()).messages.length).toBeGreaterThan(0);
});

test('a message that the engine refuses in the middle takes those before it along', async () => {
  const disk = await newDisk();
  const store = await openOver(disk.mount());
  const session = await store.open('s', { window });
  await session.append({
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'c', name: 'read', arguments: {} }],
  });
  await session.pop({ status: 'completed' });
  const before = await everything(disk, store);
  const late: Message = { role: 'tool', toolCallId: 'c', content: 'text' };
  expect(await codeOf(() => session.append([late, hello]))).toBe('SESSION_COMPLETED');
  expect(await everything(disk, store)).toBe(before);
  expect(await codeOf(() => session.append(late))).toBe('ok');
});

test('an idempotency key of a refused call can be used again', async () => {
  const store = await openOver((await newDisk()).mount());
  const session = await store.open('s', { window });
  expect(await codeOf(() => session.push({ title: '' }, { key: 'k' }))).toBe(
    'FRAME_TITLE_TOO_LONG',
  );
  expect(await session.push({ title: 'Part' }, { key: 'k' })).toEqual({ id: 'f1' });
  expect(await session.push({ title: 'Part' }, { key: 'k' })).toEqual({ id: 'f1' });
  expect(session.state.active).toBe('f1');
});
