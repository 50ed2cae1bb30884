import { expect, test } from 'vitest';
import { namesOf, needsOf } from '../../../tools/eval/names.ts';
import { bare, toSaid, type Called } from '../../../tools/eval/said.ts';

/** The names of a text, each with the first letter of its class. */
async function names(content: string, ...calls: readonly Called[]): Promise<string> {
  const said = await toSaid({ ...bare('assistant', content), calls });
  return [...namesOf(said)].map(([name, kind]) => `${kind[0]} ${name}`).join(', ');
}

const shell = (command: unknown): Called => ({ id: 'c', name: 'bash', arguments: { command } });

test.each([
  ['see src/core/tree.ts:12 and ./notes.md', 'p core/tree.ts, p notes.md'],
  ['~/work/app/Makefile and either/or', 'p app/Makefile'],
  ['call parseWindow(x), keep_open and reallyLong(', 'i parseWindow, i keep_open, i reallyLong'],
  ['JavaScript on GitHub', ''],
  ['TypeError, ENOENT and TS2345', 'e TypeError, e ENOENT, e TS2345'],
  [
    'https://example.org/a, at v1.2.3 (#42) of 0a1b2c3d',
    'l https://example.org/a, l v1.2.3, l #42, l 0a1b2c3d',
  ],
  ['port 4310 in 2026, not 43 or 3.14159', 'l 4310'],
  ['B6K9Q2 is a code, ABCDEF is none', 'l B6K9Q2'],
  ['plain words about nothing', ''],
])('%s names %s', async (text, found) => {
  expect(await names(text)).toBe(found);
});

test('commands are the parts of the first line that say something', async () => {
  const given = shell('cd app && npm run check 2>&1 | tail -5 || git push origin\nrm -r build');
  expect(await names('', given)).toMatch(/^c npm run check, c git push origin/);
  expect(await names('', shell(['cargo', 'build', '--release']))).toMatch(
    /^c cargo build --release/,
  );
  expect(await names('', { id: 'c', name: 'read', arguments: { command: 'npm run check' } })).toBe(
    '',
  );
});

test('one file is the same by a relative and by an absolute path', async () => {
  expect(await names('/home/dev/app/src/db.ts')).toBe(await names('../src/db.ts'));
});

test('what a step needs is in its prose and in the heads of its arguments, thirty of a class at most', async () => {
  const many = Array.from({ length: 40 }, (_, n) => `src/a/file${n}.ts`).join(' ');
  const body = `makeThis ${'x '.repeat(800)} missThat`;
  const write = { id: 'c', name: 'write', arguments: { path: 'src/new.ts', content: body } };
  const needs = needsOf(await toSaid({ ...bare('assistant', many), calls: [write] }));
  const of = (kind: string): number => [...needs.values()].filter((one) => one === kind).length;
  expect([of('path'), of('identifier')]).toEqual([30, 1]);
  expect(needs.has('makeThis')).toBe(true);
});

test('a megabyte without a break is data, and takes no time', async () => {
  const run = 'a-b.c'.repeat(200_000);
  expect(await names(`src/core/tree.ts ${run} parseWindow`)).toBe('p core/tree.ts, i parseWindow');
});
