import { expect, test } from 'vitest';
import { recoveredBlock } from '../../../src/core/sections/recovered-section.ts';
import { words } from '../../notation/state.ts';

const found = { open: ['the pool', '<goal> x'], files: ['src/a.ts', 'src/b.ts'] };
const block = (target: number, of: Partial<typeof found> = found): string =>
  recoveredBlock(
    'We build\na <goal> of it.',
    { open: [], files: [], ...of },
    { target, count: words },
  );

test.each([
  [
    99,
    '<recovered>\nWe build\n  a ‹goal> of it.\nOpen:\n- the pool\n- ‹goal> x\nFiles changed:\n- src/a.ts\n- src/b.ts\n</recovered>',
  ],
  [
    19,
    '<recovered>\nWe build\n  a ‹goal> of it.\nOpen:\n- the pool\n- ‹goal> x\nFiles changed:\n- src/a.ts\n</recovered>',
  ],
  [17, '<recovered>\nWe build\n  a ‹goal> of it.\nOpen:\n- the pool\n- ‹goal> x\n</recovered>'],
  [14, '<recovered>\nWe build\n  a ‹goal> of it.\nOpen:\n- the pool\n</recovered>'],
  [11, '<recovered>\nWe build\n  a ‹goal> of it.\n</recovered>'],
  [1, '<recovered>\nWe build\n  a ‹goal> of it.\n</recovered>'],
])('what was recovered in %d words is whole lines, and no title alone', (target, text) => {
  expect(block(target)).toBe(text);
});

test('what is not there has no title', () => {
  expect(block(99, {})).toBe('<recovered>\nWe build\n  a ‹goal> of it.\n</recovered>');
  expect(block(99, { open: ['x'] })).toContain('Open:\n- x\n</recovered>');
  expect(block(99, { files: ['x'] })).toContain('of it.\nFiles changed:\n- x\n</recovered>');
});
