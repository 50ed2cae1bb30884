import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/seeds.md', root), 'utf8');
const rows = page.split('\n').filter((line) => /^\| (?!asked for|---)/.test(line));

/** The cell of a row that says whether it works, and the one with its test. */
const judged = (row: string): readonly string[] =>
  row
    .split('|')
    .slice(2, 4)
    .map((cell) => cell.trim());

/** Whether a row works, differs or is open; null where it says none of them. */
const judgmentOf = (row: string): string | null =>
  /^(works|differs|open)\b/.exec(judged(row)[0] ?? '')?.[1] ?? null;

/** What is wrong with the test that a row names; null for nothing. */
function faultOf(row: string): string | null {
  const [works = '', shown = ''] = judged(row);
  if (judgmentOf(row) === null || /^(differs|open)\b(?!: \S)/.test(works))
    return `${row} is not judged`;
  if (works.startsWith('open')) return null;
  const [file = '', name = ''] = shown.split(/: (.*)/s);
  const url = new URL(`test/${file}`, root);
  if (!file.endsWith('.test.ts') || !existsSync(url)) return `${file} is not there`;
  const text = readFileSync(url, 'utf8');
  const isNamed = ["'", '"', '`'].some((quote) => text.includes(quote + name + quote));
  return isNamed ? null : `${name} is no test of ${file}`;
}

test('every row of docs/seeds.md that is not open names a test that there is', () => {
  expect(rows.length).toBeGreaterThan(150);
  expect(rows.flatMap((row) => faultOf(row) ?? [])).toEqual([]);
});

test('the count at the top is that of the rows', () => {
  const number = (judgment: string): number =>
    rows.filter((row) => judgmentOf(row) === judgment).length;
  expect(page).toContain(
    `${rows.length} rows: ${number('works')} work, ${number('differs')} differ, ${number('open')} are open.`,
  );
});
