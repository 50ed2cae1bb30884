import { expect, test } from 'vitest';
import { emptyDocument, type FileChange } from '../../../src/core/documents/document.ts';
import { filesOnPage } from '../../../src/core/progress/page-files.ts';
import type { SessionWork } from '../../../src/core/progress/session-work.ts';
import { workIn } from './work.ts';

type Changed = readonly [file: string, n: number, to: number, what?: string];

/** The files of a page, of which lines tell that they were changed. */
function page(
  changed: readonly Changed[],
  more: Partial<SessionWork> = {},
  files: readonly FileChange[] = [],
) {
  const lines = changed.map(([file, n, to, what]) => ({
    turn: 0,
    kind: 'changed' as const,
    n,
    to,
    file,
    text: `changed ${file}${what === undefined ? '' : ` (${what})`}`,
    worth: 1,
    tokens: 4,
  }));
  return filesOnPage({ ...workIn([]), lines, ...more }, { ...emptyDocument, files });
}

test('a file stands with what it brought last and where, the one that changed last behind', () => {
  const { head, lines } = page([
    ['a.ts', 1, 2, '+ class A'],
    ['b.ts', 3, 3],
    ['a.ts', 5, 6, 'limit: 4 → 5'],
  ]);
  expect(head).toBe('Files');
  expect(lines).toEqual(['- `b.ts` — changed (e3)', '- `a.ts` — class A (e1–e6)']);
});

test('what a file brought gives way to what it brings later', () => {
  expect(
    page([
      ['a.ts', 1, 1, '+ class A'],
      ['a.ts', 2, 2, '+ class B'],
    ]).lines,
  ).toEqual(['- `a.ts` — class B (e1–e2)']);
});

test('other lines, and those of no file, tell of no file', () => {
  const told = page([['', 1, 1]]);
  expect(told).toEqual({ head: 'Files', lines: [] });
});

test('what the goal names comes first, once', () => {
  const files = [
    { path: 'plan.md', change: 'created' },
    { path: 'a.ts', change: 'modified' },
  ];
  expect(page([['a.ts', 1, 1]], {}, files).lines).toEqual([
    '- `plan.md` — created',
    '- `a.ts` — changed (e1)',
  ]);
});

test('a path that is not whole goes with the folder that the session works in', () => {
  const paths = (root: string) =>
    page(
      [
        ['a.ts', 1, 1],
        ['/etc/b.ts', 2, 2],
        ['~/c.ts', 3, 3],
        ['C:/d.ts', 4, 4],
      ],
      { root },
    ).lines;
  expect(paths('/app')).toEqual([
    '- `/app/a.ts` — changed (e1)',
    '- `/etc/b.ts` — changed (e2)',
    '- `~/c.ts` — changed (e3)',
    '- `C:/d.ts` — changed (e4)',
  ]);
  expect(paths('')[0]).toBe('- `a.ts` — changed (e1)');
});

test('a folder that most lie in is told once', () => {
  const root = '/home/me/work/shop/packages/core';
  const { head, lines } = page(
    [
      ['a.ts', 1, 1],
      ['b.ts', 2, 2],
      ['c.ts', 3, 3],
    ],
    { root },
  );
  expect(head).toBe(`Files (… is \`${root}\`)`);
  expect(lines[0]).toBe('- `…/a.ts` — changed (e1)');
});

test('a file that was moved is where it went, and none where it was deleted', () => {
  const moved = (to: string, n: number) =>
    page([['a.ts', 1, 2, '+ class A']], { moves: [{ from: 'a.ts', to, n }] }).lines;
  expect(moved('b.ts', 3)).toEqual(['- `b.ts` — class A (e1–e2)']);
  expect(moved('', 3)).toEqual([]);
  expect(moved('b.ts', 2)).toEqual(['- `b.ts` — class A (e1–e2)']);
});

test('a file that was written after it was moved is there', () => {
  const moves = [{ from: 'a.ts', to: 'b.ts', n: 1 }];
  expect(page([['a.ts', 1, 2]], { moves }).lines).toEqual(['- `a.ts` — changed (e1–e2)']);
});

test('what was moved and is told by the goal alone is gone', () => {
  const moves = [{ from: 'a.ts', to: 'b.ts', n: 1 }];
  expect(page([], { moves }, [{ path: 'a.ts', change: 'created' }]).lines).toEqual([]);
});
