import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partitionPoint } from '../../../src/core/values/partition-point.ts';

test('of rising numbers the first that is not below a limit is found, looking at few of them', () => {
  const numbers = fc.array(fc.nat(20), { maxLength: 40 }).map((list) => list.sort((a, b) => a - b));
  fc.assert(
    fc.property(numbers, fc.nat(21), (rising, limit) => {
      let looks = 0;
      const point = partitionPoint(rising.length, (index) => {
        looks += 1;
        return rising[index]! < limit;
      });
      expect(point).toBe(rising.filter((one) => one < limit).length);
      expect(looks).toBeLessThanOrEqual(6);
    }),
  );
});
