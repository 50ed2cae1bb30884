import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workPlace } from '../../../src/cli/sessions/work-place.ts';
import { folder } from '../call.ts';

const head = 'ref: refs/heads/fix/login\n';

test('the branch is that of the folder, or of one above it', async () => {
  const project = await folder();
  await mkdir(join(project, '.git'));
  await mkdir(join(project, 'src'));
  await writeFile(join(project, '.git', 'HEAD'), head);
  expect(workPlace(project)).toEqual({ folder: project, branch: 'fix/login' });
  const src = join(project, 'src');
  expect(workPlace(src)).toEqual({ folder: src, branch: 'fix/login' });
});

test('a worktree has a branch of its own', async () => {
  const project = await folder();
  await mkdir(join(project, 'main/.git/worktrees/side'), { recursive: true });
  await mkdir(join(project, 'side'));
  await writeFile(join(project, 'main/.git/worktrees/side/HEAD'), head);
  await writeFile(join(project, 'side/.git'), 'gitdir: ../main/.git/worktrees/side\n');
  expect(workPlace(join(project, 'side'))).toMatchObject({ branch: 'fix/login' });
});

test('a single commit that is checked out is no branch', async () => {
  const project = await folder();
  await mkdir(join(project, '.git'));
  await writeFile(join(project, '.git', 'HEAD'), `${'0123456789'.repeat(4)}\n`);
  expect(workPlace(project)).toEqual({ folder: project });
});
