import { expect, test } from 'vitest';
import { demoStore, flamestack } from '../call.ts';

test('a line shows the beginning of a long entry, in a pipe, too', async () => {
  const { out } = await flamestack(`log demo --store ${await demoStore()}`);
  const lengths = out.split('\n').map((line) => line.length);
  expect(Math.max(...lengths)).toBe(out.indexOf('said') + 200);
  expect(out).toMatch(/paste\d[^\n]*…\n/);
});

test('a log names its columns, and each stands below its name', async () => {
  const store = await demoStore('4k');
  const [head, first] = (await flamestack(`log demo --store ${store}`)).out.split('\n');
  expect(head).toBe('entry  frame role       tokens  now         said');
  expect(first!.slice(0, 12)).toBe('e1     f0   ');
  expect(first!.slice(head!.indexOf('said'))).toMatch(/^\S/);
  const [then] = (await flamestack(`log demo --at 4 --store ${store}`)).out.split('\n');
  expect(then).toContain('then');
  const { out } = await flamestack(`log demo --json --limit 1 --store ${store}`);
  expect(JSON.parse(out)).toMatchObject({ schema: 'flamestack.entry/1', entry: { id: 'e1' } });
});
