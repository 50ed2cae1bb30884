import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore, type Message } from '../../../../../src/index.ts';
import { parseMoment } from '../../../../../src/cli/command-line/moment.ts';
import { file, flamestack, folder } from '../../../call.ts';

const person = (content: string): Message => ({ role: 'user', content });
const model = (content: string): Message => ({ role: 'assistant', content });
const words = (count: number, at: number): string =>
  Array.from({ length: count }, (_, n) => `src/part${(at * 31 + n * 7) % 97}.ts`).join(' ');

/** A store with a session of 12 turns or more, two compressions and a frame. */
async function storeOf(turns = 12): Promise<string> {
  const path = join(await folder(), 'store');
  await using store = await openStore(path);
  const session = await store.open('notes', { window: 1_950, reserve: 0, title: 'Notes' });
  for (let turn = 1; turn <= turns; turn += 1) {
    await session.append(person(`Do part ${turn}`));
    await session.append(model(`Did ${words(30, turn)}`));
  }
  await session.push({ title: 'Parser' });
  await session.append(model('Wrote the parser'));
  return path;
}

/** What the commands here print as JSON. */
interface Printed {
  readonly state: { readonly turn: number; readonly entries: number };
  readonly assembly: { readonly messages: readonly object[] };
  readonly seen: string;
  readonly frames: { readonly children: readonly object[] };
  readonly snapshot: { readonly id: string; readonly title: string };
  readonly snapshots: readonly {
    readonly id: string;
    readonly by: string;
    readonly entries: number;
  }[];
  readonly sections: readonly { readonly section: string }[];
  readonly entry: { readonly id: string; readonly frame: string };
  readonly place: { readonly place: string };
}

const json = async (line: string): Promise<Printed> => {
  const { out, err } = await flamestack(`${line} --json`);
  expect(err).toBe('');
  return JSON.parse(out) as Printed;
};

test('what a person types names a turn, a call, an entry, a snapshot, a record or a time', () => {
  expect(['40', '40.2', 'e52', 's3', 'seq:120', '2026-01-31'].map(parseMoment)).toEqual([
    { turn: 40 },
    { turn: 40, call: 2 },
    { entry: 'e52' },
    { snapshot: 's3' },
    { seq: 120 },
    { time: Date.parse('2026-01-31') },
  ]);
  expect(() => parseMoment('soon')).toThrow(/A moment is/);
});

test('show --at shows what the model saw then', async () => {
  const store = await storeOf();
  const { state, assembly, seen } = await json(`show --at 3 --store ${store}`);
  expect([state.turn, state.entries, seen]).toEqual([3, 5, 'derived']);
  expect(assembly.messages).toHaveLength(5);
  const { exit, out } = await flamestack(`show --at 3 --store ${store}`);
  expect([exit, out]).toEqual([0, expect.stringContaining('What the model saw then')]);
  expect((await flamestack(`show --at 99 --store ${store}`)).exit).toBe(3);
});

test('undo and redo go a step back and again, in the store', async () => {
  const store = await storeOf();
  const undone = await flamestack(`undo --yes --store ${store}`);
  expect(undone).toMatchObject({
    exit: 0,
    out: `Took back the push of f1 "Parser". 1 entry of that branch stays in the log, behind a breadcrumb (e25).
Now in f0 "Notes".
Next undo: the compression of e2 to e12 in f0 "Notes" (checkpoint c1)
Next redo: the push of f1 "Parser"
`,
  });
  expect((await json(`frames --store ${store}`)).frames.children).toEqual([]);
  expect(await flamestack(`redo --store ${store}`)).toMatchObject({
    exit: 0,
    out: expect.stringMatching(
      /^Took the push of f1 "Parser" again\.\nNow in f1 "Parser"\.\nNext undo: the push of f1 "Parser"\nNothing to redo\.\n$/,
    ),
  });
  expect((await json(`frames --store ${store}`)).frames.children).toHaveLength(1);
  expect((await json(`frames --at 11 --store ${store}`)).frames.children).toEqual([]);
  const { exit, err } = await flamestack(`redo --store ${store}`);
  expect([exit, err.replace(/\s+/g, ' ')]).toEqual([
    3,
    `flamestack: There is no step to take again: none was taken back, or another was decided since Take one back first: flamestack undo notes --store ${store} An older state: flamestack snapshot ls --session notes --store ${store} `,
  ]);
});

test('snapshots are made, listed, shown, restored and removed', async () => {
  const store = await storeOf();
  const { snapshot } = await json(`snapshot create now --store ${store}`);
  expect(snapshot.title).toBe('now');
  const { snapshots } = await json(`snapshot ls --store ${store}`);
  expect(snapshots.at(-1)).toEqual(snapshot);
  expect(snapshots[0]!.by).toBe('threshold');
  const listed = (await flamestack(`snapshot ls --store ${store}`)).out.split('\n');
  expect(listed[0]).toMatch(/^id +made +turn +tokens +said since +why$/);
  expect(listed[1]).toMatch(/ 0 +now$/);
  expect(listed[2]).toMatch(
    /^\d+ more were made automatically \(s1 to s\d+\); --all lists them\.$/,
  );
  const all = (await flamestack(`snapshot ls --all --store ${store}`)).out;
  expect(all).toMatch(/^s1 .* as the window filled$/m);
  const { state } = await json(`snapshot show s1 --store ${store}`);
  expect(state.entries).toBe(snapshots[0]!.entries);
  expect((await flamestack(`snapshot restore ${snapshot.id} --store ${store}`)).out).toContain(
    `As it was at ${snapshot.id}`,
  );
  expect((await flamestack(`snapshot rm ${snapshot.id} --store ${store}`)).exit).toBe(0);
  expect((await flamestack(`snapshot rm ${snapshot.id} --store ${store}`)).exit).toBe(3);
});

test('a snapshot is restored without what came after, or with it, compressed where it no longer fits', async () => {
  const store = await storeOf(16);
  const without = await flamestack(`snapshot restore s1 --store ${store}`);
  expect(without.out).toMatch(
    /^As it was at s1 \(as the window filled, turn \d+\)\. \d+ entries of that branch stay in the log, behind a breadcrumb \(e\d+–e\d+\)\.\nNow in f0 "Notes"\.\n/,
  );
  const left = /\((e\d+–e\d+)\)\./.exec(without.out)![1]!;
  expect((await flamestack(`expand ${left} --limit 1 --store ${store}`)).exit).toBe(0);
  await flamestack(`undo --yes --store ${store}`);
  expect((await flamestack(`snapshot restore s1 --keep --store ${store}`)).out).toMatch(
    /^As it was at s1 \(as the window filled, turn \d+\), .* What no longer fits was compressed\.\nNow in f0 "Notes"\.\nNext undo: the restore of s1\nNothing to redo\.\n$/,
  );
  const { out } = await flamestack(`undo --yes --store ${store}`);
  expect(out).toMatch(/^Took back the restore of s1\.\nNow in f1 "Parser"\.\n/);
});

test('undo --list shows the steps that could be taken back, the newest first, and takes none', async () => {
  const store = await storeOf();
  const list = async (line: string) => flamestack(`${line} --list --store ${store}`);
  const listed = await list('undo');
  expect(listed.exit).toBe(0);
  expect(listed.out.split('\n').map((line) => line.trim().split(/ {2,}/)[1])).toEqual([
    'turn',
    'the push of f1 "Parser"',
    'the compression of e2 to e12 in f0 "Notes" (checkpoint c1)',
    undefined,
  ]);
  expect(await list('redo')).toMatchObject({ exit: 3, out: '', err: 'Nothing to redo.\n' });
  await flamestack(`undo --yes --store ${store}`);
  const { out } = await list('redo --json');
  expect(JSON.parse(out)).toMatchObject({
    schema: 'flamestack.steps/1',
    undo: [{ what: 'compression', frame: 'f0', checkpoint: 'c1', from: 'e2', to: 'e12' }],
    redo: [{ what: 'push', frame: 'f1', title: 'Parser' }],
  });
  const redone = JSON.parse((await flamestack(`redo --json --store ${store}`)).out) as object;
  expect(redone).toMatchObject({
    what: 'push',
    step: { what: 'push', frame: 'f1', title: 'Parser' },
    active: 'f1',
    next: { undo: { what: 'push', frame: 'f1' }, redo: null },
  });
});

test('an undo that cannot fit says what goes further back', async () => {
  const store = await storeOf(16);
  let last = await flamestack(`undo --yes --store ${store}`);
  for (let n = 0; n < 5 && last.exit === 0; n += 1)
    last = await flamestack(`undo --yes --store ${store}`);
  expect([last.exit, last.err]).toEqual([1, expect.stringContaining('flamestack snapshot ls')]);
});

test('a moment that there is not is named in our own words', async () => {
  const store = await storeOf();
  const { err } = await flamestack(`show --at s99 --store ${store}`);
  expect(err).toBe(
    `flamestack: There is no snapshot "s99" in session "notes"\n  \`flamestack snapshot ls --all --session notes --store ${store}\` lists them.\n`,
  );
  const advised = async (line: string) => (await flamestack(`${line} --store ${store}`)).err;
  expect(await advised('show --at 99')).toContain(`\`flamestack ls --store ${store}\` counts`);
  expect(await advised('log --frame f99')).toContain(
    `\`flamestack frames notes --store ${store}\` lists`,
  );
  const soon = await flamestack(`diff soon --store ${store}`);
  expect([soon.exit, soon.err]).toEqual([
    2,
    expect.stringContaining('<before> cannot be "soon". A moment is 40 (a turn)'),
  ]);
});

test('diff names sections, entries and names that are gone', async () => {
  const store = await storeOf();
  const found = await json(`diff 3 e24 --store ${store}`);
  expect(found.sections.map(({ section }) => section)).toContain('checkpoints');
  const { out } = await flamestack(`diff 3 4 --store ${store}`);
  expect(out).toMatch(/came in {2}e6–e7\n {2}left {5}none/);
});

test('log lists what was said, then or now, and where it is', async () => {
  const store = await storeOf();
  const { out } = await flamestack(`log --store ${store}`);
  expect(out.trimEnd().split('\n')).toHaveLength(26);
  expect(out).toMatch(/^e1 .*Do part 1$/m);
  const then = await flamestack(`log --at e4 --store ${store}`);
  expect(then.out.trimEnd().split('\n')).toHaveLength(5);
  const last = await json(`log --reverse --limit 1 --store ${store}`);
  expect(last).toMatchObject({ entry: { id: 'e25', frame: 'f1' }, place: { place: 'verbatim' } });
});

test('what is exported as lines is taken in again, word for word', async () => {
  const store = await storeOf();
  const { out } = await flamestack(`export --store ${store}`);
  const other = join(await folder(), 'store');
  const path = await file('notes.jsonl', out);
  expect((await flamestack(`import ${path} --store ${other}`)).exit).toBe(0);
  expect((await flamestack(`export --store ${other}`)).out).toBe(out);
  const text = await flamestack(`export --as md --store ${store}`);
  expect(text.out).toMatch(/^# Notes\n[^]*\n### e1 · person · turn 1 · f0 · /);
});
