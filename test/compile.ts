import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newLocation } from './store/folder.ts';

const root = join(import.meta.dirname, '..');

/** A folder with source files, and all that they import, as JavaScript: Node 20 runs no TypeScript. */
export async function compile(...sources: readonly string[]): Promise<string> {
  const folder = await newLocation();
  await mkdir(folder);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { rootDir: root, outDir: folder, noCheck: true },
    include: [],
    files: sources.map((source) => join(root, source)),
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', folder], { stdio: 'inherit' });
  return folder;
}
