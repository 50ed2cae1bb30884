import { link, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore, toStately, type Inspection, type StatelyEvent } from '../../../src/index.ts';
import { demoStore, flamestack, folder, plainLines, unprintable, type Told } from '../call.ts';

/** A store with the session `demo`. */

const linesOf = <T>({ out }: Pick<Told, 'out'>): T[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

async function inspected(location: string, options = {}): Promise<Inspection[]> {
  await using store = await openStore(location, { readOnly: true });
  const session = await store.open('demo');
  const told: Inspection[] = [];
  for await (const one of session.inspect({ live: false, ...options })) told.push(one);
  return told;
}

test('in a pipe each line is a message for the inspector of Stately, without a word that was said', async () => {
  const store = await demoStore();
  const told = await flamestack(`inspect demo --store ${store}`);
  expect([told.exit, told.err]).toEqual([0, '']);
  const messages = linesOf<StatelyEvent>(told);
  expect(messages).toEqual((await inspected(store)).flatMap(toStately));
  expect(new Set(messages.map(({ sessionId }) => sessionId))).toContain('demo/f0/compression');
  expect(told.out).not.toMatch(/Tidy|parts?\b|rewrite|careful|Never|limit\d/);
  expect((await flamestack(`inspect --text --store ${store}`)).out).toContain('Tidy the parts');
});

test('a file is written whole, and the terminal says so', async () => {
  const store = await demoStore();
  const path = join(await folder(), 'demo.jsonl');
  const { exit, out, err } = await flamestack(`inspect --store ${store} --out ${path}`, {
    isTTY: true,
  });
  const moves = await inspected(store);
  expect([exit, out]).toEqual([0, '']);
  expect(err).toBe(`${moves.length} moves up to step ${moves.at(-1)!.seq}: ${path}\n`);
  expect(linesOf({ out: await readFile(path, 'utf8') })).toEqual(moves.flatMap(toStately));
  const again = await flamestack(`inspect --store ${store} --out ${path}`);
  expect([again.exit, again.err]).toEqual([2, expect.stringContaining('To replace it: --force')]);
  const dash = await flamestack(`inspect --store ${store} --out -`, { isTTY: true });
  expect(linesOf(dash)).toEqual(moves.flatMap(toStately));
});

test('a file of before gives way in one step, to one for its owner alone', async () => {
  const store = await demoStore();
  const at = await folder();
  const [path, older] = [join(at, 'demo.jsonl'), join(at, 'older')];
  await writeFile(path, 'older');
  await link(path, older);
  const { exit } = await flamestack(`inspect --text --store ${store} --out ${path} --force`);
  expect([exit, (await stat(path)).mode & 0o777]).toEqual([0, 0o600]);
  expect(linesOf({ out: await readFile(path, 'utf8') })).toEqual(
    (await inspected(store, { text: true })).flatMap(toStately),
  );
  expect(await readFile(older, 'utf8')).toBe('older');
  expect((await readdir(at)).sort()).toEqual(['demo.jsonl', 'older']);
});

test('a file of what goes on can be read meanwhile, and stays when that is ended', async () => {
  const store = await demoStore();
  const path = join(await folder(), 'demo.jsonl');
  const end = new AbortController();
  const { signal } = end;
  const telling = flamestack(`inspect --live --json --store ${store} --out ${path}`, { signal });
  const moves = (await inspected(store)).length;
  const read = async () => linesOf({ out: await readFile(path, 'utf8').catch(() => '{}') });
  await expect.poll(async () => (await read()).length).toBe(moves);
  end.abort(130);
  expect((await telling).exit).toBe(130);
  expect(await read()).toHaveLength(moves);
});

test.skipIf(process.platform !== 'linux')(
  'where the folder takes no file, that is said, and the one of before stays',
  async () => {
    const path = '/proc/self/comm';
    const line = `inspect --store ${await demoStore()} --out ${path} --force`;
    expect(await flamestack(line)).toMatchObject({
      exit: 2,
      err: expect.stringMatching(/"\/proc\/self\/comm" cannot be written \((?:ENOENT|EACCES)\)/),
    });
    expect((await stat(path)).isFile()).toBe(true);
  },
);

test('a file that cannot be written is named', async () => {
  const store = await demoStore();
  const { exit, err } = await flamestack(`inspect --store ${store} --out ${store}/no/such.jsonl`);
  expect(exit).toBe(2);
  expect(err).toBe(
    `flamestack: "${store}/no/such.jsonl" cannot be written (ENOENT)\n  Name a file in a folder that is there: --out <file>. Or pass it on to a program: flamestack … | less\n`,
  );
});

test('on a terminal each move is a line that fits', async () => {
  const store = await demoStore();
  const { exit, out } = await flamestack(`inspect --store ${store} --no-color`, { isTTY: true });
  expect(exit).toBe(0);
  expect(out).not.toMatch(unprintable);
  const lines = plainLines(out).filter(Boolean);
  expect(lines.length).toBe((await inspected(store)).length);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines.slice(0, 4)).toEqual([
    '     1  demo                  init                    open',
    '     1  f0                    init                    planned',
    '     1  f0                    frame.start             planned → in_progress',
    '     2  demo                  goal                    open',
  ]);
  expect(lines.join('\n')).toMatch(
    /f2 +frame\.invalidate +in_progress → invalidated\n[^]*f1 +frame\.complete +in_progress → completed/,
  );
});

test('a part begins with the actors that are there then', async () => {
  const store = await demoStore();
  const part = linesOf<Inspection>(
    await flamestack(`inspect --from 20 --to 22 --json --store ${store}`),
  );
  const schema = 'flamestack.inspection/1';
  const wanted = await inspected(store, { after: 19, to: 22 });
  expect(part).toEqual(wanted.map((one) => ({ schema, ...one })));
  expect(new Set(part.map(({ seq }) => seq))).toEqual(new Set([19, 20, 21, 22]));
  const at = linesOf<Inspection>(await flamestack(`inspect --at e40 --json --store ${store}`));
  expect(new Set(at.map(({ from, seq }) => `${from} ${seq}`)).size).toBe(1);
  expect(at.map(({ actor }) => actor)).toContain('demo/f1');
});

test('a live one goes on with what another program writes, until it is ended', async () => {
  const location = await demoStore();
  await using store = await openStore(location);
  const session = await store.open('demo');
  const { seq } = session.state;
  const end = new AbortController();
  let isCaughtUp = (): void => undefined;
  let wanted = `"seq":${seq},`;
  const onOut = (out: string): void => {
    if (out.includes(wanted)) isCaughtUp();
  };
  const caughtUp = (): Promise<void> => new Promise((resolve) => (isCaughtUp = resolve));
  const begun = caughtUp();
  const telling = flamestack(`inspect --live --json --store ${location}`, {
    signal: end.signal,
    onOut,
  });
  await begun;
  wanted = `"seq":${seq + 2},"n":1,`;
  const goneOn = caughtUp();
  await session.push({ title: 'One more' });
  await session.pop({ status: 'completed', results: 'Done' });
  await goneOn;
  end.abort(130);
  const told = await telling;
  expect(told.exit).toBe(130);
  const lines = linesOf<Inspection>(told);
  const last = lines.filter((one) => one.seq > seq);
  expect(last.map(({ actor, event }) => `${actor} ${event.type}`)).toEqual([
    'demo push',
    'demo/f3 init',
    'demo/f3 frame.start',
    'demo pop',
    'demo/f3 frame.complete',
  ]);
});

test.each([
  ['inspect nobody', 3, 'There is no session "nobody"'],
  ['inspect --from 900', 3, 'has no record 900; its last is'],
  ['inspect --from 9 --to 3', 2, 'to'],
  ['inspect --at s1', 2, 'A snapshot is no step'],
  ['inspect --at 3 --live', 2, '--live'],
  ['inspect --as mermaid', 2, 'table, stately'],
])('%s is refused with exit code %i', async (line, code, said) => {
  const { exit, out, err } = await flamestack(`${line} --store ${await demoStore()}`);
  expect([exit, out]).toEqual([code, '']);
  expect(err).toContain(said);
});

test('a file stays as it is where there is no such session', async () => {
  const store = await demoStore();
  const path = join(await folder(), 'kept.jsonl');
  await writeFile(path, 'kept');
  const { exit } = await flamestack(`inspect nobody --store ${store} --out ${path}`);
  expect(exit).toBe(3);
  expect(await readFile(path, 'utf8')).toBe('kept');
});
