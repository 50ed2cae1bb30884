import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Reader } from '../../../src/cli/io.ts';
import { openStore } from '../../../src/index.ts';
import { journalKey } from '../../../src/store/key.ts';
import { openLevelStore } from '../../../src/store/level/level-store.ts';
import { demoStore, flamestack, plainLines, scriptFile, unprintable, type Told } from '../call.ts';

/** A store with the session `demo`. */

interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

const linesOf = ({ out }: Told): Line[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** A keyboard. */
function keyboard(): Reader & PassThrough & { isRaw: boolean } {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, isRaw: false });
  return Object.assign(stdin, { setRawMode: (isRaw: boolean) => (stdin.isRaw = isRaw) });
}

/** The news of what is told, without the head and the summary. */
const newsOf = (out: string): readonly string[] =>
  plainLines(out.split('── context')[0]!).filter((line) => /^ {2,5}(?:e\d+| {4}) {2}/.test(line));

test('a stored session is replayed as its file was played, and nothing is written', async () => {
  const store = await demoStore();
  const run = await flamestack(`run ${await scriptFile()} --window 2k`);
  const before = await flamestack(`export --store ${store}`);
  const { exit, out, err } = await flamestack(`replay demo --store ${store}`);
  expect([exit, err]).toEqual([0, '']);
  expect(newsOf(out).length).toBeGreaterThan(20);
  expect(newsOf(out)).toEqual(newsOf(run.out));
  expect(out).not.toMatch(unprintable);
  expect(out).toMatch(/said +67 entries/);
  expect(await flamestack(`export --store ${store}`)).toEqual(before);
});

test('a replay begins and ends where it is told, and goes on beside a writer', async () => {
  const folder = await demoStore();
  await using store = await openStore(folder);
  const session = await store.open('demo');
  const { seq } = session.state;
  const told = await flamestack(`replay demo --from e40 --to ${seq} --json --store ${folder}`);
  const lines = linesOf(told);
  const steps = lines.filter(({ type }) => type === 'step');
  expect(steps[0]).toMatchObject({ input: { type: 'append' }, state: { entries: 40 } });
  expect(steps.at(-1)).toMatchObject({ seq, state: { entries: 67 } });
  expect(new Set(lines.map(({ schema }) => schema))).toEqual(new Set(['flamestack.replay/1']));
  expect(lines.at(-1)).toMatchObject({ type: 'summary', entries: 67, last: seq });
  const part = await flamestack(`replay demo --from 4 --to 6 --store ${folder}`);
  expect(part.out).toMatch(/compressions +none in these steps\n/);
  expect((await flamestack(`replay demo --to 9000 --store ${folder}`)).exit).toBe(3);
  expect((await flamestack(`replay demo --from 9 --to 4 --store ${folder}`)).exit).toBe(2);
  expect((await flamestack(`replay demo --from s1 --store ${folder}`)).exit).toBe(2);
});

test('a session that is decided again has 0 differences; one that was changed is named', async () => {
  const store = await demoStore();
  const sound = await flamestack(`replay demo --verify --store ${store}`);
  expect([sound.exit, sound.err]).toEqual([0, '']);
  expect(sound.out).toMatch(/^demo: \d+ steps decided again, 0 differences/);
  const records = await openLevelStore(store, { durability: 'process' });
  for await (const [key, value] of records.range('journal', {})) {
    const { input } = value as { input?: { type: string; identity: object } };
    if (input?.type !== 'push') continue;
    const changed = { ...input, identity: { ...input.identity, title: 'Shallow parts' } };
    const row = { ...(value as object), input: changed };
    await records.commit([{ type: 'put', kind: 'journal', key, value: row }]);
    expect(key).toBe(journalKey('demo', 20));
    break;
  }
  await records.close();
  const { exit, out } = await flamestack(`replay demo --verify --store ${store}`);
  expect(exit).toBe(1);
  expect(out).toBe(
    [
      'demo: step 20 is not what is decided',
      '  fact      frame.pushed, at [0].identity.title',
      '  stored    "Deep parts"',
      '  decided   "Shallow parts"',
      '',
    ].join('\n'),
  );
  const [line] = linesOf(await flamestack(`replay demo --verify --json --store ${store}`));
  expect(line).toMatchObject({
    type: 'verify',
    steps: 20,
    difference: { seq: 20, kind: 'fact', stored: 'Deep parts', decided: 'Shallow parts' },
  });
});

test('the first step after which an expression holds is found', async () => {
  const store = await demoStore();
  const find = (expression: string): Promise<Told> =>
    flamestack(`replay demo --store ${store} --json --find ${expression}`);
  const [{ found }] = linesOf(await find('compressions>=2')) as unknown as [
    { found: { seq: number } },
  ];
  await using reader = await openStore(store, { readOnly: true });
  const compressions: number[] = [];
  for await (const { state } of reader.replay('demo')) compressions.push(state.compressions);
  expect(found.seq).toBe(compressions.findIndex((count) => count >= 2) + 1);
  const failed = await flamestack(
    `replay demo --store ${store} --find frames.f2.status=='invalidated'`,
  );
  expect(failed).toMatchObject({
    exit: 0,
    out: expect.stringMatching(/^step \d+: invalidate, in/),
  });
  expect(failed.err).toMatch(/flamestack show demo --at seq:\d+ --store/);
  const none = await flamestack(`replay demo --store ${store} --find goal.text~'x'`);
  expect([none.exit, none.err]).toEqual([3, 'goal.text was null in all of them.\n']);
  const unknown = await flamestack(`replay demo --store ${store} --find compresions>1`);
  expect([unknown.exit, unknown.err]).toEqual([
    2,
    'flamestack: The expression is not understood at 1, "compresions": no state has it; there are compressions\n',
  ]);
});

test('keys pause, step back and forward, and quit; the terminal is given back', async () => {
  const store = await demoStore();
  const stdin = keyboard();
  const pressed = [' ', '\x1b[C', '\x1b[D', '\x1b[D', 'x', 'q'];
  const signs = [
    'step 1 of',
    'paused at step 1 of',
    'paused at step 2',
    'paused at step 1',
    'paused at step 1',
    '',
  ];
  let from = 0;
  const { exit, out } = await flamestack(`replay demo --speed 1 --store ${store}`, {
    isTTY: true,
    stdin,
    onOut: (all) => {
      if (pressed.length === 0 || !all.slice(from).includes(signs[0]!)) return;
      from = all.length;
      signs.shift();
      const keys = pressed[0] === 'x' ? pressed.splice(0, 2).join('') : pressed.shift()!;
      setImmediate(() => stdin.write(keys));
    },
  });
  expect(exit).toBe(0);
  expect(pressed).toEqual([]);
  expect(stdin.isRaw).toBe(false);
  expect(out).toContain('so far');
  expect(out.lastIndexOf('\x1b[?25h')).toBeGreaterThan(out.lastIndexOf('\x1b[?25l'));
});

/** Presses each key as soon as its sign was shown since the key before; gives what was shown by then. */
function pressing(stdin: PassThrough, plan: readonly (readonly [sign: string, key: string])[]) {
  const left = [...plan];
  let from = 0;
  return (all: string): void => {
    if (left.length === 0 || !all.slice(from).includes(left[0]![0])) return;
    from = all.length;
    const [, key] = left.shift()!;
    setImmediate(() => stdin.write(key));
  };
}

test('keys of further moves seek, tell of each step once, and change the speed', async () => {
  const store = await demoStore();
  const { out: whole } = await flamestack(`replay demo --store ${store}`);
  const stdin = keyboard();
  const last = Number(/step 1 of (\d+)/.exec(whole)?.[1] ?? /steps 1 to (\d+)/.exec(whole)![1]);
  const { exit, out } = await flamestack(`replay demo --speed 1 --store ${store}`, {
    isTTY: true,
    stdin,
    onOut: pressing(stdin, [
      ['step 1 of', ' '],
      ['paused at step 1 of', '\x1b[6~'],
      ['paused at step 11 of', '\x1b[5~'],
      ['paused at step 1 of', '+'],
      ['2 steps a second', '\x1b[F'],
      [`paused at step ${last} of`, '\x1b[H'],
      ['paused at step 1 of', 'q'],
    ]),
  });
  expect(exit).toBe(0);
  const told = out.split('\n').filter((line) => line.includes('▶ push'));
  expect(new Set(told).size).toBe(told.length);
  expect(out).toContain('Deep parts');
});

test('going back further than is held reads it again', async () => {
  const folder = await demoStore();
  const store = await openStore(folder);
  const session = await store.open('demo');
  for (let n = 0; n < 300; n += 1)
    await session.append({ role: 'assistant', content: `Note ${n}` });
  const { seq } = session.state;
  await store.close();
  const stdin = keyboard();
  let left = 330;
  const { exit } = await flamestack(`replay demo --fast --store ${folder}`, {
    isTTY: true,
    stdin,
    onOut: (all) => {
      if (left === 330 && all.includes(`step ${seq} of`)) stdin.write('\x1b[D');
      if (!/paused at step [\d,]+ of/.test(all.slice(-700))) return;
      left -= 1;
      if (left > 0) setImmediate(() => stdin.write('\x1b[D'));
      else if (left === 0) setImmediate(() => stdin.write('q'));
    },
  });
  expect(exit).toBe(0);
  expect(left).toBeLessThanOrEqual(0);
});

test('a signal ends a replay with its code, and says how far it came', async () => {
  const store = await demoStore();
  const leave = new AbortController();
  const stdin = keyboard();
  const told = await flamestack(`replay demo --speed 2 --store ${store}`, {
    isTTY: true,
    stdin,
    signal: leave.signal,
    onOut: (all) => {
      if (all.includes('step 2 of')) leave.abort(143);
    },
  });
  expect(told.exit).toBe(143);
  expect(stdin.isRaw).toBe(false);
  expect(told.out).toContain('so far');
});
