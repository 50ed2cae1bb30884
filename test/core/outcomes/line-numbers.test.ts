import { expect, test } from 'vitest';
import { withoutLineNumbers } from '../../../src/core/outcomes/line-numbers.ts';

const code = ['import fs from "fs";', '', 'export const port = 8080;'];
const shown = (mark: (n: number) => string): string =>
  code.map((line, index) => `${mark(index + 9)}${line}`).join('\n');

test.each([
  ['an arrow', (n: number) => `${String(n).padStart(6)}→`],
  ['a tab', (n: number) => `${n}\t`],
  ['a colon', (n: number) => `${n}: `],
  ['a point', (n: number) => `${n}. `],
  ['a bar', (n: number) => `${String(n).padStart(5, '0')}| `],
])('lines with their number and %s are the lines of the file', (_, mark) => {
  expect(withoutLineNumbers(shown(mark))).toBe(code.join('\n'));
});

test('lines from the first on are those of a file where one of them is empty', () => {
  expect(withoutLineNumbers('1. # Title\n2. \n3. Text')).toBe('# Title\n\nText');
});

test('what a host says around the lines stays', () => {
  const text = `<path>a.ts</path>\n<content>\n${shown((n) => `${n}: `)}\n</content>`;
  expect(withoutLineNumbers(text)).toBe(
    `<path>a.ts</path>\n<content>\n${code.join('\n')}\n</content>`,
  );
});

test.each([
  ['places that a search found', '12: a\n17: b\n30: c'],
  ['two points of a list', '1. Read\n2. Write'],
  ['a list', '1. Read\n2. Write\n3. Close'],
  ['a list in a text', 'Do this:\n\nfor\nall\nof\nit\n2. Read\n3. Write\n4. Close'],
  ['another sign in the middle', '1. Read\n2: Write\n3. Close'],
  ['numbers of a text', '1999. It began\nthen it ended'],
])('%s are left as they are', (_, text) => {
  expect(withoutLineNumbers(text)).toBe(text);
});
