import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameId } from '../../../src/core/values/id.ts';
import type { State } from '../../../src/core/state/state.ts';
import { extendRuns } from '../../../src/core/frames/frame-ranges.ts';
import { change, frameOf, grow } from '../../../src/core/frames/tree.ts';
import { encodeState } from '../../../src/engine/journal/state-codec.ts';
import { newCopies, readCopy } from '../../../src/engine/journal/state-copies.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { stateKey } from '../../../src/store/key.ts';
import { openMemoryStore } from '../../../src/store/level/level-store.ts';
import { newDisk } from '../disk.ts';
import { draws } from '../../draws.ts';

const identity = { title: 'Task', criteria: 'it works', brief: '' };
const bytes = (state: State): string => JSON.stringify(encodeState(state));

async function firstState(): Promise<State> {
  const store = await openOver(await openMemoryStore());
  await store.open('s', { window: 8_000 });
  const { state } = await store.live('s');
  await store.close();
  return state;
}

/** What a step may do to the lists of a state, chosen by two numbers. */
function evolveBy(state: State, [what, which]: readonly [number, number]): State {
  const next = { ...state, seq: state.seq + 1 };
  const frame = frameOf(state.frames, frameId(which % state.frames.length));
  if (what < 3)
    return {
      ...next,
      frames: grow(state.frames, { parent: frame.id, identity, status: 'planned' }),
    };
  if (what < 5) return { ...next, frames: change(state.frames, [{ ...frame, title: `${which}` }]) };
  if (what < 7) return { ...next, epochView: { ...state.epochView, frames: state.frames } };
  const entryCount = state.entryCount + 1;
  return { ...next, entryCount, frameRanges: extendRuns(state.frameRanges, entryCount, frame.id) };
}

const moves = fc.array(fc.tuple(fc.nat(9), fc.nat(500)), { minLength: 1, maxLength: 6 });

test('the newest copy and every one that stays are read back as the states they were made of', async () => {
  let first = await firstState();
  for (let n = 0; n < 300; n += 1) first = evolveBy(first, [0, n]);
  await fc.assert(
    fc.asyncProperty(fc.array(moves, { minLength: 12, maxLength: 20 }), async (rounds) => {
      const store = await openMemoryStore();
      let copies = newCopies();
      let state = first;
      const made: State[] = [];
      for (const [at, round] of rounds.entries()) {
        state = round.reduce(evolveBy, state);
        made.push(state);
        await store.commit(copies.next(state));
        const read = (await readCopy(store, 's'))!;
        expect(bytes(read.state)).toBe(bytes(state));
        if (at % 3 === 1) ({ state, copies } = read);
      }
      for (const [at, old] of made.entries()) {
        if ((at + 1) % 8 !== 0) continue;
        expect(bytes((await readCopy(store, 's', old.seq))!.state)).toBe(bytes(old));
      }
      await store.close();
    }),
    { numRuns: draws(200) },
  );
});

test('a copy of 3,000 frames writes the chunks that changed, and leaves no row that nobody needs', async () => {
  const disk = await newDisk();
  const store = disk.mount();
  const copies = newCopies();
  let state = await firstState();
  for (let n = 0; n < 3_000; n += 1) state = evolveBy(state, [0, 0]);
  await store.commit(copies.next(state));
  const largest = 3_001 / 32 + 2;
  expect(disk.writes.get('chunk')).toBeLessThan(largest);
  for (let round = 2; round <= 24; round += 1) {
    state = evolveBy(evolveBy(state, [0, 1_500]), [3, round * 40]);
    disk.reset();
    await store.commit(copies.next(state));
    expect(disk.writes.get('chunk')).toBeLessThanOrEqual(2 * 3);
  }
  const rows = { state: 0, chunk: 0 };
  for (const kind of ['state', 'chunk'] as const)
    for await (const _ of store.range(kind, {})) rows[kind] += 1;
  expect(rows.state).toBe(6);
  expect(rows.chunk).toBeLessThan(largest + 24 * 3);
  disk.reset();
  await readCopy(store, 's');
  expect(disk.reads.get('state')).toBe(1);
  expect(disk.reads.get('chunk')).toBeLessThan(largest);
});

test('a copy that an older version made not to stay is replaced, though its number is one that stays now', async () => {
  const store = (await newDisk()).mount();
  const copies = newCopies();
  let state = await firstState();
  for (let n = 0; n < 4; n += 1) {
    state = evolveBy(state, [0, 0]);
    await store.commit(copies.next(state));
  }
  const old = stateKey('s', state.seq);
  const row = (await store.get('state', old)) as { copy: object };
  const value = { ...row, copy: { ...row.copy, fixed: 0 } };
  await store.commit([{ type: 'put', kind: 'state', key: old, value }]);
  const read = await readCopy(store, 's');
  await store.commit(read!.copies.next(evolveBy(read!.state, [0, 0])));
  expect(await store.get('state', old)).toBeUndefined();
});
