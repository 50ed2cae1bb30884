import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { applied, type Mutant } from './mutant.ts';

const tsc = resolve('node_modules/typescript/bin/tsc');
const loose = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false', '--pretty', 'false'];

/** A copy of the sources, in which mutants are compiled. */
export function copyIn(folder: string): string {
  const copy = join(folder, 'copy');
  mkdirSync(join(copy, 'src'), { recursive: true });
  for (const path of ['src/core', 'machines', 'tsconfig.json', 'package.json'])
    cpSync(path, join(copy, path), { recursive: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** The mutants of which the compiler finds no fault in their file; those of different files are tried at once. */
export function compiling(mutants: readonly Mutant[], copy: string): readonly Mutant[] {
  const good = new Set<Mutant>();
  for (let left = mutants; left.length > 0;) {
    const round = [...new Map(left.map((mutant) => [mutant.file, mutant])).values()];
    left = left.filter((mutant) => !round.includes(mutant));
    for (const mutant of round)
      writeFileSync(join(copy, mutant.file), applied(mutant, readFileSync(mutant.file, 'utf8')));
    const said = ['src/core', 'machines']
      .filter((project) => round.some(({ file }) => file.startsWith(project)))
      .map(
        (project) =>
          spawnSync(tsc, ['-p', project, ...loose], { cwd: copy, encoding: 'utf8' }).stdout,
      )
      .join('\n');
    for (const mutant of round) {
      cpSync(mutant.file, join(copy, mutant.file));
      if (!said.split('\n').some((line) => line.startsWith(`${mutant.file}(`))) good.add(mutant);
    }
  }
  return mutants.filter((mutant) => good.has(mutant));
}
