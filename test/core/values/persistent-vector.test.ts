import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  at,
  emptyVector,
  members,
  push,
  set,
  setAll,
  vectorOf,
} from '../../../src/core/values/persistent-vector.ts';

test('a vector holds what an array would, and changing it leaves the old one as it was', () => {
  const change = fc.record({ index: fc.nat(200), value: fc.integer() });
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 200 }), fc.array(change), (start, changes) => {
      const vector = start.reduce((list, member) => push(list, member), emptyVector<number>());
      const legal = new Map(
        changes
          .filter(({ index }) => index < start.length)
          .map(({ index, value }) => [index, value]),
      );
      const next = setAll(vector, legal);
      expect(members(vector)).toEqual(start);
      expect(members(vectorOf(start))).toEqual(start);
      expect(members(next)).toEqual(start.map((member, index) => legal.get(index) ?? member));
      expect(at(next, start.length)).toBeUndefined();
      const one = [...legal].reduce((list, [index, value]) => set(list, index, value), vector);
      expect(members(one)).toEqual(members(next));
      expect(members(vector)).toEqual(start);
    }),
  );
});
