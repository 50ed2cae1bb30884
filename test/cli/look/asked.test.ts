import { beforeAll, beforeEach, expect, test } from 'vitest';
import { copyOf, newLocation } from '../../store/folder.ts';
import { file, flamestack, plainLines, script } from '../call.ts';

let [made, store] = ['', ''];
const untitled = script
  .replace(',"title":"Tidy the parts"', '')
  .replace('{"type":"goal","description":"Tidy all parts of the program"}\n', '');
beforeAll(async () => {
  made = await newLocation();
  const asked = await file('demo.jsonl', untitled);
  await flamestack(`import ${asked} --window 4k --store ${made}`);
});
beforeEach(async () => {
  store = await copyOf(made);
});

test.each(['show', 'show --line', 'frames', 'recover --dry-run', 'show --json', 'frames --json'])(
  '%s heads with the first request where nobody gave a title, as ls does',
  async (command) => {
    const title = 'Please look at part 1.';
    expect((await flamestack(`ls --store ${store}`)).out).toContain(title);
    // The root is where a line says it is.
    const { out } = await flamestack(`${command} --store ${store}`);
    if (!command.endsWith('--json')) return expect(out).toContain(title);
    const { frames } = JSON.parse(out) as { frames: { title: string } };
    expect(frames.title).toContain(title);
  },
);

test('recover tells the turn and the entries of a session, in JSON as in the text', async () => {
  for (const line of ['recover --dry-run', 'recover --yes']) {
    const { out } = await flamestack(`${line} --json --store ${store}`);
    const { turn, entries } = JSON.parse(out) as Record<string, number>;
    const { out: text } = await flamestack(`recover --dry-run --store ${store}`);
    expect(text).toContain(`demo: turn ${turn}, ${entries} entries\n`);
  }
});

test.each([
  ['f2', 'f2 is a frame: flamestack expand f2 --session demo'],
  ['c2', 'c2 is a checkpoint: flamestack expand c2 --session demo'],
  ['s1', 's1 is a snapshot: flamestack snapshot show s1 --session demo'],
])('%s is no entry, and what it is is said, with what opens it', async (id, says) => {
  const { exit, err } = await flamestack(`show --entry ${id} --store ${store}`);
  expect(exit).toBe(3);
  expect(err).toContain(`There is no entry "${id}"; session "demo" has e1 to e`);
  expect(err).toContain(`An entry is called e and a number, as e12; ${says} --store ${store}\n`);
  const { exit: opened } = await flamestack(says.split(': flamestack ')[1] + ` --store ${store}`);
  expect(opened).toBe(0);
});

test('of what is no id at all the form is said, and where they are listed; a number that is too large has the form', async () => {
  const list = `flamestack log demo --store ${store}`;
  const none = await flamestack(`show --entry xyz --store ${store}`);
  expect(none.err).toContain(`An entry is called e and a number, as e12: ${list}`);
  const large = await flamestack(`show --entry e999 --store ${store}`);
  expect(large.err).toMatch(
    /^flamestack: There is no entry "e999"; session "demo" has e1 to e\d+\n$/,
  );
});

test.each([
  ['e999', /There is no entry "e999"; session "demo" has e1 to e\d+\n$/],
  ['e998-e999', /There is no entry "e998"; session "demo" has e1 to e\d+\n$/],
  [
    'c99',
    /no checkpoint "c99"; session "demo" has c\d.* in its prompt\n.*: flamestack show demo --store/,
  ],
  ['f99', /no frame "f99" in session "demo"\n.*`flamestack frames demo --store .*` lists them/],
])('expand %s says what the session has, and where that is seen', async (ref, says) => {
  await flamestack(`import ${await file('later.jsonl', script)} --id later --store ${store}`);
  const { exit, err } = await flamestack(`expand ${ref} --session demo --store ${store}`);
  expect([exit, err]).toEqual([3, expect.stringMatching(says)]);
});

test('a turn that is not there leads to the log of that session, be it not the latest', async () => {
  await flamestack(`import ${await file('later.jsonl', script)} --id later --store ${store}`);
  const { err } = await flamestack(`show demo --at 99 --store ${store}`);
  expect(err).toContain('`flamestack log demo --store');
});

test('diff says how a session is named where one stands in place of a moment', async () => {
  const { exit, err } = await flamestack(`diff @2 --store ${store}`);
  expect([exit, err]).toEqual([2, expect.stringContaining('. A session: --session @2\n')]);
  const { err: mistyped } = await flamestack(`diff 12x --store ${store}`);
  expect(mistyped).not.toContain('--session');
});

test('diff alone compares with the moment before the last compression', async () => {
  const json = async (line: string) => {
    const { out } = await flamestack(`${line} --json --store ${store}`);
    return JSON.parse(out) as {
      readonly entries: readonly unknown[];
      readonly snapshots: readonly { readonly by: string; readonly seq: number }[];
      readonly undo: readonly { readonly what: string; readonly seq: number }[];
    };
  };
  const { snapshots } = await json('snapshot ls --session demo');
  const { undo } = await json('undo --list');
  const seqs = [
    ...snapshots.filter(({ by }) => by === 'compression').map(({ seq }) => seq),
    ...undo.filter(({ what }) => what === 'compression').map(({ seq }) => seq - 1),
  ];
  const found = await json('diff --session demo');
  expect(found).toEqual(await json(`diff seq:${Math.max(...seqs)} --session demo`));
  expect(found.entries.length).toBeGreaterThan(0);
  await flamestack(
    `import ${await file('later.jsonl', script)} --id later --window 64k --store ${store}`,
  );
  const none = await flamestack(`diff --session later --store ${store}`);
  expect([none.exit, none.err]).toEqual([2, expect.stringContaining('compressed yet')]);
});

test('diff finds a compression whose moment had a snapshot already', async () => {
  const other = await newLocation();
  await flamestack(`import examples/notes-app.jsonl --window 16k --store ${other}`);
  const { out } = await flamestack(`undo --list --json --store ${other}`);
  const { undo } = JSON.parse(out) as { undo: readonly { what: string; seq: number }[] };
  const { seq } = undo.find(({ what }) => what === 'compression')!;
  const line = `diff --json --store ${other}`;
  const [alone, named] = [await flamestack(line), await flamestack(`${line} seq:${seq - 1}`)];
  expect([alone.exit, JSON.parse(alone.out)]).toEqual([0, JSON.parse(named.out)]);
});

test('of a session without compressions expand says that it has no checkpoint', async () => {
  await flamestack(
    `import ${await file('later.jsonl', script)} --id later --window 64k --store ${store}`,
  );
  const { err } = await flamestack(`expand c1 --session later --store ${store}`);
  expect(err).toContain('session "later" has none, as nothing of it was compressed yet');
});

test.each(['57', 'E57'])('--entry %s is e57', async (typed) => {
  const { out } = await flamestack(`show --entry ${typed} --json --store ${store}`);
  expect(JSON.parse(out)).toMatchObject({ entry: { id: 'e57' } });
});

test.each([
  ['12', 'turn 12 → now (turn 17)'],
  ['3.1 e20', 'turn 3, call 1 → e20'],
])('diff %s says which moments it compares', async (moments, heading) => {
  const { out } = await flamestack(`diff ${moments} --store ${store}`);
  expect(out.split('\n')[0]).toBe(heading);
});

test.each([40, 60, 80])('the budget keeps within %i columns', async (columns) => {
  const { out } = await flamestack(`show --no-pager --store ${store}`, { isTTY: true, columns });
  const lines = plainLines(out);
  const budget = lines.slice(lines.findIndex((line) => line.includes(' budget ')));
  expect(budget.length).toBeGreaterThan(4);
  for (const line of budget) expect(line.length).toBeLessThanOrEqual(columns);
});
