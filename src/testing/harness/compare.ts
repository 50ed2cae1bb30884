import { isObject } from '../../core/values/json.ts';
import { readableValue } from '../../core/values/validation.ts';
import type { ScriptPath, Unmet } from './expectation.ts';
import { unknownName } from './mistake.ts';

/** Longest value that is told, in UTF-16 units. */
const longest = 200;

/** Where a value is not as wanted: each field by its path. Fields that nobody names may be anything. */
export function differencesOf(there: unknown, wanted: unknown, path: ScriptPath): readonly Unmet[] {
  if (isObject(wanted) && isObject(there))
    return Object.entries(wanted).flatMap(([name, value]) => {
      if (Object.hasOwn(there, name)) return differencesOf(there[name], value, [...path, name]);
      throw unknownName('There is no field', { name, known: Object.keys(there), path });
    });
  if (Array.isArray(wanted) && Array.isArray(there) && wanted.length === there.length)
    return wanted.flatMap((value, at) => differencesOf(there[at], value, [...path, at]));
  if (isMet(there, wanted)) return [];
  const name = path.slice(path.indexOf('state') + 1).join('.');
  const [is, said] = [wanted, there].map((value) => readableValue(value));
  if (Array.isArray(wanted) && Array.isArray(there))
    return [
      {
        path,
        what: `${name} has ${wanted.length} ${wanted.length === 1 ? 'member' : 'members'}`,
        lines: [`there  ${there.length}`],
      },
    ];
  const cut = said!.length > longest ? `${said!.slice(0, longest)}…` : said!;
  return [{ path, what: `${name} is ${is!}`, lines: [`there  ${cut}`] }];
}

const comparisons: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
};

function isMet(there: unknown, wanted: unknown): boolean {
  const [, sign, number] = /^([<>]=?)\s*(-?[\d.]+)$/.exec(String(wanted)) ?? [];
  if (sign !== undefined && typeof there === 'number')
    return comparisons[sign]!(there, Number(number));
  if (Array.isArray(wanted) && Array.isArray(there))
    return wanted.length === there.length && wanted.length === 0;
  return there === wanted;
}
