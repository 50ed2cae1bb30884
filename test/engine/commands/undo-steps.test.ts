import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';

test('steps say what undo and redo would take, the next one first, also of frames that are gone', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('steps', { window: 8_192, title: 'Root' });
  expect(await session.steps()).toEqual({ undo: [], redo: [] });
  await session.goal.set('Ship');
  await session.push({ title: 'Parser' });
  await session.pop({ status: 'completed', results: 'Done' });
  await session.push({ title: 'Dead end' });
  await session.frames.invalidate('f2');
  const { id } = await session.snapshots.create('now');
  await session.snapshots.restore(id);
  const { undo, redo } = await session.steps();
  expect(redo).toEqual([]);
  expect(undo).toMatchObject([
    { what: 'restore', turn: 0, snapshot: 's1' },
    { what: 'invalidate', turn: 0, frame: 'f2', title: 'Dead end' },
    { what: 'push', turn: 0, frame: 'f2', title: 'Dead end' },
    { what: 'pop', turn: 0, frame: 'f1', title: 'Parser' },
    { what: 'push', turn: 0, frame: 'f1', title: 'Parser' },
    { what: 'goal', turn: 0, goal: 'Ship' },
  ]);
  for (const step of undo) {
    expect((await session.steps()).undo[0]).toEqual(step);
    expect((await session.undo()).what).toBe(step.what);
  }
  expect(await session.steps()).toEqual({ undo: [], redo: undo.toReversed() });
  await session.redo();
  expect((await session.steps()).undo).toEqual([undo.at(-1)]);
});

test('a compression is a step with its checkpoint and the entries behind it', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('steps', { window: 2_000, reserve: 0 });
  for (let n = 1; n <= 16; n += 1) {
    await session.append({ role: 'user', content: `Do part ${n}` });
    await session.append({ role: 'assistant', content: `Did part ${n}: ${'fine '.repeat(90)}` });
  }
  await session.compress();
  const { undo } = await session.steps();
  const [checkpoint] = session.state.checkpoints.slice(-1);
  const { id, from, to } = checkpoint!;
  expect(undo[0]).toMatchObject({ what: 'compression', frame: 'f0', checkpoint: id, from, to });
});
