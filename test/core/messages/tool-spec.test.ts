import { expect, test } from 'vitest';
import { offersRecall } from '../../../src/core/messages/tool-spec.ts';

test.each([
  ['our own schema', { name: 'recall' }],
  ['an OpenAI-compatible server', { type: 'function', function: { name: 'recall' } }],
  ['a host that prefixes its tools', { name: 'mcp__flamestack__recall' }],
])('recall is seen in the spelling of %s', (_, schema) => {
  expect(offersRecall([{ name: 'read' }, schema])).toBe(true);
});

test.each([[[]], [[{ name: 'read' }]], [[{ name: 'precall' }]], [[null, 3, 'recall']]])(
  'recall is not seen in %j',
  (schemas) => {
    expect(offersRecall(schemas)).toBe(false);
  },
);
