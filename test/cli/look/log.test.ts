import { expect, test } from 'vitest';
import { demoStore, flamestack } from '../call.ts';

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
