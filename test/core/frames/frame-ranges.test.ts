import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Frame } from '../../../src/core/frames/frame.ts';
import { frameId } from '../../../src/core/values/id.ts';
import {
  extendRuns,
  frameAt,
  spansOf,
  type FrameRanges,
} from '../../../src/core/frames/frame-ranges.ts';
import { emptyVector } from '../../../src/core/values/persistent-vector.ts';

const start: FrameRanges = emptyVector();
const frames = fc.array(fc.nat(4), { maxLength: 120 });

const runsOf = (places: readonly number[]): FrameRanges =>
  places.reduce((runs, f, at) => extendRuns(runs, at + 1, frameId(f)), start);

test('runs say of each entry which frame it is in, and of each frame where its entries are', () => {
  fc.assert(
    fc.property(frames, (places) => {
      const runs = runsOf(places);
      expect(frameAt(runs, 0)).toBeUndefined();
      expect(places.map((_, at) => frameAt(runs, at + 1))).toEqual(places.map(frameId));
      for (const f of new Set(places)) {
        const mine = places.flatMap((place, at) => (place === f ? [at + 1] : []));
        const frame = { id: frameId(f), span: [mine[0], mine.at(-1)] } as unknown as Frame;
        const listed = spansOf(runs, frame).flatMap(([first, last]) =>
          Array.from({ length: last - first + 1 }, (_, k) => first + k),
        );
        expect(listed).toEqual(mine);
      }
    }),
  );
});

test('runs grow with changes of the frame and not with what is said', () => {
  const runs = runsOf([...Array(5_000).fill(0), ...Array(5_000).fill(1), 0]);
  expect(runs.length).toBe(3);
});
