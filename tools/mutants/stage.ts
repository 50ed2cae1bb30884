import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Tried } from './tests.ts';

/** Goes into a copy of everything here but what is built, installed or recorded; gives the folder around it. Both go at the end, after a report where somebody ends it. */
export function goIntoCopy(report: () => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'flamestack-mutants-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 9 }));
  const copy = join(folder, 'copy');
  const left = /^(?:node_modules|\.git|\.build|\.?dist(?:-.*)?|coverage)$/;
  cpSync('.', copy, { recursive: true, filter: (path) => !left.test(basename(path)) });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  process.chdir(copy);
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      report();
      process.exit(130);
    });
  return folder;
}

/** Whether a file holds tests that one process can run with others: what they put in a module's place stays there. */
export function isTest(file: string): boolean {
  return file.endsWith('.test.ts') && !readFileSync(file, 'utf8').includes('vi.mock(');
}

/** The mutants of a file that `--json` wrote which no test found. */
export function survivorsIn(json: string): readonly Tried[] {
  const before = JSON.parse(readFileSync(json, 'utf8')) as readonly Tried[];
  return before.filter(({ outcome }) => outcome === 'survived' || outcome === 'not reached');
}

/** Prints a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
