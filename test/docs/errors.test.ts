import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { errorCodes } from '../../src/core/values/error.ts';

// docs/errors.md against the source: the union of codes, and the places that
// make an error. What a place says is read from its arguments.

interface Row {
  readonly code: string;
  readonly retryable: string;
  readonly detail: readonly string[];
}

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const rows: readonly Row[] = [
  ...read('docs/errors.md').matchAll(/^\| `([A-Z_]+)` \|(.*)\|$/gm),
].map(([, code, cells]) => {
  const [, , retryable, detail] = cells!.split('|').map((cell) => cell.trim());
  return {
    code: code!,
    retryable: retryable!,
    detail: [...detail!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  };
});
const codes: readonly string[] = errorCodes;
const sources = readdirSync(fileURLToPath(new URL('src', root)), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((path) => path.endsWith('.ts') && !path.startsWith('testing'))
  .map((path) => read(`src/${path}`));
/** Every place that makes an error: its code, and its arguments. */
const made = sources.flatMap((source) =>
  [...source.matchAll(/(?:\bfail|new EngineError)\(\s*'(\w+)'/g)].map(({ index, 1: code }) => ({
    code,
    place: argumentsAt(source, source.indexOf('(', index)),
  })),
);
const places = (code: string): readonly string[] =>
  made.filter((one) => one.code === code).map(({ place }) => place);

test('every code has one row, in the order of its section, and every row is a code', () => {
  expect(rows.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
  for (const section of read('docs/errors.md').split(/^## /m)) {
    const here = [...section.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code]) => code!);
    expect(here).toEqual(here.toSorted());
  }
});

test.each(codes)('%s is thrown somewhere', (code) => {
  expect(places(code).length).toBeGreaterThan(0);
});

test.each(rows)('$code is retryable where the page says so', ({ code, retryable }) => {
  const said = new Set(places(code).map(retryableIn));
  const words = ['yes', 'no', 'at times'].filter((word) => said.has(word));
  expect(words.join(', or ')).toBe(retryable);
});

test.each(rows)('$code has the detail that the page names', ({ code, detail }) => {
  const given = places(code).join('\n');
  expect(detail.filter((name) => !new RegExp(`\\b${name}\\b(?!['"])`).test(given))).toEqual([]);
});

/** What a place says of trying again; what it computes is so at times. */
const retryableIn = (place: string): string =>
  /retryable: true/.test(place) ? 'yes' : /retryable: /.test(place) ? 'at times' : 'no';

/** What stands between the parenthesis at `start` and the one that closes it. */
function argumentsAt(source: string, start: number): string {
  let depth = 0;
  for (let index = start; index < source.length; index += 1) {
    if (source[index] === '(') depth += 1;
    if (source[index] === ')') depth -= 1;
    if (depth === 0) return source.slice(start, index);
  }
  return source.slice(start);
}
