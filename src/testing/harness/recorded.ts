import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import type { Moment } from './bench.ts';
import type { Unmet } from './expectation.ts';
import { lineDiff } from './line-diff.ts';

/** A text held against what was recorded, or recorded. A path that ends in `.trace` is a file. */
export async function matchRecorded(
  { bench, path }: Pick<Moment, 'bench' | 'path'>,
  wanted: string,
  there: string,
): Promise<readonly Unmet[]> {
  const { folder = '.', update = process.env['FLAMESTACK_UPDATE'] === '1' } = bench.options;
  const file = /^\S+\.trace$/.test(wanted) ? join(folder, wanted) : null;
  if (file !== null && (isAbsolute(wanted) || relative(folder, file).startsWith('..')))
    return [
      { path, what: `A trace lies in the folder of its script, and ${wanted} does not`, lines: [] },
    ];
  const recorded = file === null ? wanted : existsSync(file) ? readFileSync(file, 'utf8') : '';
  const before = recorded.replaceAll('\r\n', '\n').trimEnd();
  if (before === there.trimEnd()) return [];
  if (update) {
    if (file === null) bench.recorded.push({ path, text: there });
    else writeFileSync(file, there);
    return [];
  }
  const name = file === null ? `The recorded ${String(path.at(-1))}` : `The trace in ${wanted}`;
  if (before === '')
    return [
      { path, what: `${name} is empty`, lines: ['Nothing is recorded yet; --update does it'] },
    ];
  return [
    {
      path,
      what: `${name} is what is there; - recorded, + there (--update records it)`,
      lines: lineDiff(before, there.trimEnd()),
    },
  ];
}
