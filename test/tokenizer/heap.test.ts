import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toHeap } from '../../src/tokenizer/heap.ts';

test('keys come out least first, whenever they went in', () => {
  const step = fc.option(fc.integer(), { nil: null });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const heap = toHeap(steps.length);
      const model: number[] = [];
      for (const key of steps) {
        if (key === null) expect(heap.pop()).toBe(model.shift() ?? Infinity);
        else {
          heap.push(key);
          model.push(key);
          model.sort((a, b) => a - b);
        }
      }
      for (const key of [...model, Infinity]) expect(heap.pop()).toBe(key);
    }),
  );
});
