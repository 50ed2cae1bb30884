import { expect, test } from 'vitest';
import { printedMoves } from '../../../src/core/files/git-files.ts';

const told = (said: string, shell = 'git commit -m "Sort"') =>
  printedMoves(shell, `[main 1ef554d] Sort\n 2 files changed\n${said}`).map(
    ({ from, to }) => `${from} > ${to}`,
  );

test.each([
  [' create mode 100644 src/a b.ts', [' > src/a b.ts']],
  [' delete mode 100755 run.sh', ['run.sh > ']],
  [' rename a.ts => src/b.ts (91%)', ['a.ts > src/b.ts']],
  [' rename src/{old => lib/new}/a.ts (100%)', ['src/old/a.ts > src/lib/new/a.ts']],
  [' rename src/{old => }/a.ts (100%)', ['src/old/a.ts > src/a.ts']],
  [' rename {src => lib}/{a}.ts (100%)', ['src/{a}.ts > lib/{a}.ts']],
  [' mode change 100644 => 100755 run.sh', []],
  ['renames a.ts => b.ts', []],
])('%j says what became of a file', (said, moves) => expect(told(said)).toEqual(moves));

test.each([
  'git -C app merge main',
  'git pull',
  'git cherry-pick 1ef554d',
  'a && git commit -qm x',
])('%j makes a commit', (shell) =>
  expect(told(' delete mode 100644 a.ts', shell)).toEqual(['a.ts > ']),
);

test.each(['git show --summary', 'git diff --summary; echo commit', 'cat commit.txt'])(
  'what %j prints may be long past',
  (shell) => expect(told(' delete mode 100644 a.ts', shell)).toEqual([]),
);

test('of a whole tree that is brought in no file is told', () => {
  const made = Array.from({ length: 13 }, (_, n) => ` create mode 100644 ${n}.ts`);
  expect(told(made.slice(1).join('\n'))).toHaveLength(12);
  expect(told([...made, ' delete mode 100644 a.ts'].join('\n'))).toEqual(['a.ts > ']);
});
