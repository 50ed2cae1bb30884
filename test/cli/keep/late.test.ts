import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { file, flamestack, folder } from '../call.ts';

// A session file that was broken, is mended, and taken in again.

const said = Array.from({ length: 12 }, (_, n) => ({
  type: n % 2 === 0 ? 'user' : 'assistant',
  uuid: `u${n}`,
  parentUuid: n === 0 ? null : `u${n - 1}`,
  sessionId: 'plan',
  timestamp: new Date(Date.UTC(2026, 2, 1, 9, 0, n)).toISOString(),
  message: { role: n % 2 === 0 ? 'user' : 'assistant', content: `Word ${n + 1}.` },
}));

/** The file with these lines broken. */
const told = (...broken: readonly number[]): string =>
  said
    .map((one) => JSON.stringify(one))
    .map((line, at) => (broken.includes(at + 1) ? line.slice(0, 30) : line))
    .join('\n');

/** A store that took the file in with these lines broken, and the file, which is mended. */
async function mended(...broken: readonly number[]) {
  const path = await file('plan.jsonl', told(...broken));
  const store = await folder();
  const { out } = await flamestack(`import ${path} --store ${store}`);
  expect(out).not.toContain('came late');
  await writeFile(path, told());
  return { path, store };
}

test('what came late is told with its place, and the command that is named has it in order', async () => {
  const { path, store } = await mended(4, 5, 8);
  const { out, exit } = await flamestack(`import ${path} --store ${store}`);
  expect(exit).toBe(0);
  expect(out).toContain(
    '3 entries came late and stand at the end of the log, which only grows: e10 to e11 (lines 4 to 5) belong between e3 and e4; e12 (line 8) belongs between e5 and e6\n',
  );
  const command = /In their order, in a session of its own: flamestack (.+)\n/.exec(out)![1]!;
  expect(command).toBe(`import ${path} --id plan-2 --store ${store}`);
  expect((await flamestack(command)).out).toContain('12 entries added');
  const { out: log } = await flamestack(`log plan-2 --store ${store} --json`);
  const words = log.match(/Word \d+/g);
  expect(words).toEqual(said.map((_, n) => `Word ${n + 1}`));
  expect((await flamestack(`import ${path} --store ${store}`)).out).toContain('nothing new');
});

test('one that belongs before all, and more places than are told', async () => {
  const { path, store } = await mended(1, 3, 5, 7, 9);
  const { out } = await flamestack(`import ${path} --store ${store}`);
  expect(out).toContain('5 entries came late and stand at');
  expect(out).toContain(': e8 (line 1) belongs before e1; ');
  expect(out).toContain('; 2 more places; --json has all\n');
});

test('a program has all of them, with the line and the entries between which each belongs', async () => {
  const { path, store } = await mended(4);
  await flamestack(`import ${path} --store ${store} --id plan-2`);
  const { out } = await flamestack(`import ${path} --store ${store} --json`);
  const { imported } = JSON.parse(out) as { imported: readonly object[] };
  expect(imported).toEqual([
    expect.objectContaining({
      appended: 1,
      late: [{ entry: 'e12', line: 4, after: 'e3', before: 'e4' }],
    }),
  ]);
});

test('the session that is named is one that there is not, in the format that was told', async () => {
  const { path, store } = await mended(4);
  await flamestack(`import ${path} --store ${store} --id plan-2`);
  const { out } = await flamestack(`import ${path} --store ${store} --format claude-code`);
  expect(out).toContain('1 entry came late and stands at');
  expect(out).toContain(` --id plan-3 --format claude-code --store ${store}\n`);
});
