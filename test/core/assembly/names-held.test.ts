import { expect, test } from 'vitest';
import { namesCompressed, namesHeld } from '../../../src/core/assembly/names-held.ts';
import type { KeptLine } from '../../../src/core/chronicle/chronicle.ts';
import { grow, plant } from '../../../src/core/frames/tree.ts';
import type { State } from '../../../src/core/state/state.ts';
import { entryId, frameId } from '../../../src/core/values/id.ts';

const f0 = frameId(0);

/** A line of entry `n` that is worth as much and tells as many names. */
const line = (n: number, worth: number, { frame = f0 } = {}): Partial<KeptLine> => ({
  id: n,
  n,
  to: n,
  frame,
  worth,
  made: 0,
  names: 10,
});

/** A session with three lines, the first of which a checkpoint holds; the chronicle shows what is worth `floor`. */
function session({ floor, checkpoints }: { floor: number; checkpoints: readonly object[] }): State {
  const identity = { title: 'Root', criteria: '', brief: '', directives: [] };
  return {
    frames: plant(identity, 'in_progress'),
    active: f0,
    views: new Map([[f0, { checkpoints }]]),
    chronicle: { made: 3, root: '', lines: [line(2, 1), line(3, 2), line(4, 3)] },
    epochView: { plan: { chronicle: { floor, asOf: 0 } } },
  } as unknown as State;
}

const c1 = { from: entryId(2), to: entryId(4), names: 40, lines: [2] };

test.each([
  [0, 30],
  [3, 20],
  [9, 10],
])('above a floor of %f, %i of 40 names are held', (floor, kept) => {
  const state = session({ floor, checkpoints: [c1] });
  expect(namesCompressed(state)).toEqual({ found: 40, kept });
});

test('a checkpoint without lines of its own is held by those of the chronicle', () => {
  const state = session({ floor: 3, checkpoints: [{ ...c1, lines: [] }] });
  expect(namesCompressed(state)).toEqual({ found: 40, kept: 10 });
});

test('lines of other frames count for no checkpoint', () => {
  const lines = [line(2, 1), line(3, 1, { frame: frameId(1) })] as KeptLine[];
  const state = session({ floor: 0, checkpoints: [] });
  const both = { ...state, chronicle: { ...state.chronicle, lines } };
  expect(namesHeld(both)({ ...c1, frame: f0 })).toBe(10);
});

test('without checkpoints nothing was found', () => {
  const state = session({ floor: 0, checkpoints: [] });
  expect(namesCompressed(state)).toEqual({ found: 0, kept: 0 });
});

test('a checkpoint of a parked frame is held by the lines that its prompt would hold', () => {
  const [f1, f2] = [frameId(1), frameId(2)];
  const state = session({ floor: 9, checkpoints: [] });
  const identity = { title: 'Child', criteria: '', brief: '', directives: [] };
  const child = { parent: f0, identity, status: 'in_progress' } as const;
  const frames = grow(grow(state.frames, child), child);
  const lines = [line(2, 1, { frame: f1 }), line(3, 2, { frame: f1 }), line(4, 9, { frame: f1 })];
  const parked = {
    ...state,
    frames,
    active: f2,
    views: new Map([[f1, { checkpoints: [c1] }]]),
    chronicle: { ...state.chronicle, lines },
  } as unknown as State;
  expect(namesHeld(parked)({ ...c1, frame: f1 })).toBe(0);
  expect(namesHeld(parked, f1)({ ...c1, frame: f1 })).toBe(20);
});
