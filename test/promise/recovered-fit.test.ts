import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../draws.ts';
import { SimulatedClock } from 'xstate';
import { openOver } from '../../src/engine/open/open-store.ts';
import { replayed } from '../engine/replayed.ts';
import type { ListItem } from '../../src/core/documents/list-item.ts';
import {
  emptyDocument,
  printDocument,
  type CheckpointDocument,
} from '../../src/core/documents/document.ts';
import { isEngineError } from '../../src/index.ts';
import { newDisk } from '../engine/disk.ts';
import { newLocation } from '../store/folder.ts';

// A document may hold far more than a window does: recovered into a small one it
// fits, whatever it holds, and the session goes on.

const words = (n: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `word${(n * 7 + at) % 97}`).join(' ');

const items = (count: number, length: number, more: Partial<ListItem> = {}): ListItem[] =>
  Array.from({ length: count }, (_, n) => ({
    text: `${n}: ${words(n, length)}`,
    done: false,
    ...more,
  }));

const size = fc.record({
  description: fc.constantFrom<number[]>(3, 40, 400, 4_000),
  locked: fc.nat(400),
  loose: fc.nat(200),
  milestones: fc.nat(200),
  next: fc.nat(300),
  frames: fc.nat(40),
  files: fc.nat(200),
  questions: fc.nat(60),
  length: fc.constantFrom<number[]>(2, 40, 120),
  window: fc.integer({ min: 2_000, max: 4_000 }),
});

type Size = typeof size extends fc.Arbitrary<infer T> ? T : never;

const documentOf = (given: Size): CheckpointDocument => {
  const { description, locked, loose, milestones, next, frames, files, questions, length } = given;
  return {
    ...emptyDocument,
    id: 's/9',
    session: 's',
    messages: 24,
    topic: words(1, description),
    goal: words(2, description),
    decisions: [...items(locked, length, { done: true }), ...items(loose, length)],
    actions: [
      ...items(milestones, length, { kind: 'milestone' }),
      ...items(frames, 4, { kind: 'frame, planned', detail: words(3, length) }),
      ...Array.from({ length: Math.min(8, frames) }, (_, depth) => ({
        ...items(1, 4, { kind: 'frame', detail: words(4, length) })[0]!,
        ...(depth === 0 ? {} : { depth }),
      })),
      ...items(next, length),
    ],
    questions: Array.from({ length: questions }, (_, n) => words(n, length)),
    status: words(5, length),
    files: Array.from({ length: files }, (_, n) => ({
      path: `src/part${n}.ts`,
      change: 'changed',
    })),
  };
};

test('whatever size a document has, recovered into a small window it fits, or is refused with nothing changed', async () => {
  await fc.assert(
    fc.asyncProperty(size, fc.constantFrom('auto', 'confirm'), async (given, recovery) => {
      const folder = await newLocation();
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, '2026-01-31.md'), printDocument(documentOf(given)));
      const disk = await newDisk();
      const store = await openOver(disk.mount(), { clock: new SimulatedClock() });
      const s = await store.open('s', { window: given.window, recovery });
      const before = s.state;
      const error: unknown = await s.recover({ from: folder }).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error !== null) {
        expect(error).toSatisfy(isEngineError);
        expect(s.state).toEqual(before);
        await store.close();
        return;
      }
      for (const content of ['Go on, please.', words(8, 200), 'And now?']) {
        const { budget } = await s.assemble();
        expect(budget.total).toBeLessThanOrEqual(budget.limit);
        if (s.state.recovery !== null) await s.recovery.confirm();
        await s.append({ role: 'user', content });
        await s.append({ role: 'assistant', content: words(9, 150) });
      }
      const { budget } = await s.assemble();
      expect(budget.total).toBeLessThanOrEqual(budget.limit);
      expect((await replayed(disk.mount(), 's')).diverged).toBeNull();
      await store.close();
    }),
    { numRuns: draws(25) },
  );
});

test('a goal that is larger than a window lets one set can still be decided on, paused and completed', async () => {
  const given = {
    description: 4_000,
    locked: 300,
    loose: 0,
    milestones: 0,
    next: 0,
    frames: 0,
    files: 0,
    questions: 0,
    length: 40,
    window: 2_000,
  };
  const folder = await newLocation();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '2026-01-31.md'), printDocument(documentOf(given)));
  const store = await openOver((await newDisk()).mount(), { clock: new SimulatedClock() });
  const s = await store.open('s', { window: given.window });
  await s.recover({ from: folder });
  const { goal } = s.state;
  expect(goal?.decisions).toHaveLength(200);
  await s.goal.update({ next: ['Read it'] });
  await s.goal.pause();
  await s.goal.resume();
  await s.goal.complete();
  expect(s.state.goal).toEqual({ ...goal, status: 'completed', next: ['Read it'] });
  await expect(s.goal.update({ description: words(3, 4_000) })).rejects.toMatchObject({
    code: 'GOAL_TOO_LARGE',
  });
  await store.close();
});
