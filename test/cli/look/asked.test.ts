import { beforeEach, expect, test } from 'vitest';
import { file, flamestack, folder, plainLines, script } from '../call.ts';

let store = '';
const untitled = script
  .replace(',"title":"Tidy the parts"', '')
  .replace('{"type":"goal","description":"Tidy all parts of the program"}\n', '');
beforeEach(async () => {
  store = await folder();
  const asked = await file('demo.jsonl', untitled);
  await flamestack(`import ${asked} --window 4k --store ${store}`);
});

test.each(['show', 'show --line', 'frames'])(
  '%s heads with the first request where nobody gave a title, as ls does',
  async (command) => {
    const title = 'Please look at part 1.';
    expect((await flamestack(`ls --store ${store}`)).out).toContain(title);
    // The root is where a line says it is.
    const { out } = await flamestack(`${command} --store ${store}`);
    expect(out).toContain(title);
  },
);

test('a frame that is asked for as an entry is named as one, with what opens it', async () => {
  const { exit, err } = await flamestack(`show --entry f2 --store ${store}`);
  expect(exit).toBe(3);
  expect(err).toContain(`"f2" is a frame; this opens it: flamestack expand f2 --store ${store}`);
  const none = await flamestack(`show --entry f99 --store ${store}`);
  expect(none.err).toContain('There is no entry "f99"');
});

test.each(['57', 'E57'])('--entry %s is e57', async (typed) => {
  const { out } = await flamestack(`show --entry ${typed} --json --store ${store}`);
  expect(JSON.parse(out)).toMatchObject({ entry: { id: 'e57' } });
});

test.each([
  ['12', 'turn 12 → now (turn 17)'],
  ['3.1 e20', 'turn 3, call 1 → e20'],
])('diff %s says which moments it compares', async (moments, heading) => {
  const { out } = await flamestack(`diff ${moments} --store ${store}`);
  expect(out.split('\n')[0]).toBe(heading);
});

test.each([40, 60, 80])('the budget keeps within %i columns', async (columns) => {
  const { out } = await flamestack(`show --no-pager --store ${store}`, { isTTY: true, columns });
  const lines = plainLines(out);
  const budget = lines.slice(lines.findIndex((line) => line.includes(' budget ')));
  expect(budget.length).toBeGreaterThan(4);
  for (const line of budget) expect(line.length).toBeLessThanOrEqual(columns);
});
