import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { programWords } from '../../../src/cli/hosts/install/program-words.ts';
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
