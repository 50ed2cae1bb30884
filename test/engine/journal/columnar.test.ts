import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromTable, toTable } from '../../../src/engine/journal/columnar.ts';

test('a table is read back as the list it was made of, keys in their order', () => {
  const member = fc.record(
    { name: fc.string(), entry: fc.nat(), changed: fc.boolean(), extra: fc.string() },
    { requiredKeys: ['name'] },
  );
  const alike = fc.array(fc.record({ name: fc.string(), entry: fc.nat() }));
  fc.assert(
    fc.property(fc.oneof(fc.array(member), alike), (list) => {
      const kept = JSON.parse(JSON.stringify(toTable(list))) as ReturnType<typeof toTable>;
      expect(JSON.stringify(fromTable(kept))).toBe(JSON.stringify(list));
    }),
  );
});

test('objects of one shape have their keys written once', () => {
  const names = Array.from({ length: 100 }, (_, n) => ({ name: `name${n}`, mentions: n }));
  expect(JSON.stringify(toTable(names)).match(/mentions/g)).toHaveLength(1);
});
