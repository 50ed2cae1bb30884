import { writeFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { widthOf } from '../../../src/cli/paper/width.ts';
import {
  file,
  flamestack,
  folder,
  plainLines,
  script,
  scriptFile,
  unprintable,
  type Told,
} from '../call.ts';

/** A line of `run --json`. */
type Event = Record<string, unknown>;

const events = (out: string): Event[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);

test('a file plays through a small window, and every prompt fits', async () => {
  const { exit, out, err } = await flamestack(`run ${await scriptFile()} --window 2k`);
  expect([exit, err]).toEqual([0, '']);
  expect(out).toMatch(/goal {2}Tidy all parts/);
  expect(out).toMatch(/milestone done {2}First parts/);
  expect(out).toMatch(/decision locked {2}Tabs are two spaces/);
  expect(out).toMatch(/push {2}Deep parts · .*parts 5 to 9/);
  expect(out).toMatch(/invalidated {2}Dead end · .*no rewrite wanted/);
  expect(out).toMatch(/completed {2}Deep parts · .*Parts 5 to 9 are tidy/);
  expect(out).toMatch(/compression \d+ {2}[\d,]+ → [\d,]+ tokens · checkpoints: recent/);
  expect(out).toMatch(/shortened {2}e\d+: [\d,]+ → [\d,]+ tokens/);
  expect(out).toMatch(/fit +always: \d+ prompts, the largest [\d,]+ of 1,741 tokens, 0 over/);
  expect(out).toMatch(/nothing lost +67 of 67 entries read back/);
});

test('a pipe gets neither escape codes nor waiting lines, each event whole in a line', async () => {
  const { out } = await flamestack(`run ${await scriptFile()} --window 2k --tour`);
  expect(out).not.toMatch(unprintable);
  const [feed = ''] = out.split('── context');
  const told = plainLines(feed).filter((line) => /^ {2,5}e?\d* *[^\s│|]/.test(line));
  expect(told.filter((line) => !/^ {2,5}(?:e\d+| {4}) {2}\S+ /.test(line))).toEqual([]);
  expect(out).toMatch(/^ +e\d+ {2}.{80,}$/m);
  expect(feed).not.toContain('…');
});

test('a session without a title of its own goes by what was asked, and before that by its file', async () => {
  const id = 'fe5e1c67-0000-7000-8000-000000000001';
  const path = await file(
    'plan.jsonl',
    script.replace('"demo","title":"Tidy the parts"', `"${id}"`),
  );
  const { out } = await flamestack(`run ${path} --window 2k`);
  expect(out).toMatch(/f0 Please look at part 1/);
  expect(out).not.toMatch(new RegExp(`f0 ${id}`));
  const live = await flamestack(`run ${path} --window 2k --fast`, { isTTY: true });
  expect(live.out).toMatch(/─ plan\.jsonl/);
  expect(live.out).not.toContain(`─ ${id}`);
});

test('with COLUMNS the events of a pipe keep to that', async () => {
  const env = { COLUMNS: '60' };
  const { out } = await flamestack(`run ${await scriptFile()} --window 2k`, { env });
  expect(Math.max(...plainLines(out).map((line) => line.length))).toBeLessThanOrEqual(60);
});

test('JSON is one event per line, each with its schema, and a summary at the end', async () => {
  const path = await scriptFile();
  const { exit, out, err } = await flamestack(`run ${path} --window 2k --tour --json`);
  expect([exit, err]).toEqual([0, '']);
  const told = events(out);
  expect(new Set(told.map(({ schema }) => schema))).toEqual(new Set(['flamestack.run/1']));
  expect(told.map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      'goal.set',
      'frame.pushed',
      'compression.finished',
      'frame.invalidated',
    ]),
  );
  const pushed = told.find(({ type }) => type === 'frame.pushed');
  expect(pushed).toMatchObject({ title: 'Deep parts', brief: 'parts 5 to 9 are tidy' });
  expect(told.at(-1)).toMatchObject({
    type: 'summary',
    id: 'demo',
    format: 'flamestack',
    entries: 67,
    appended: 67,
    window: 2_048,
    limit: 1_741,
    assemblies: { over: 0, refused: 0 },
    frames: { in_progress: 1, completed: 1, invalidated: 1 },
    places: { logged: 67 },
    skipped: [],
    interrupted: false,
    store: null,
  });
  const finished = told.filter(({ type }) => type === 'compression.finished');
  expect(told.at(-1)!['compressions']).toBe(finished.length);
});

test('every step is one prompt: the first as well as the last', async () => {
  const { out } = await flamestack(`run ${await scriptFile()} --window 32k --json`);
  const steps = script.split('\n').length - 1;
  const { assemblies, compressions } = events(out).at(-1) as {
    assemblies: { made: number };
    compressions: number;
  };
  expect([assemblies.made, compressions]).toEqual([steps, 0]);
});

test('a tour explains each thing once, and ends with what to try next', async () => {
  const { out } = await flamestack(`run ${await scriptFile()} --window 2k --tour`);
  expect(out.match(/A frame is one piece of work/g)).toHaveLength(1);
  expect(out.match(/Old turns became a checkpoint/g)).toHaveLength(1);
  expect(out).toMatch(/\n {2}compressions {2}\d+\n/);
  expect(out).not.toMatch(/facts kept/);
  expect(out).toMatch(/show --entry e42/);
  expect(out).toMatch(/try next[^]*npx flamestack show/);
});

test('quiet is the summary alone', async () => {
  const { out } = await flamestack(`run ${await scriptFile()} --window 2k --quiet --tour`);
  expect(out).toMatch(/^── what happened/);
  expect(out).not.toMatch(/push|try next/);
});

test('on a terminal a region is drawn over, in its width, and taken away at the end', async () => {
  for (const columns of [60, 80, 110]) {
    const line = `run ${await scriptFile()} --window 2k --fast`;
    const { out } = await flamestack(line, { isTTY: true, columns });
    expect(out).toContain('\x1b[?25l');
    expect(out.lastIndexOf('\x1b[?25h')).toBeGreaterThan(out.lastIndexOf('\x1b[?25l'));
    const lengths = plainLines(out).map(widthOf);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(columns);
  }
});

test('plain characters are nothing but ASCII', async () => {
  const { out } = await flamestack(`run ${await scriptFile()} --window 2k --ascii --tour`);
  expect(out).toMatch(/^[\x20-\x7e\n]*$/);
});

test('a store keeps the session, and the same file again brings nothing new', async () => {
  const [path, store] = [await scriptFile(), await folder()];
  const first = await flamestack(`run ${path} --window 4k --store ${store}`);
  expect(first.out).toContain(`flamestack show demo --store ${store}`);
  const again = await flamestack(`run ${path} --store ${store}`);
  expect(again.exit).toBe(0);
  expect(again.out).toContain(
    'Nothing new in demo.jsonl: session demo had all 67 entries already.',
  );
  const { out } = await flamestack(`ls --store ${store} --json`);
  expect(JSON.parse(out)).toMatchObject({ sessions: [{ id: 'demo', window: 4_096 }] });
});

test('another window for a session of the store is said', async () => {
  const [path, store] = [await scriptFile(), await folder()];
  await flamestack(`import ${path} --window 2k --store ${store}`);
  const changed = await flamestack(`import ${path} --window 4k --store ${store}`);
  expect(changed.out).toContain('nothing new, window 2,048 → 4,096');
  const played = await flamestack(`run ${path} --window 8k --store ${store}`);
  expect(played.out).toContain('Its window 4,096 → 8,192.');
  const same = await flamestack(`import ${path} --window 8k --store ${store}`);
  expect(same.out).not.toContain('window');
});

test('a file of which nothing can be read fails', async () => {
  const path = await file('half.jsonl', '{"type":"flamestack","version":1,"id":"x"}\n{broken\n');
  for (const line of [`run ${path}`, `import ${path} --store ${await folder()}`]) {
    const { exit, out, err } = await flamestack(line);
    expect([exit, err]).toEqual([1, expect.stringContaining('half.jsonl')]);
    expect(err).toContain('1 line skipped.');
    expect(out).not.toMatch(/: *$/m);
  }
});

test('somebody who wants out gets the summary so far', async () => {
  const leave = new AbortController();
  const { exit, out } = await flamestack(`run ${await scriptFile()} --window 2k`, {
    signal: leave.signal,
    onOut: (out) => out.includes('push  Deep parts') && leave.abort(130),
  });
  expect(exit).toBe(130);
  expect(out).toMatch(/so far[^]*said +17 entries/);
  expect(out).not.toContain('Dead end');
});

test('hostile text reaches no terminal', async () => {
  const hostile = '\\u001b]0;owned\\u0007Deep\\u001b[2J\\u202eparts';
  const records = script
    .replaceAll('Deep parts', hostile)
    .replace('Tidy all parts', `${hostile} `.repeat(7))
    .replace('no rewrite wanted', `${hostile}\\r\\n`.repeat(20));
  const path = await file('evil\x1b[2Jname.jsonl', records);
  const { out } = await flamestack(`run ${path} --window 2k`);
  expect(out).toContain('Playing evilname.jsonl');
  expect(out).toContain('push  Deep·parts');
  expect(out).not.toMatch(unprintable);
});

test('lines that cannot be read are counted and named', async () => {
  const path = await scriptFile();
  await writeFile(path, `${script}\n{broken\n{"type":"dance"}\n`);
  const { exit, out } = await flamestack(`run ${path} --window 2k`);
  expect(exit).toBe(0);
  expect(out).toMatch(/skipped +2 lines \(line \d+: .*/);
  expect(out).toContain('unknown step "dance"');
});

const notThere =
  /^flamestack: "\/nowhere\/x\.jsonl" does not exist\n {2}Is the path right\? .*: flamestack ls.*\n$/;

test('a file that is not there is told of on a terminal as in a pipe', async () => {
  const { exit, err } = await flamestack('run /nowhere/x.jsonl', { isTTY: true });
  expect([exit, err]).toEqual([1, expect.stringMatching(notThere)]);
});

test('a file that is not there makes no store', async () => {
  const store = `${await folder()}/made`;
  const { exit, err } = await flamestack(`run /nowhere/x.jsonl --store ${store}`);
  expect([exit, err]).toEqual([1, expect.stringMatching(notThere)]);
  expect((await flamestack(`ls --store ${store}`)).exit).toBe(3);
});

test('the first call given up is explained in a tour, once', async () => {
  const asked = (n: number): object => ({
    type: 'append',
    message: {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: `c${n}`, name: 'read', arguments: {} }],
    },
  });
  const next = { type: 'append', message: { role: 'user', content: 'Never mind.' } };
  const head = { type: 'flamestack', version: 1, id: 'lost' };
  const records = [head, asked(1), next, asked(2), next].map((one) => JSON.stringify(one));
  const path = await file('lost.jsonl', records.join('\n'));
  const { out } = await flamestack(`run ${path} --tour`);
  expect(out.match(/call given up/g)).toHaveLength(2);
  expect(out.match(/a stand-in keeps call and result a pair/g)).toHaveLength(1);
});

/** Plays at a terminal, pressing each key once its sign is on the screen; gives what came of it. */
async function steer(
  words: string,
  plan: (readonly [sign: string, key: string])[],
  columns = 120,
): Promise<Told & { readonly isRaw: boolean; readonly left: number }> {
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode: (isRaw: boolean) => (stdin.isRaw = isRaw),
  });
  let from = 0;
  const told = await flamestack(`run ${await scriptFile()} --window 2k ${words}`, {
    isTTY: true,
    columns,
    stdin,
    onOut: (all) => {
      if (plan.length === 0 || !all.slice(from).includes(plan[0]![0])) return;
      from = all.length;
      const [, key] = plan.shift()!;
      setImmediate(() => stdin.write(key));
    },
  });
  return { ...told, isRaw: stdin.isRaw, left: plan.length };
}

test('at a terminal a play pauses, steps, changes its speed, and is left', async () => {
  const { exit, out, isRaw, left } = await steer('--speed 1', [
    ['1 step a second', ' '],
    ['paused', '\x1b[C'],
    ['paused', '+'],
    ['paused · 2 steps a second', ' '],
    ['2 steps a second', '-'],
    ['1 step a second', 'q'],
  ]);
  expect([left, exit, isRaw]).toEqual([0, 0, false]);
  expect(out).toMatch(/so far/);
  expect(out.lastIndexOf('\x1b[?25h')).toBeGreaterThan(out.lastIndexOf('\x1b[?25l'));
});

test.each(['\x1b[F', '\x1bOF', '\x1b[4~'])('End plays the rest at once, as %j', async (key) => {
  const begun = performance.now();
  const { exit, out, left } = await steer('--speed 0.5', [['a second', key]]);
  expect([left, exit]).toEqual([0, 0]);
  expect(out).toContain('67 of 67 entries read back');
  expect(performance.now() - begun).toBeLessThan(30_000);
});

test('the arrow keys step back through what was played, and forward again', async () => {
  const { exit, out, left } = await steer('--speed 4', [
    ['12 entries', ' '],
    ['paused', '\x1b[D'],
    ['paused at step', '\x1b[D'],
    ['paused at step', '\x1b[C'],
    ['paused at step', '\x1b[H'],
    ['paused at step 1 of', '\x1b[C'],
    ['paused at step 2 of', '\x1b[F'],
  ]);
  expect([left, exit]).toEqual([0, 0]);
  const places = [
    ...plainLines(out)
      .join('\n')
      .matchAll(/paused at step (\d+) of (\d+) played/g),
  ];
  // How far the file is goes back with the step.
  expect(plainLines(out).join('\n')).toMatch(/turn 0 · 0 entries · [0-3] %/);
  expect(plainLines(out)).toContain('  system  Be careful.');
  const [one, two, three] = places.map(([, at]) => Number(at));
  expect([one! - two!, three! - two!]).toEqual([1, 1]);
  expect(
    plainLines(out)
      .join('\n')
      .match(/goal {2}Tidy all parts/g),
  ).toHaveLength(1);
  expect(out).toContain('67 of 67 entries read back');
});

test('at 60 columns each key is named, on a second line', async () => {
  const { out } = await steer('--speed 1', [['q quits', 'q']], 60);
  const lines = plainLines(out).join('\n');
  expect(lines).toContain('1 step a second · space pauses · arrows step\n');
  expect(lines).toContain('End plays the rest · + - speed · q quits\n');
});

test('a name that is no file leads to replay, which plays sessions of the store', async () => {
  const { exit, err } = await flamestack('run @9 --store /nowhere');
  expect([exit, err]).toEqual([
    1,
    'flamestack: "@9" does not exist\n  It plays files; a session of the store: flamestack replay @9 --store /nowhere\n',
  ]);
});
