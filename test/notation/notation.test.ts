import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toNode } from '../../src/core/frames/tree.ts';
import { parseTree, printTree } from './tree.ts';
import { parseView, printView } from './view.ts';

// What a notation prints is what it reads.

const word = fc.constantFrom('auth', 'api', 'crud', 'jwt');
const status = fc.constantFrom('', ':planned', ':completed', ':failed', ':blocked', ':invalidated');
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.tuple(word, status).map((parts) => parts.join('')),
    fc
      .tuple(word, status, fc.array(tie('tree'), { minLength: 1, maxLength: 3 }))
      .map(([title, mark, children]) => {
        const isBare = children.length === 1 && !children[0]!.includes(' > ');
        return `${title}${mark} > ${isBare ? children[0]! : `(${children.join(', ')})`}`;
      }),
  ),
}));

test('a tree', () => {
  fc.assert(
    fc.property(tree, (line) => {
      const { frames } = parseTree(line);
      const unmarked = printTree(toNode(frames, 'none' as never));
      expect(unmarked).toBe(line);
    }),
  );
  expect(parseTree('root > (auth:completed > jwt:completed, api > crud*)').active).toBe('f4');
});

const tokens = fc.integer({ min: 1, max: 5_000 });
const mark = fc.oneof(
  fc.constantFrom('', '?', '!'),
  fc
    .tuple(fc.constantFrom('~', '-'), fc.integer({ min: 5_001, max: 9_000 }))
    .map((one) => one.join('')),
);
const items = fc
  .array(fc.tuple(fc.constantFrom('u', 'a', 't', 'm'), tokens, mark), { minLength: 1 })
  .map((all) => all.map(([who, cost, form], at) => `${at + 9}${who}${cost}${form}`).join(' '));
const ages = fc
  .array(fc.tuple(fc.constantFrom('recent', 'old', 'ancient', 'merged'), tokens), { minLength: 1 })
  .map((all) => all.map((one) => one.join(' ')).join(', '));

test('a view', () => {
  fc.assert(
    fc.property(items, (line) => {
      expect(printView(parseView(line))).toBe(line);
    }),
  );
  fc.assert(
    fc.property(ages, tokens, items, (old, cost, rest) => {
      const line = `${old} | 1u${cost} 2u${cost}~7000 | ${rest}`;
      expect(printView(parseView(line))).toBe(line);
    }),
  );
});
