import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kinds } from '../../src/store/store.ts';

// docs/store-format.md against the source: the kinds of rows, and each number of
// its table in the file that the row names.

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The cells of the rows that begin with a name in code, below a heading. */
const rowsOf = (heading: string): readonly (readonly string[])[] => {
  const section =
    read('docs/store-format.md')
      .split(/^## /m)
      .find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| (`\w+` \|.*) \|$/gm)].map(([, row]) =>
    row!.split('|').map((cell) => cell.trim().replaceAll('`', '')),
  );
};

/** The value of a constant as it is written: a number, or one shifted. */
function constantIn(file: string, name: string): number | undefined {
  const written = new RegExp(`^(?:export )?const ${name} = ([\\d_]+)(?: << (\\d+))?;$`, 'm');
  const [, digits, shift = '0'] = written.exec(read(file)) ?? [];
  return digits === undefined ? undefined : Number(digits.replaceAll('_', '')) << Number(shift);
}

test('the table of rows has every kind', () => {
  expect(rowsOf('Rows').map(([kind]) => kind)).toEqual(kinds);
});

test('the page has a table of numbers', () => {
  expect(rowsOf('Numbers').length).toBeGreaterThan(0);
});

test.each(rowsOf('Numbers'))('the number %s is %s in the code', (...[name, value, , file]) => {
  expect(constantIn(file!, name!)).toBe(Number(value!.replaceAll(',', '')));
});
