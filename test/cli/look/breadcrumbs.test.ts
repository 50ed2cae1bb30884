import { expect, test } from 'vitest';
import type { Breadcrumb } from '../../../src/index.ts';
import { demoStore, flamestack, plainLines, unprintable } from '../call.ts';

/** A store with the session `demo`, in a window of 2k. */

const listed = async (line: string): Promise<readonly Breadcrumb[]> => {
  const { out } = await flamestack(`${line} --json`);
  return (JSON.parse(out) as { breadcrumbs: Breadcrumb[] }).breadcrumbs;
};

test('breadcrumbs are listed in 80 columns, and each of their entries is opened', async () => {
  const store = await demoStore();
  const { exit, out, err } = await flamestack(`breadcrumbs --store ${store}`, { isTTY: true });
  expect(exit).toBe(0);
  const [head, ...lines] = plainLines(out);
  expect(lines.join('\n')).not.toMatch(unprintable);
  expect(head).toMatch(/^type +reference +entries +hint$/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(err).toMatch(/Open: flamestack expand e\d+ --store /);
  const all = await listed(`breadcrumbs --store ${store}`);
  expect(all.length).toBeGreaterThan(3);
  for (const entry of new Set(all.flatMap(({ entries }) => entries)))
    expect((await flamestack(`expand ${entry} --store ${store} -q`)).exit).toBe(0);
});

test('they are narrowed by words, type and checkpoint; none is told', async () => {
  const store = await demoStore();
  const all = await listed(`breadcrumbs --store ${store}`);
  const { type, reference } = all[0]!;
  const some = await listed(
    `breadcrumbs ${reference.toUpperCase()} --type ${type} --store ${store}`,
  );
  expect(some.map((one) => one.reference)).toContain(reference);
  expect(some.length).toBeLessThan(all.length);
  const none = await flamestack(`breadcrumbs nowhere-at-all --store ${store}`);
  expect([none.exit, none.out]).toEqual([3, '']);
  expect(none.err).toContain('is found with flamestack search');
  const unknown = await flamestack(`breadcrumbs --checkpoint c99 --store ${store}`);
  expect([unknown.exit, unknown.err]).toEqual([3, expect.stringContaining('c99')]);
  expect((await flamestack(`breadcrumbs --type folder --store ${store}`)).exit).toBe(2);
});

test('for a checkpoint that was merged those of the one are listed that it was merged into', async () => {
  const store = await demoStore();
  const { exit, out, err } = await flamestack(`breadcrumbs --checkpoint c4 --store ${store}`);
  const into = /^c4 was merged into (c\d+), whose breadcrumbs these are\.$/m.exec(err)?.[1];
  expect(exit).toBe(0);
  expect(out).toBe((await flamestack(`breadcrumbs --checkpoint ${into} --store ${store}`)).out);
});

test('a search for ids alone opens them', async () => {
  const store = await demoStore();
  const opened = await flamestack(`search e2-e3 --store ${store}`);
  expect(opened).toEqual(await flamestack(`expand e2-e3 --store ${store}`));
  expect(opened.exit).toBe(0);
});
