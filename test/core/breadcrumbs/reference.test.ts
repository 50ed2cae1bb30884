import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isReference, toReference } from '../../../src/core/breadcrumbs/reference.ts';

test('a reference alone is told from words that hold one', () => {
  for (const text of ['e1', 'c2', 'f0', ' e40-e52 ', 'e4..9', 'e4 to e9'])
    expect([text, isReference(text)]).toEqual([text, true]);
  for (const text of ['', 'e0', 'c2 and f3', 'what e12 says', 'e2e', 'src/e1', '[cleared, e3]'])
    expect([text, isReference(text)]).toEqual([text, false]);
});

test('whatever is a reference alone leads somewhere', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^ ?[ecf][0-9]{1,3}( ?(-|\.\.|to) ?e?[0-9]{1,2})? ?$/),
      (text) => {
        if (isReference(text)) expect(toReference(text)).not.toBeNull();
      },
    ),
  );
});
