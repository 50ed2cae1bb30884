import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import type { Moment } from './bench.ts';
import type { ScriptPath, Unmet } from './expectation.ts';
import { lineDiff } from './line-diff.ts';
import { ScriptMistake } from './mistake.ts';

/** Whether a round before had the text in the same place; throws {@link ScriptMistake} where it had another. */
function isAgain({ found }: Moment['bench'], path: ScriptPath, there: string): boolean {
  const place = path.join(' ');
  const before = found.get(place);
  found.set(place, there);
  if (before !== undefined && before !== there)
    throw new ScriptMistake(
      `The ${path.at(-1)} differs from round to round, and a repeated step has one place to record it: put this expect behind the repeat`,
      path,
    );
  return before !== undefined;
}

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
  // Before it is compared: one round may have what stands there, and another not.
  if (update && file === null && bench.recorded !== null && isAgain(bench, path, there)) return [];
  const recorded = file === null ? wanted : existsSync(file) ? readFileSync(file, 'utf8') : '';
  const before = recorded.replaceAll('\r\n', '\n').trimEnd();
  if (before === there.trimEnd()) return [];
  const canRecord = file !== null || bench.recorded !== null;
  if (update && file !== null) writeFileSync(file, there);
  else if (update) bench.recorded?.push({ path, text: there });
  if (update && canRecord) return [];
  const field = String(path.at(-1));
  const name = file === null ? `The recorded ${field}` : `The trace in ${wanted}`;
  const advice = canRecord
    ? 'FLAMESTACK_UPDATE=1 or --update records it'
    : `in code it cannot be written in place: name a file, ${field}: 'name.trace', or write the script in YAML`;
  if (before === '')
    return [{ path, what: `${name} is empty`, lines: [`Nothing is recorded yet; ${advice}`] }];
  return [
    {
      path,
      what: `${name} is what is there; - recorded, + there (${advice})`,
      lines: lineDiff(before, there.trimEnd()),
    },
  ];
}
