import { resolve } from 'node:path';
import { Level } from 'level';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { demoStore, flamestack, folder } from '../call.ts';

interface Shown {
  readonly assembly: { readonly messages: readonly unknown[] };
  readonly state: {
    readonly compressions: number;
    readonly entries: number;
    readonly turn: number;
    readonly budget: {
      readonly total: number;
      readonly limit: number;
      readonly window: number;
      readonly count: string;
    };
  };
}

test('one line says how full it is, how far the next compression is, and where it is', async () => {
  const store = await demoStore();
  const { out, err } = await flamestack(`show --line --store ${store}`);
  const { state } = JSON.parse((await flamestack(`show --json --store ${store}`)).out) as Shown;
  const { total, limit } = state.budget;
  const full = `${Math.round((total / limit) * 100)} %`;
  const number = (n: number): string => n.toLocaleString('en-US');
  expect(err).toBe('');
  expect(out).toMatch(
    new RegExp(
      `^Context ${number(total)}/${number(limit)} ${full} · compress[^·]* · ${state.compressions} compressions so far · Tidy the parts\\n$`,
    ),
  );
  const narrow = await flamestack(`show --line --store ${store}`, { isTTY: true, columns: 40 });
  expect(narrow.out.trimEnd().length).toBeLessThanOrEqual(40);
  expect((await flamestack(`show --line --ascii --store ${store}`)).out).toMatch(
    /^[\x20-\x7e]+\n$/,
  );
});

test('the line as JSON has its fields alone, also of a moment and another window', async () => {
  const store = await demoStore();
  const of = async (line: string) =>
    JSON.parse((await flamestack(`show ${line} --json --store ${store}`)).out) as object;
  const { state } = (await of('')) as Shown;
  const { total, limit, window, count } = state.budget;
  const { compressions } = state;
  const fields = { id: 'demo', active: 'Tidy the parts', tokens: total, limit, window, count };
  const line = await of('--line');
  expect(line).toMatchObject({ schema: 'flamestack.line/1', ...fields, compressions });
  expect(Object.keys(line).sort()).toEqual(
    ['schema', ...Object.keys(fields), 'left', 'compressions'].sort(),
  );
  expect(await of('--line --window 64k')).toMatchObject({ window: 65_536, compressions: 0 });
  expect(Object.keys(await of('--line --at 1'))).toEqual(Object.keys(line));
});

test('where no session is named the latest is shown, of whatever folder', async () => {
  const store = await folder();
  {
    await using opened = await openStore(store);
    for (const [id, at] of [
      ['here', resolve('.')],
      ['other', '/home/ada/other'],
    ] as const) {
      await using session = await opened.open(id, { window: 4_096, folder: at });
      await session.append({ role: 'user', content: `Work in ${id}` });
    }
  }
  const of = async (line: string) => flamestack(`${line} --store ${store}`);
  for (const line of ['show', 'show --line', 'open'])
    expect((await of(line)).out).toContain('Work in other');
  const found = await of('search Work --project other');
  expect(found.err).toContain('flamestack show --entry e1');
});

test('a line is told by the newest rows of a session: no entry is read', async () => {
  const store = await demoStore();
  const line = `show --line --store ${store}`;
  const { out } = await flamestack(line);
  {
    await using opened = await openStore(store);
    await using session = await opened.open('demo');
    await session.push({ title: 'Last of all' });
  }
  expect((await flamestack(line)).out).toMatch(/ · Last of all\n$/);
  const level = new Level<string, unknown>(store);
  const entries: string[] = [];
  for await (const key of level.keys()) if (key.startsWith('!entry!demo:')) entries.push(key);
  await level.batch(entries.map((key) => ({ type: 'del' as const, key })));
  await level.close();
  expect(entries.length).toBeGreaterThan(60);
  expect((await flamestack(line)).out).toContain('Last of all');
  expect((await flamestack(`show --store ${store}`)).exit).not.toBe(0);
  expect(out).toContain('Tidy the parts');
});

test('another window shows the same log with more room, and nothing is written', async () => {
  const store = await demoStore();
  const before = await flamestack(`show --json --store ${store}`);
  const { out, exit, err } = await flamestack(`show --window 64k --json --store ${store}`);
  expect([exit, err]).toEqual([0, '']);
  const [own, wide] = [before.out, out].map((text) => JSON.parse(text) as Shown);
  expect(own!.state.compressions).toBeGreaterThan(0);
  expect(wide!.state).toMatchObject({ compressions: 0, entries: own!.state.entries });
  expect(wide!.state.budget.window).toBe(65_536);
  expect(wide!.assembly.messages.length).toBeGreaterThan(own!.assembly.messages.length);
  expect(await flamestack(`show --json --store ${store}`)).toEqual(before);
  const told = await flamestack(`show --window 64k --line --store ${store}`);
  expect(told.err).toContain('As it would be in a window of 65,536 tokens (its own has 2,048)');
  expect((await flamestack(`show --window 100 --store ${store}`)).exit).toBe(2);
});

test.each(['2', 'e3'])('another window shows how it stood there at %s', async (at) => {
  const store = await demoStore();
  const of = async (more: string) =>
    JSON.parse((await flamestack(`show --at ${at} ${more} --json --store ${store}`)).out) as Shown;
  const { turn, entries, budget } = (await of('--window 64k')).state;
  expect(budget.window).toBe(65_536);
  expect((await of('')).state).toMatchObject({ turn, entries });
});

test.each(['s1', 'seq:4'])('another window has no moment %s', async (at) => {
  const store = await demoStore();
  const { exit, err } = await flamestack(`show --window 8k --at ${at} --store ${store}`);
  expect([exit, err]).toEqual([2, expect.stringContaining('a turn, an entry or a time, not ')]);
});

test('where nothing was compressed, diff says how a moment is named in that session of that store', async () => {
  const store = await demoStore('64k');
  const { err } = await flamestack(`diff --session demo --store ${store}`);
  expect(err).toContain(`name a moment: flamestack diff 1 --session demo --store ${store}\n`);
});
