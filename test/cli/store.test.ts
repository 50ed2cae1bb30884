import { expect, test } from 'vitest';
import { widthOf } from '../../src/cli/render/width.ts';
import { openStore } from '../../src/index.ts';
import { file, flamestack, folder, plainLines, scriptFile, unprintable } from './call.ts';

/** A store with the session `demo`, in a window of 2k. */
async function kept(): Promise<string> {
  const store = await folder();
  await flamestack(`import ${await scriptFile()} --window 2k --store ${store}`);
  return store;
}

test('import says what came in and where to look', async () => {
  const [path, store] = [await scriptFile(), await folder()];
  const { exit, out, err } = await flamestack(`import ${path} --window 2k --store ${store}`);
  expect([exit, out]).toEqual([0, `demo  flamestack  67 entries added  (${path})\n`]);
  expect(err).toBe(`Look at it: flamestack show demo --store ${store}\n`);
  const again = await flamestack(`import ${path} --store ${store}`);
  expect(again.out).toContain('nothing new');
});

test('a bad file does not stop the others, and shows in the exit code', async () => {
  const [good, bad, store] = [await scriptFile(), await file('bad.txt', 'hello'), await folder()];
  const line = `import /nowhere ${bad} ${good} --store ${store}`;
  const { exit, out, err } = await flamestack(line);
  expect(exit).toBe(1);
  expect(out).toContain('67 entries added');
  expect(err).toMatch(/"\/nowhere" does not exist[^]*is of no known format/);
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
  const store = await kept();
  await flamestack(`import ${await scriptFile()} --id later --window 8k --store ${store}`);
  const { exit, out } = await flamestack(`ls --store ${store}`);
  expect(exit).toBe(0);
  expect(plainLines(out)[0]).toMatch(/session +used +turns +tokens +window +pending/);
  expect(plainLines(out)[1]).toMatch(/^@1 +later +now +\d+ +[\d,]+ +8,192/);
  expect(plainLines(out)[2]).toMatch(/^@2 +demo/);
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
  const store = await kept();
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
  expect(out).toMatch(/├─ ✓ Deep parts {2}Parts 5 to 9 are tidy|└─ ✓ Deep parts/);
  expect(out).toContain('Be careful.');
});

test('show changes nothing', async () => {
  const store = await kept();
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

test('a section alone is the newest of it on a terminal, and all of it with --full', async () => {
  const store = await kept();
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

test('a store that somebody else has open is named with the process', async () => {
  const store = await kept();
  await using _ = await openStore(store);
  const { exit, err } = await flamestack(`show --store ${store}`);
  expect(exit).toBe(1);
  expect(err).toContain(`Wait until process ${process.pid} ends`);
});

test('a session that is not there is not found', async () => {
  const { exit, err } = await flamestack(`show nothing --store ${await kept()}`);
  expect([exit, err]).toEqual([
    3,
    'flamestack: There is no session "nothing"\n  `flamestack ls` lists what is there.\n',
  ]);
});
