import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createMachine } from 'xstate';
import { toFailure } from '../../../src/cli/call/exit.ts';
import { widthOf } from '../../../src/cli/paper/width.ts';
import { retryWhileInUse } from '../../../src/cli/sessions/store/open-store.ts';
import { durable, EngineError, openStore } from '../../../src/index.ts';
import { filesIn } from '../../store/folder.ts';
import {
  demoStore,
  file,
  flamestack,
  folder,
  plainLines,
  scriptFile,
  unprintable,
} from '../call.ts';

/** A store with the session `demo`, in a window of 2k. */

test('import says what came in and where to look', async () => {
  const [path, store] = [await scriptFile(), await folder()];
  const { exit, out, err } = await flamestack(`import ${path} --window 2k --store ${store}`);
  expect([exit, out]).toEqual([
    0,
    `demo  Tidy the parts  flamestack  67 entries added  (${path})\n`,
  ]);
  expect(err).toBe(`Look at it: flamestack show demo --store ${store}\n`);
  const again = await flamestack(`import ${path} --store ${store}`);
  expect(again.out).toContain('nothing new');
});

test.each([60, 80, 120])('at a terminal of %i columns a session takes a line', async (columns) => {
  const id = '0190aaaa-0000-7000-8000-000000000001';
  const title =
    'Tidy all parts of the program, and then look after whatever is left of them and beyond that';
  const lines = [
    { type: 'flamestack', version: 1, id, title },
    { type: 'append', message: { role: 'user', content: 'Go.' } },
    { type: 'push', title: 'A frame without criteria' },
  ];
  const path = await file('long.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
  const around = { isTTY: true, columns };
  const { out } = await flamestack(`import ${path} --store ${await folder()}`, around);
  expect(out).toMatch(/^0190aaaa  Tidy all [^\n]*…?  flamestack  1 entry added\n  skipped 1 line /);
  for (const line of plainLines(out)) expect(line.length).toBeLessThanOrEqual(columns);
});

test('a bad file does not stop the others, and shows in the exit code', async () => {
  const [good, bad, store] = [await scriptFile(), await file('bad.txt', 'hello'), await folder()];
  const line = `import /nowhere ${bad} ${good} --store ${store}`;
  const { exit, out, err } = await flamestack(line);
  expect(exit).toBe(1);
  expect(out).toContain('67 entries added');
  expect(err).toMatch(/"\/nowhere" does not exist[^]*is not in a known format/);
});

test('of a store that was made for a file that cannot be read nothing is left', async () => {
  const [bad, good, parent] = [await file('bad.txt', 'hello'), await scriptFile(), await folder()];
  for (const command of ['import', 'run'])
    for (const store of [`${parent}/made/inside`, parent]) {
      expect((await flamestack(`${command} ${bad} --store ${store}`)).exit).toBe(1);
      expect(await readdir(parent)).toEqual([]);
    }
  await flamestack(`import ${good} --store ${parent}/made`);
  expect((await flamestack(`import ${bad} --store ${parent}/made`)).exit).toBe(1);
  expect((await flamestack(`ls --store ${parent}/made`)).out).toContain('demo');
});

test('a search without a store makes none', async () => {
  const parent = await folder();
  for (const line of ['search words', 'undo'])
    expect((await flamestack(`${line} --store ${parent}/made`)).exit).toBe(3);
  expect(await readdir(parent)).toEqual([]);
});

test('undo and redo keep to the width of a terminal', async () => {
  const store = await demoStore();
  for (const line of ['undo --yes', 'undo --yes', 'redo']) {
    const around = { isTTY: true, columns: 44, rows: 24 };
    const { exit, out } = await flamestack(`${line} --store ${store}`, around);
    expect(exit).toBe(0);
    for (const one of plainLines(out)) expect(widthOf(one)).toBeLessThanOrEqual(44);
    expect(out).not.toContain('…');
  }
});

test('import as JSON is one document, its failures one each on stderr', async () => {
  const [path, store] = [await scriptFile(), await folder()];
  const told = await flamestack(`import ${path} /nowhere --id mine --json --store ${store}`);
  expect(told.exit).toBe(2);
  const line = `import ${path} /nowhere --json --store ${store}`;
  const { exit, out, err } = await flamestack(line);
  expect(exit).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    schema: 'flamestack.import/1',
    imported: [{ file: path, id: 'demo', appended: 67, skipped: [] }],
  });
  expect(JSON.parse(err)).toMatchObject({
    schema: 'flamestack.error/1',
    code: 'IMPORT_SOURCE_UNREADABLE',
    exit: 1,
  });
});

test('import names the file whose system prompt is too large, and the window that it needs', async () => {
  const [good, store] = [await scriptFile(), await folder()];
  const lines = [
    { type: 'flamestack', version: 1, id: 'large', system: 'word '.repeat(4_000) },
    { type: 'append', message: { role: 'user', content: 'Hello' } },
  ];
  const bad = await file('large.jsonl', lines.map((one) => JSON.stringify(one)).join('\n'));
  const line = `import ${good} ${bad} --window 4k --store ${store}`;
  const { exit, err } = await flamestack(line);
  expect(exit).toBe(1);
  expect(err).toContain(`flamestack: "${bad}": A system prompt of `);
  const needs = /The least that holds it is --window (\d+)\./.exec(err)?.[1];
  const told = JSON.parse((await flamestack(`${line} --json`)).err);
  expect(told).toMatchObject({ detail: { source: bad, needs: Number(needs) } });
  expect((await flamestack(`import ${bad} --window ${needs} --store ${store}`)).exit).toBe(0);
});

test('a session can be imported under another id', async () => {
  const [path, store] = [await scriptFile(), await folder()];
  await flamestack(`import ${path} --id mine --window 4k --store ${store}`);
  const { out } = await flamestack(`ls --store ${store} --json`);
  expect(JSON.parse(out)).toMatchObject({ sessions: [{ id: 'mine', window: 4_096 }] });
});

test('on a terminal the progress of an import leaves nothing behind', async () => {
  const [path, store] = [await scriptFile(), await folder()];
  const { out, err } = await flamestack(`import ${path} --store ${store}`, { isTTY: true });
  expect(out).not.toMatch(unprintable);
  expect(plainLines(err).at(-2)).toContain('Look at it');
});

test('ls shows the latest first', async () => {
  const store = await demoStore();
  await flamestack(`import ${await scriptFile()} --id later --window 8k --store ${store}`);
  const { exit, out } = await flamestack(`ls --store ${store}`);
  expect(exit).toBe(0);
  expect(plainLines(out)[0]).toMatch(/session +last said +turns +tokens +prompt +window +id/);
  expect(plainLines(out)[1]).toMatch(
    /^@1 +Tidy the parts +~now +\d+ +[\d,]+ +[\d,]+ +8,192 +later/,
  );
  expect(plainLines(out)[2]).toMatch(/^@2 .* demo$/);
});

test('an empty store says how to fill it; a store that is not there is not found', async () => {
  const store = await folder();
  await (await openStore(store)).close();
  const empty = await flamestack(`ls --store ${store}`);
  expect([empty.exit, empty.out]).toEqual([
    0,
    expect.stringContaining('Make one: flamestack import'),
  ]);
  const none = await flamestack(`ls --store ${store}/none`);
  expect([none.exit, none.out]).toEqual([3, '']);
  expect(none.err).toContain('There is no store');
  const json = await flamestack(`ls --json`, { env: { FLAMESTACK_STORE: `${store}/none` } });
  expect(JSON.parse(json.err)).toMatchObject({ code: 'STORE_NOT_FOUND', exit: 3 });
});

test('show prints bar, budget, frames and every section', async () => {
  const store = await demoStore();
  const { exit, out } = await flamestack(`show --store ${store}`);
  expect(exit).toBe(0);
  expect(out).not.toMatch(unprintable);
  for (const name of [
    'budget',
    'frame tree',
    'frames',
    'system',
    'human',
    'goal',
    'checkpoints',
    'working',
  ])
    expect(out).toMatch(new RegExp(`^── ${name} ─`, 'm'));
  expect(out).toMatch(/Context [\d,]+ of 1,741 tokens/);
  expect(out).toMatch(/├─ ✓ f1 Deep parts {2}Parts 5 to 9 are tidy|└─ ✓ f1 Deep parts/);
  expect(out).toContain('Be careful.');
});

test('show changes nothing', async () => {
  const store = await demoStore();
  const before = JSON.parse((await flamestack(`show --json --store ${store}`)).out) as unknown;
  await flamestack(`show demo --full --store ${store}`);
  const after = JSON.parse((await flamestack(`show @1 --json --store ${store}`)).out) as unknown;
  expect(after).toEqual(before);
  expect(after).toMatchObject({
    schema: 'flamestack.show/1',
    id: 'demo',
    assembly: { messages: expect.arrayContaining([]) as unknown },
    state: { id: 'demo', entries: 67 },
    frames: { title: 'Tidy the parts' },
  });
});

test('one entry is shown whole, with where it is now', async () => {
  const store = await demoStore();
  const { exit, out } = await flamestack(`show --entry e6 --store ${store}`);
  expect(exit).toBe(0);
  expect(out).toMatch(
    /^── entry e6 ─+ \d+ tokens ──\n {2}role {4}assistant\n {2}frame {3}f0 {2}Tidy/,
  );
  expect(out).toMatch(/^ {2}time {4}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n {2}now {5}behind /m);
  expect(out).toContain('Reading part 2.\nread src/part-2.ts\n');
  expect(out).not.toMatch(unprintable);
  const answer = await flamestack(`show demo --entry e7 --store ${store}`);
  expect(answer.out).toMatch(/^ {2}role {4}tool\n[^]*^ {2}answers call-2\n/m);
  const json = await flamestack(`show --entry e6 --json --store ${store}`);
  expect(JSON.parse(json.out)).toMatchObject({
    schema: 'flamestack.entry/1',
    session: 'demo',
    entry: { id: 'e6', role: 'assistant', frame: 'f0' },
    place: { entry: 'e6' },
  });
});

test.each(['e68', 'e0'])('%s is no entry of 67', async (id) => {
  const { exit, out, err } = await flamestack(`show --entry ${id} --store ${await demoStore()}`);
  expect([exit, out]).toEqual([3, '']);
  expect(err).toBe(`flamestack: There is no entry "${id}"; session "demo" has e1 to e67\n`);
});

test('show ends with bar and budget, and says what was cut', async () => {
  const store = await demoStore();
  const around = { isTTY: true, columns: 80, rows: 24 };
  const { out, err } = await flamestack(`show --no-color --store ${store}`, around);
  const lines = plainLines(out).slice(-24).join('\n');
  expect(lines).toMatch(/^── context ─[^]*^── budget ─[^]*all of it: --full\n$/m);
  expect(err).toBe(`Any entry: flamestack show --entry e42 --store ${store}\n`);
  const full = await flamestack(`show --full --store ${store}`, around);
  expect(full.out).not.toContain('all of it: --full');
});

test('a section alone is the newest of it on a terminal, and all of it with --full', async () => {
  const store = await demoStore();
  const terminal = { isTTY: true, columns: 80, rows: 24 };
  const some = await flamestack(`show --section working --store ${store}`, terminal);
  const lines = plainLines(some.out);
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  expect(some.out).toContain('All tidy.');
  const all = await flamestack(`show --section working --full --store ${store}`, terminal);
  expect(plainLines(all.out).length).toBeGreaterThanOrEqual(lines.length - 1);
  const json = await flamestack(`show --section goal --json --store ${store}`);
  const { assembly } = JSON.parse(json.out) as { assembly: { messages: { section: string }[] } };
  expect(assembly.messages.map(({ section }) => section)).toEqual(['goal']);
});

test('a store that somebody else has open is read, and who has it is named where it would be changed', async () => {
  const store = await demoStore();
  await using _ = await openStore(store);
  for (const read of ['ls', 'show', 'search tidy', 'log', 'export', 'frames', 'undo --list'])
    expect(await flamestack(`${read} --store ${store}`), read).toMatchObject({ exit: 0 });
  expect(await filesIn(store, /readers/)).toEqual([]);
  const { exit, err } = await flamestack(`undo --yes --store ${store}`);
  expect(exit).toBe(1);
  expect(err).toContain(`Wait until process ${process.pid} ends`);
});

test('a store in use is tried again until it is free', async () => {
  const inUse = new EngineError('STORE_IN_USE', 'Store is in use', {
    detail: { location: 'notes' },
  });
  const waited: number[] = [];
  let left = 3;
  const open = async (): Promise<string> => {
    if (left-- > 0) throw inUse;
    return 'open';
  };
  const wait = async (ms: number): Promise<void> => void waited.push(ms);
  expect(await retryWhileInUse(open, { wait })).toBe('open');
  expect(waited).toHaveLength(3);
  left = Number.POSITIVE_INFINITY;
  waited.length = 0;
  await expect(retryWhileInUse(open, { wait })).rejects.toBe(inUse);
  expect(waited.reduce((sum, ms) => sum + ms)).toBe(2_000);
});

test('somebody who wants out need not wait for a store', async () => {
  const store = await demoStore();
  await using _ = await openStore(store);
  const leave = new AbortController();
  leave.abort(130);
  const told = await flamestack(`undo --yes --store ${store}`, { signal: leave.signal });
  expect(told).toEqual({ exit: 130, out: '', err: '' });
});

test('without a process to name, the store is in use by another', () => {
  const { advice } = toFailure(
    new EngineError('STORE_IN_USE', 'Store is in use', { detail: { location: 'notes' } }),
  );
  expect(advice).toMatch(/^Another process has it open/);
});

test('an unknown format is said in three short lines', async () => {
  const { err } = await flamestack(
    `import ${await file('bad.txt', 'hello')} --store ${await folder()}`,
  );
  const lines = err.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(/^ {2}Formats: flamestack, /);
});

test('a folder is no file to run', async () => {
  const { err } = await flamestack(`run ${await folder()}`);
  expect(err).toMatch(/is a directory\n {2}Name the files in it.\n$/);
});

test('a session that is not there is not found', async () => {
  const store = await demoStore();
  const { exit, err } = await flamestack(`show nothing --store ${store}`);
  expect([exit, err]).toEqual([
    3,
    `flamestack: There is no session "nothing"\n  \`flamestack ls --store ${store}\` lists what is there.\n`,
  ]);
});

test('a session that is a durable machine is said to be one', async () => {
  const store = await demoStore();
  await (await durable(createMachine({}), { host: store, id: 'm1', ports: {} })).close();
  for (const words of ['inspect m1', 'replay m1 --verify', 'show m1']) {
    const { exit, err } = await flamestack(`${words} --store ${store}`);
    expect([words, exit, err]).toEqual([
      words,
      3,
      `flamestack: There is no session "m1"; a durable machine has this name\n  No command shows one: the program that runs it reads it by durable(…).history().\n  \`flamestack ls --store ${store}\` lists what is there.\n`,
    ]);
  }
  expect((await flamestack(`show m2 --store ${store}`)).err).not.toContain('durable');
});

test('ls says which durable machines lie beside the sessions', async () => {
  const store = await demoStore();
  const { err: before } = await flamestack(`ls --store ${store}`);
  expect(before).not.toContain('durable');
  for (const id of ['a', 'b'])
    await (await durable(createMachine({}), { host: store, id, ports: {} })).close();
  const { out, err } = await flamestack(`ls --store ${store}`);
  expect(out).toContain('demo');
  expect(err).toBe(`${before}It holds 2 durable machines, too: a, b.\n`);
  const { out: json } = await flamestack(`ls --json --store ${store}`);
  expect(JSON.parse(json)).toMatchObject({ machines: 2, sessions: [{ id: 'demo' }] });
  for (const id of ['c', 'd', 'e', 'f', 'g'])
    await (await durable(createMachine({}), { host: store, id, ports: {} })).close();
  expect((await flamestack(`ls --store ${store}`)).err).toBe(
    `${before}It holds 7 durable machines, too: a, b, c, d, e and 2 more.\n`,
  );
});
