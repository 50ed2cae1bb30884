import { expect, test } from 'vitest';
import { paperOf } from '../../../src/cli/paper/paper.ts';
import { treeLines } from '../../../src/cli/render/tree.ts';
import { widthOf } from '../../../src/cli/paper/width.ts';
import type { FrameNode } from '../../../src/index.ts';

const frame = (title: string, given: Partial<FrameNode> = {}): FrameNode => ({
  id: `f${title.length}`,
  title,
  criteria: '',
  brief: '',
  status: 'completed',
  active: false,
  results: null,
  artifacts: [],
  harvested: [],
  failing: [],
  decisions: [],
  reason: null,
  retryOf: null,
  children: [],
  ...given,
});

const tree = frame('Build', {
  status: 'in_progress',
  children: [
    frame('Accounts', { results: 'all\x1b[31m done', children: [frame('Login')] }),
    frame('Routes', {
      status: 'in_progress',
      active: true,
      children: [frame('Old', { status: 'invalidated' }), frame('Next', { status: 'planned' })],
    }),
  ],
});

const paper = (columns: number, ascii: boolean) =>
  paperOf({ write: () => undefined, isTTY: true, columns }, {}, { ascii, color: false });

test('the tree has a line for each frame, with status, id, results and remark', () => {
  expect(treeLines(tree, paper(44, true))).toEqual([
    '> f5 Build',
    '|- * f8 Accounts  all done',
    '|  `- * f5 Login',
    '`- > f6 Routes                          here',
    '   |- / f3 Old                   invalidated',
    '   `- o f4 Next                      planned',
  ]);
});

test('in a pipe nothing of the tree is cut or padded, but to COLUMNS', () => {
  const long = frame('Parser '.repeat(20).trim(), { active: true, results: 'done '.repeat(40) });
  const pipe = (env: Record<string, string>): string =>
    treeLines(long, paperOf({ write: () => undefined }, env, {})).join('\n');
  expect(pipe({})).toBe(`✓ f139 ${long.title}  ${long.results!.trim()}  here`);
  expect(widthOf(pipe({ COLUMNS: '60' }))).toBe(60);
});

test('no line of the tree is longer than the paper, however deep and wide the titles', () => {
  let deep = frame('漢字'.repeat(40), { active: true, status: 'in_progress' });
  for (let level = 0; level < 60; level += 1)
    deep = frame(`level ${level} ${'title '.repeat(10)}`, {
      status: 'in_progress',
      results: 'done '.repeat(30),
      children: [deep, frame('Next', { status: 'planned' })],
    });
  for (const columns of [60, 80, 110])
    for (const line of treeLines(deep, paper(columns, false)))
      expect(widthOf(line)).toBeLessThanOrEqual(columns);
});
