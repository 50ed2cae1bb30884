import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { programWords, sharedWords } from '../../../src/cli/hosts/install/program-words.ts';
import { newFolder } from '../../store/folder.ts';

test('the program is called by its name where that leads to it, but not where npm has it for one run', async () => {
  const folder = await newFolder();
  const program = join(folder, 'main.js');
  await writeFile(program, '');
  const linkedIn = async (...names: readonly string[]): Promise<{ PATH: string }> => {
    const PATH = join(folder, ...names);
    await mkdir(PATH, { recursive: true });
    await symlink(program, join(PATH, 'flamestack'));
    return { PATH };
  };
  vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', program]);
  const byPath = { command: process.execPath, args: [program] };
  expect(programWords(await linkedIn('bin'))).toEqual({ command: 'flamestack', args: [] });
  expect(programWords(await linkedIn('node_modules', '.bin'))).toEqual(byPath);
  expect(programWords({})).toEqual(byPath);
  vi.restoreAllMocks();
});

test('a file that a project shares calls the program by npm where the project has it, else as it is called here', async () => {
  const folder = await newFolder();
  const [here, project] = [join(folder, 'package'), join(folder, 'project')];
  await mkdir(join(here, 'dist'), { recursive: true });
  await writeFile(join(here, 'dist', 'main.js'), '');
  await mkdir(join(project, 'node_modules'), { recursive: true });
  await mkdir(join(project, 'inner'));
  vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', join(here, 'dist', 'main.js')]);
  const own = { command: 'flamestack', args: [] };
  expect(sharedWords(own, project)).toBe(own);
  await symlink(here, join(project, 'node_modules', 'flamestack'));
  const byNpm = { command: 'npx', args: ['--no', '--', 'flamestack'] };
  expect(sharedWords(own, project)).toEqual(byNpm);
  expect(sharedWords(own, join(project, 'inner'))).toEqual(byNpm);
  // Another one than is run, as of another version.
  await mkdir(join(project, 'inner', 'node_modules', 'flamestack'), { recursive: true });
  expect(sharedWords(own, join(project, 'inner'))).toBe(own);
  vi.restoreAllMocks();
});
