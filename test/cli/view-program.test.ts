import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/index.ts';
import type { Head, Step } from '../../src/viewer/page/session/model/wire.ts';
import { demoStore, flamestack, folder } from './call.ts';
import { build, program } from './pty.ts';

beforeAll(build);

/** What the page of a session asks of the process that serves it. */
async function asking(store: string, id: string, options: readonly string[] = []) {
  const words = ['view', id, '--json', '--store', store, ...options];
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const { session, link } = JSON.parse(String(printed)) as Record<'session' | 'link', string>;
  const { origin, hash } = new URL(link);
  const [, token, place] = /^#t=([^&]+)(?:&(.*))?$/.exec(hash)!;
  const headers = { authorization: `Bearer ${token}` };
  const lines = async (path: string): Promise<readonly unknown[]> => {
    const text = await (await fetch(`${origin}/api/${path}`, { headers })).text();
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  };
  const end = async (): Promise<unknown> => {
    child.kill('SIGINT');
    return (await once(child, 'exit'))[0];
  };
  return { session, lines, end, place };
}

test('the steps of a session add up to what show says of it', async () => {
  const store = await demoStore();
  const { session, lines, end } = await asking(store, 'demo');
  const [head, ...steps] = (await lines('steps')) as readonly [Head, ...Step[]];
  const { out } = await flamestack(`show ${session} --json --store ${store}`);
  const shown = JSON.parse(out) as {
    state: { budget: { total: number; limit: number }; seq: number };
  };
  expect(head).toMatchObject({ session: 'demo', live: false, window: 2_048 });
  const last = steps.at(-1)!;
  expect(last.sizes.reduce((sum, size) => sum + size, 0)).toBe(shown.state.budget.total);
  expect([last.limit, last.seq]).toEqual([shown.state.budget.limit, shown.state.seq]);
  expect(steps.map(({ seq }) => seq)).toEqual(steps.map((_, index) => index + 1));
  expect(await end()).toBe(130);
});

test('in another window every entry is the same, and what it kept besides is told', async () => {
  const { lines, end } = await asking(await demoStore(), 'demo', ['--window', '16k']);
  const [head, ...steps] = (await lines('steps')) as readonly [Head, ...Step[]];
  const [otherHead, ...others] = (await lines('steps?lane=window')) as readonly [Head, ...Step[]];
  expect([head.window, head.other, otherHead.window]).toEqual([2_048, 16_384, 16_384]);
  const entries = (all: readonly Step[]) =>
    all.flatMap(({ news }) => news.flatMap((one) => (one.type === 'entry' ? [one] : [])));
  expect(entries(others)).toEqual(entries(steps));
  const total = ({ sizes }: Step) => sizes.reduce((sum, size) => sum + size, 0);
  const [seq, other] = [steps.at(-1)!.seq, others.at(-1)!.seq];
  const [more] = (await lines(`more?seq=${seq}&other=${other}`)) as [
    { tokens: number[]; left: string[]; lost: unknown[] },
  ];
  expect(more.tokens).toEqual([total(others.at(-1)!), total(steps.at(-1)!)]);
  expect(more.left.length).toBeGreaterThan(0);
  expect(more.lost.length).toBeGreaterThan(0);
  const [prompt] = (await lines(`prompt?seq=${other}&lane=window`)) as [{ messages: object[] }];
  expect(prompt.messages.length).toBeGreaterThan(more.left.length);
  await end();
});

test('another session is asked for by its id: its steps, its prompt, and what only one of both prompts has', async () => {
  const made = await folder();
  {
    await using store = await openStore(made);
    for (const [id, port] of [
      ['one', '4310'],
      ['two', '5432'],
    ] as const) {
      const session = await store.open(id, { window: 2_048, title: `Session ${id}` });
      await session.append({ role: 'user', content: 'Serve src/app.ts, please.' });
      await session.append({ role: 'assistant', content: `src/app.ts listens on port ${port}.` });
    }
    await store.open('three', { window: 2_048, parent: 'one' });
  }
  const { lines, end, place } = await asking(made, 'one', ['--beside', 'Session two']);
  expect(place).toBe('beside=two');
  const [listed] = (await lines('sessions')) as [{ id: string; title: string; parent: string }[]];
  expect(new Map(listed.map(({ id, title, parent }) => [id, [title, parent]]))).toEqual(
    new Map([
      ['one', ['Session one', null]],
      ['two', ['Session two', null]],
      ['three', ['three', 'one']],
    ]),
  );
  const [head, ...steps] = (await lines('steps?lane=session:two')) as readonly [Head, ...Step[]];
  expect([head.session, head.title, head.other]).toEqual(['two', 'Session two', undefined]);
  const seq = steps.at(-1)!.seq;
  const [prompt] = (await lines(`prompt?seq=${seq}&lane=session:two`)) as [object];
  expect(JSON.stringify(prompt)).toContain('5432');
  const [compared] = (await lines(`compare?seq=${seq}&other=${seq}&lane=session:two`)) as [object];
  expect(compared).toMatchObject({
    names: 1,
    onlyNames: [[{ names: ['4310'] }], [{ names: ['5432'] }]],
    entries: 1,
    onlyEntries: [['e2'], ['e2']],
  });
  // Only a whole id is one; what begins so is none.
  await expect(lines(`prompt?seq=${seq}&lane=session:tw`)).rejects.toThrow();
  await end();
  const { exit, err } = await flamestack(`view one --beside nobody --store ${made}`);
  expect([exit, err]).toEqual([3, expect.stringContaining('There is no session "nobody"')]);
  const both = await flamestack(`view one --beside two --window 32k --store ${made}`);
  expect([both.exit, both.err]).toEqual([2, expect.stringContaining('--beside')]);
});
