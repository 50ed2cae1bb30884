import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitted } from '../../src/adapters/handed-back-text.ts';

const block = fc.record({
  lines: fc.array(fc.string({ maxLength: 60 }), { minLength: 1, maxLength: 12 }),
  kind: fc.constantFrom('said' as const, 'told' as const, 'entry' as const),
});

test('whatever is handed back, it comes to an end and is no longer than it may be', () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 20 }), fc.nat(400), (given, longest) => {
      const blocks = given.map((one, at) => ({
        ...one,
        entry: one.kind === 'told' ? null : `e${at + 1}`,
      }));
      expect(fitted('head', blocks, longest).length).toBeLessThanOrEqual(longest);
    }),
  );
});

test('what is told in a line does not keep what people said from being shortened', () => {
  const told = { lines: ['<checkpoint/>'], kind: 'told' as const, entry: null };
  const said = Array.from({ length: 30 }, (_, n) => ({
    lines: ['x'.repeat(500)],
    kind: 'said' as const,
    entry: `e${n + 1}`,
  }));
  expect(fitted('head', [told, ...said], 9_800).length).toBeLessThanOrEqual(9_800);
});
