import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { applied, type Mutant } from './mutant.ts';

const tsc = 'node_modules/typescript/bin/tsc';
const loose = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false', '--pretty', 'false'];
const projects = ['src/core', 'machines'];

/** The mutants of which the compiler finds no fault in their file; those of different files are tried at once, and written for as long. */
export function compiling(mutants: readonly Mutant[]): readonly Mutant[] {
  const good = new Set<Mutant>();
  for (let left = mutants; left.length > 0;) {
    const round = [...new Map(left.map((mutant) => [mutant.file, mutant])).values()];
    left = left.filter((mutant) => !round.includes(mutant));
    const sources = round.map(({ file }) => readFileSync(file, 'utf8'));
    for (const [at, mutant] of round.entries())
      writeFileSync(mutant.file, applied(mutant, sources[at]!));
    const said = projects
      .filter((project) => round.some(({ file }) => file.startsWith(project)))
      .flatMap((project) => {
        const words = [tsc, '-p', project, ...loose];
        return spawnSync(process.execPath, words, { encoding: 'utf8' }).stdout.split('\n');
      });
    for (const [at, mutant] of round.entries()) {
      writeFileSync(mutant.file, sources[at]!);
      if (!said.some((line) => line.startsWith(`${mutant.file}(`))) good.add(mutant);
    }
  }
  return mutants.filter((mutant) => good.has(mutant));
}
