import { expect, test } from 'vitest';
import { filesOfDiff, printsDiff, printsPast } from '../../../src/core/files/diff-files.ts';

const diff = `commit 1a2b3c4
    Sell tea

diff --git a/src/tea.ts b/src/tea.ts
index 1..2 100644
--- a/src/tea.ts
+++ b/src/tea.ts
@@ -1,3 +1,4 @@ class Shop
 export const pots = 3;
-export const cups = 4;
+export const cups = 6;
+export const mugs = 1;
diff --git a/old.ts b/old.ts
deleted file mode 100644
--- a/old.ts
+++ /dev/null
@@ -1 +0,0 @@
-export const gone = true;
diff --git a/docs/tea.md b/docs/tea.md
--- a/docs/tea.md
+++ b/docs/tea.md
@@ -1 +1,2 @@
 # Tea
+++ a line that begins with two of them
`;

test('of each file of a diff stand the lines that are there now', () => {
  expect(filesOfDiff(diff)).toEqual([
    {
      path: 'src/tea.ts',
      text: 'export const pots = 3;\nexport const cups = 6;\nexport const mugs = 1;',
    },
    { path: 'docs/tea.md', text: '# Tea' },
  ]);
});

test('a text that is no diff, and one that is cut, show what they show', () => {
  expect(filesOfDiff('On branch main\n+++ but\n')).toEqual([]);
  expect(filesOfDiff(diff.slice(0, diff.indexOf('+export const mugs')))).toEqual([
    { path: 'src/tea.ts', text: 'export const pots = 3;\nexport const cups = 6;' },
  ]);
});

test.each([
  ['git diff', true],
  ['git -C shop --no-pager diff --cached -- src', true],
  ['cd shop && git show 1a2b3c4', true],
  ['git log -3 -p', true],
  ['gh pr diff 4', true],
  ['git log --oneline', false],
  ['git status; diff a b', false],
  ['echo git-diff', false],
])('%s prints a diff: %s', (command, is) => {
  expect(printsDiff(command)).toBe(is);
});

test.each([
  ['git show 1a2b3c4', true],
  ['git show --stat -p HEAD~2 -- src', true],
  ['git log -3 -p', true],
  ['git diff v1..v2 -- src', true],
  ['git diff main...work', true],
  ['gh pr diff 4', true],
  ['git show', false],
  ['git show --stat HEAD', false],
  ['git show -- src/tea.ts', false],
  ['git diff', false],
  ['git diff main', false],
  ['git diff main...HEAD', false],
  ['git diff -- ../shop', false],
])('%s prints what a commit left: %s', (command, is) => {
  expect(printsPast(command)).toBe(is);
});

test('no line of one part of a diff stands in what another shows', () => {
  const parts = '+++ b/a.yml\n@@ -1 +1 @@\n a:\n@@ -9 +9 @@ b\n+  port: 1\n';
  expect(filesOfDiff(parts)).toEqual([{ path: 'a.yml', text: 'a:\n@@\n  port: 1' }]);
});
