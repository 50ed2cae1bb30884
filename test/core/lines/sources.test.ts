import { expect, test } from 'vitest';
import { sourceHead, statedIn, withoutSource } from '../../../src/core/lines/sources.ts';

test.each([
  ['plan.md: Ids are prefixed.', 'plan.md: ', 'Ids are prefixed.', 'Ids are prefixed.'],
  ['docs/plan.md: Ids are.', 'docs/plan.md: ', 'docs/plan.md: Ids are.', 'Ids are.'],
  ['limits.ts: Ids are.', 'limits.ts: ', 'limits.ts: Ids are.', 'Ids are.'],
  ['Note: Ids are.', '', 'Note: Ids are.', 'Ids are.'],
  ['The ids: prefixed.', '', 'The ids: prefixed.', 'The ids: prefixed.'],
])('%j has its source, what is stated in it, and what is compared', (...row) => {
  const [text, head, stated, bare] = row;
  expect(sourceHead(text)).toBe(head);
  expect(statedIn({ kind: 'read', text })).toBe(stated);
  expect(statedIn({ kind: 'said', text })).toBe(text);
  expect(withoutSource(text)).toBe(bare);
});
