import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Checks the types and writes declarations into `folder`: those that `entries`, sources, lead to. */
export async function declare(entries, folder) {
  const compiler = 'node_modules/typescript/bin/tsc';
  const words = [compiler, '-p', 'tsconfig.build.json', '--outDir', folder];
  const [code] = await once(spawn(process.execPath, words, { stdio: 'inherit' }), 'close');
  if (code !== 0) throw new Error('The types do not hold.');
  const needed = new Set();
  for (const entry of entries) follow(join(folder, toDeclaration(entry)), needed);
  for (const file of readdirSync(folder, { recursive: true }))
    if (file.endsWith('.d.ts') && !needed.has(join(folder, file))) rmSync(join(folder, file));
}

/** Adds `file` and all that its declarations lead to. */
function follow(file, seen) {
  if (seen.has(file)) return;
  seen.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from |import\()["'](\..+?)["']/g);
  for (const [, to] of imports) follow(join(dirname(file), toDeclaration(to)), seen);
}

function toDeclaration(source) {
  return source.replace(/\.ts$/, '.d.ts');
}
