import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import {
  demoStore,
  file,
  flamestack,
  folder,
  plainLines,
  scriptFile,
  unprintable,
} from '../call.ts';
import { stage } from '../chat-stage.ts';

interface Found {
  readonly schema: string;
  readonly session: string | null;
  readonly hits: readonly {
    readonly entry: string;
    readonly role: string;
    readonly frame: string;
    readonly text: string;
    readonly tokens: number;
    readonly session?: string;
    readonly copies: readonly { readonly session: string; readonly entry: string }[];
  }[];
  readonly sessions: readonly { readonly id: string }[];
}

const json = async (line: string): Promise<Found> =>
  JSON.parse((await flamestack(`${line} --json`)).out) as Found;

test('search finds what left the window long ago, and says how to read all of it', async () => {
  const store = await demoStore();
  const { exit, out, err } = await flamestack(`search rename part-3.ts --store ${store}`);
  expect(exit).toBe(0);
  expect(out).toMatch(
    /^── Tidy the parts {2}.+ · demo\ne9 {2}user · .+\n {2}Please look at part 3\. Never rename src\/part-3\.ts\.\n/,
  );
  expect(err).toContain(`Whole: flamestack show --entry e9 --store ${store}`);
  expect(out).not.toMatch(unprintable);
  const terminal = await flamestack(`search rename part-3.ts --store ${store}`, { isTTY: true });
  const lines = plainLines(terminal.out).map((line) => line.length);
  expect(Math.max(...lines)).toBeLessThanOrEqual(80);
});

test('what a copy of a session has, too, is found once, with the sessions that have it', async () => {
  const store = await demoStore();
  const copy = await file('copy.jsonl', (await flamestack(`export --store ${store}`)).out);
  for (const id of ['fork', 'other'])
    await flamestack(`import ${copy} --id ${id} --store ${store}`);
  const found = await json(`search limit3 limit5 --limit 2 --store ${store}`);
  const places = found.hits.map(({ entry }) => entry);
  expect(places).toHaveLength(2);
  expect(new Set(places).size).toBe(2);
  const [hit] = found.hits;
  const others = ['demo', 'fork', 'other'].filter((id) => id !== hit!.session);
  expect(hit!.copies).toEqual(others.map((session) => ({ session, entry: hit!.entry })));
  const { out, err } = await flamestack(`search limit3 limit5 --limit 2 --store ${store}`);
  expect(out.split('\n')[1]).toMatch(/^e\d+ {2}\w+ · .+ · also in (\w+), (\w+)$/);
  expect(err).toContain('The best 2 hits in all 3 sessions');
});

test('in a pipe a hit is whole, and a line of the log has the beginning of it; COLUMNS cuts them', async () => {
  const store = await demoStore();
  const { hits } = await json(`search limit3 --limit 1 --store ${store}`);
  const { entry, text } = hits[0]!;
  expect(text.length).toBeGreaterThan(200);
  const found = `search limit3 --limit 1 --store ${store}`;
  expect((await flamestack(found)).out).toContain(`  ${text}\n`);
  const logged = async (env = {}) => {
    const { out } = await flamestack(`log --store ${store}`, { env });
    return out.split('\n').find((line) => line.startsWith(`${entry} `))!;
  };
  expect((await logged()).endsWith(` ${text.slice(0, 199)}…`)).toBe(true);
  expect((await logged({ COLUMNS: '60' })).length).toBe(60);
});

test('a search that finds nothing says why: the budget, or words that stand everywhere', async () => {
  const store = await demoStore();
  const small = await flamestack(`search limit14 --tokens 1 --store ${store}`);
  expect([small.exit, small.out]).toEqual([3, '']);
  expect(small.err).toMatch(
    /^e\d+ answers best, but 1 token has no room for any of it: --tokens\nWhole: flamestack show --entry e/,
  );
  const empty = await flamestack(`search the of --store ${store}`);
  expect(empty).toMatchObject({ exit: 3, err: expect.stringMatching(/^Nothing to look for: /) });
  const neither = await flamestack(`search unheard --tokens 1 --store ${store}`);
  expect(neither.err).toBe('Nothing found in "Tidy the parts".\nFound nowhere: unheard\n');
});

test('words between quotes are found as they stand, and by themselves where nothing says them so', async () => {
  const store = await demoStore();
  const { hits } = await json(`search "Never rename src/part-3.ts" --store ${store}`);
  expect(hits.map(({ entry }) => entry)).toEqual(['e9']);
  const none = await flamestack(`search "rename never" --turns 1-9 --store ${store}`);
  expect(none).toMatchObject({ exit: 3, out: '' });
  expect(none.err).toBe(
    `Nothing found in "Tidy the parts".\nNowhere word for word: "rename never"\nThe words by themselves are found: flamestack search rename never --turns 1-9 --store ${store}\n`,
  );
  const unheard = await flamestack(`search "unheard of" --store ${store}`);
  expect(unheard.err).toBe('Nothing found in "Tidy the parts".\nFound nowhere: unheard\n');
});

test('search says which words it found nowhere, what is near them, and which names only by their parts', async () => {
  const store = await demoStore();
  await flamestack(`import ${await scriptFile()} --id other --window 4k --store ${store}`);
  const said = async (line: string): Promise<readonly string[]> =>
    (await flamestack(`search ${line} --limit 1 --store ${store}`)).err.split('\n');
  expect(await said('raeding part')).toContain('Found nowhere: raeding; near: Reading');
  expect(await said('careless prat-3.ts')).toContain(
    'Found nowhere: careless; only in parts: prat-3.ts (ts); near: part-3.ts',
  );
  expect(await said('tidy_reading')).toContain('Only in parts: tidy_reading (tidy, reading)');
  expect(await said('rename --role tool')).toContain('Nothing found in all 2 sessions.');
  expect((await said('rename --role tool')).join('\n')).not.toContain('ound nowhere');
  expect((await said('limit14 part')).join('\n')).not.toContain('ound nowhere');
  const told = await flamestack(`search limit_nine raeding --session demo --json --store ${store}`);
  expect(JSON.parse(told.out)).toMatchObject({
    missing: [
      { word: 'limit_nine', parts: [], near: [] },
      { word: 'raeding', parts: [], near: ['Reading'] },
    ],
  });
});

test('search narrows by role, tool, frame, turns and time', async () => {
  const store = await demoStore();
  const line = `search part-6.ts --store ${store}`;
  const all = await json(`${line} --limit 60`);
  expect(all).toMatchObject({ schema: 'flamestack.search/1', session: 'demo' });
  const people = await json(`${line} --role person --turns 6`);
  expect(people.hits.map(({ role }) => role)).toEqual(['user']);
  const read = await json(`${line} --tool read --limit 60`);
  expect(new Set(read.hits.map(({ role }) => role))).toEqual(new Set(['assistant', 'tool']));
  const { frame } = people.hits[0]!;
  const inside = await json(`${line} --frame ${frame} --limit 60`);
  expect(inside.hits.every((hit) => hit.frame === frame)).toBe(true);
  expect(inside.hits.length).toBeLessThan(all.hits.length);
  expect((await json(`${line} --until 1999-12-31`)).hits).toEqual([]);
  const reversed = await flamestack(`${line} --turns 9-3`);
  expect([reversed.exit, reversed.err]).toEqual([2, expect.stringContaining('3-9')]);
  const few = await json(`${line} --tokens 100`);
  expect(few.hits.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(100);
});

test('search looks through all sessions, and shows its hits by session, the one with the best hit first', async () => {
  const store = await demoStore();
  await flamestack(`import ${await scriptFile()} --id other --window 4k --store ${store}`);
  const { hits, session } = await json(`search limit14 --store ${store}`);
  expect(session).toBe(null);
  expect(new Set(hits.map((hit) => hit.session))).toEqual(new Set(['demo', 'other']));
  const { out, err } = await flamestack(`search limit14 --store ${store}`);
  const heads = plainLines(out).filter((line) => line.startsWith('── '));
  expect(heads).toEqual([
    '── Tidy the parts  ~now · other',
    expect.stringMatching(/^── Tidy the parts {2}.+ · demo$/),
  ]);
  const first = hits.find((hit) => hit.session === 'other')!;
  expect(err).toContain(`Whole: flamestack show other --entry ${first.entry} `);
  expect(err).toMatch(/\d+ hits in all 2 sessions[.;]/);
});

test('search of all sessions narrows by role, tool, time and project, of one by its turns', async () => {
  const store = await demoStore();
  await flamestack(`import ${await scriptFile()} --id other --window 4k --store ${store}`);
  const line = `search part-6.ts --limit 60 --store ${store}`;
  const people = await json(`${line} --role person`);
  expect(new Set(people.hits.map((hit) => hit.session))).toEqual(new Set(['demo', 'other']));
  expect(new Set(people.hits.map(({ role }) => role))).toEqual(new Set(['user']));
  expect((await json(`${line} --until 1999-12-31`)).hits).toEqual([]);
  expect(await json(`${line} --turns 6`)).toMatchObject({ session: 'other' });
  expect(await json(`${line} --session demo`)).toMatchObject({ session: 'demo' });
  const none = await flamestack(`${line} --project shop`);
  expect([none.exit, none.err]).toEqual([
    3,
    `No session of "shop" is in the store, which has 2 sessions: flamestack ls --store ${store}\n`,
  ]);
});

/** A session with as many notes on a word as are told. */
const notesOn = (id: string, word: string, count: number): Promise<string> =>
  file(
    `${id}.jsonl`,
    [
      { type: 'flamestack', version: 1, id, title: `Notes of ${id}` },
      ...Array.from({ length: count }, (_, n) => ({
        type: 'append',
        message: { role: 'user', content: `Note ${n}: the ${word} fails at place ${n}x${n}.` },
      })),
    ]
      .map((record) => JSON.stringify(record))
      .join('\n'),
  );

test('hits of one session leave room for those of others, and are counted', async () => {
  const store = await folder();
  for (const [id, count] of [
    ['many', 80],
    ['few', 2],
    ['other', 1],
  ] as const)
    await flamestack(`import ${await notesOn(id, 'parrot', count)} --store ${store}`);
  const { hits } = await json(`search parrot --store ${store}`);
  const of = (id: string): number => hits.filter(({ session }) => session === id).length;
  expect([hits.length, of('few'), of('other'), of('many')]).toEqual([10, 2, 1, 7]);
  const { out, err } = await flamestack(`search parrot --store ${store}`);
  expect(err).toContain(
    '10 of the hits in all 3 sessions, the best few of each; more with --limit 20',
  );
  expect(out).toMatch(
    /… at least \d+ more hits in this session: flamestack search parrot --session many/,
  );
  const again = /search parrot --session many --role user --limit (\d+)$/m;
  const some = await flamestack(`search parrot --role user --store ${store}`);
  const [command, limit] = again.exec(some.out.replace(/ --store \S+/, ''))!;
  expect(await json(`${command} --store ${store}`)).toMatchObject({
    hits: { length: Number(limit) },
  });
  const all = await json(`search parrot --limit 90 --store ${store}`);
  expect(all.hits).toHaveLength(83);
  const narrow = await flamestack(`search parrot --store ${store}`, { isTTY: true, columns: 60 });
  // A command that has no room on a line is parted between words.
  const lines = plainLines(narrow.out).map((line) => line.trimEnd());
  const at = lines.indexOf('  flamestack search parrot --session many --limit 50 --store');
  expect(lines[at + 1]).toBe(`    ${store}`);
  const alone = await flamestack(`search parrot --session many --store ${store}`);
  expect(alone.err).toContain('The best 10 hits in "');
});

test('a name comes first in the session that has it, in JSON as in the text, whatever session is the latest', async () => {
  const store = await folder();
  await flamestack(`import ${await notesOn('whole', 'parrotCageDelay', 2)} --store ${store}`);
  await flamestack(`import ${await notesOn('part', 'cage', 4)} --store ${store}`);
  for (const words of ['parrotCageDelay', 'parrotCageDelay place']) {
    const { hits, sessions } = await json(`search ${words} --store ${store}`);
    const order = [...new Set(hits.map(({ session }) => session))];
    expect([order, sessions.map(({ id }) => id)]).toEqual([
      ['whole', 'part'],
      ['whole', 'part'],
    ]);
    const { out } = await flamestack(`search ${words} --store ${store}`);
    const shown = plainLines(out).flatMap((line) => /^e\d+(?=  )/.exec(line)?.[0] ?? []);
    expect(shown).toEqual(hits.map(({ entry }) => entry));
  }
});

test('of as many sessions with many hits each shows three, and then its best', async () => {
  const store = await folder();
  for (const id of ['one', 'two', 'three'])
    await flamestack(`import ${await notesOn(id, 'parrot', 8)} --store ${store}`);
  const { hits } = await json(`search parrot --store ${store}`);
  const counts = ['one', 'two', 'three'].map(
    (id) => hits.filter(({ session }) => session === id).length,
  );
  expect(counts.toSorted((a, b) => a - b)).toEqual([3, 3, 4]);
});

test('how to read a hit whole names its session, unless that is the latest', async () => {
  const store = await folder();
  {
    await using opened = await openStore(store);
    for (const id of ['old', 'new']) {
      const session = await opened.open(id, { window: 4_096, folder: `/work/${id}` });
      await session.append({ role: 'user', content: 'The parrot is gone.' });
      await session.close();
    }
  }
  const old = await flamestack(`search parrot --project old --store ${store}`);
  expect(old.err).toMatch(/Whole: flamestack show old --entry e1/);
  const latest = await flamestack(`search parrot --project new --store ${store}`);
  expect(latest.err).toMatch(/Whole: flamestack show --entry e1/);
});

test('trace says where all words are too common to be searched for', async () => {
  const { exit, err } = await flamestack(`trace yes, do that --store ${await demoStore()}`);
  expect([exit, err]).toEqual([
    3,
    'These words are too common to search for; name more of what was said.\n',
  ]);
});

test.each([
  ['3', 'e3'],
  ['2-4', 'e2-e4'],
  ['2 - 4', 'e2-e4'],
  ['2–4', 'e2-e4'],
  ['2..4', 'e2-e4'],
  ['2 4', 'e2 e4'],
  ['2,4', 'e2 e4'],
])('expand %s opens what %s does, as show has a number of an entry', async (number, ref) => {
  const store = await demoStore();
  const opened = await flamestack(`expand ${number} --store ${store}`);
  expect(opened).toEqual(await flamestack(`expand ${ref} --store ${store}`));
  expect(opened.exit).toBe(0);
});

test.each(['3x', '03', '3.5'])('expand of %s is no entry', async (said) => {
  const { exit, err } = await flamestack(`expand ${said} --store ${await demoStore()}`);
  expect([exit, err]).toEqual([2, expect.stringContaining(`"${said}" leads nowhere`)]);
});

test('trace of an entry says how to read it, for it is no sentence', async () => {
  const { exit, err } = await flamestack(`trace e4 --session demo --store ${await demoStore()}`);
  expect([exit, err]).toEqual([
    3,
    expect.stringMatching(/^e4 is an entry: flamestack show demo --entry e4 --store \S+\n$/),
  ]);
});

test('trace of a checkpoint without lines says how to open its entries', async () => {
  const store = await demoStore();
  const { out } = await flamestack(`show demo --section checkpoints --store ${store}`);
  const [, merged] = /id="(c\d+)" age="merged".*\/>/.exec(out)!;
  const { exit, err } = await flamestack(`trace ${merged} --session demo --store ${store}`);
  expect([exit, err]).toEqual([
    3,
    `No line of ${merged} leads to an entry (a merged checkpoint has none); all it stands for: flamestack expand ${merged} --session demo --store ${store}\n`,
  ]);
});

test.each([
  ['search', 'Nothing found in "Tidy the parts".'],
  ['trace', 'No entry of the log says any of that.'],
  ['breadcrumbs', ''],
])('%s says how a session is named where its name was taken for a word', async (command, said) => {
  const { exit, err } = await flamestack(`${command} @7 unheard --store ${await demoStore()}`);
  expect(exit).toBe(3);
  expect(err).toContain(said);
  expect(err).toMatch(/\n@7 was taken for a word; a session: --session @7\n$/);
});

test('search says so of a place in the list that is all it was given', async () => {
  const store = await demoStore();
  const { exit, err } = await flamestack(`search @2 --store ${store}`);
  expect(exit).toBe(3);
  expect(err).toMatch(
    /^Nothing to look for: .*\n@2 was taken for a word; a session: --session @2\n$/,
  );
  expect((await flamestack(`search the of --store ${store}`)).err).not.toContain('for a word');
});

test.each([
  ['breadcrumbs demo', 'demo'],
  ['trace demo', 'demo'],
  ['search DEMO', 'DEMO'],
  ['breadcrumbs dem', null],
  ['breadcrumbs demo nowhere-at-all', null],
  ['trace demonstration', null],
])('%s says so of an id that is the only word', async (command, said) => {
  const { err, exit } = await flamestack(`${command} --store ${await demoStore()}`);
  expect(exit).toBe(3);
  const hint = `${said} was taken for a word; a session: --session ${said}\n`;
  if (said === null) expect(err).not.toContain('was taken for a word');
  else expect(err).toContain(hint);
});

test('what nobody said is not found, and the exit code says so', async () => {
  const store = await demoStore();
  const { exit, out, err } = await flamestack(`search unheard --store ${store}`);
  expect([exit, out, err]).toEqual([
    3,
    '',
    'Nothing found in "Tidy the parts".\nFound nowhere: unheard\n',
  ]);
  const gone = await flamestack(`expand c999 --store ${store}`);
  expect([gone.exit, gone.err]).toEqual([3, expect.stringContaining('no checkpoint "c999"')]);
});

test('expand prints what a range, a frame, a checkpoint and a marker lead to, whole', async () => {
  const store = await demoStore();
  const ids = async (ref: string) => {
    const { out } = await flamestack(`expand ${ref} --store ${store} --json`);
    const { entries } = JSON.parse(out) as { entries: { id: string; frame: string }[] };
    return entries.map(({ id }) => id);
  };
  expect(await ids('e2-e4')).toEqual(['e2', 'e3', 'e4']);
  expect(await ids('[cleared: 900 tokens, e3]')).toEqual(['e3']);
  expect(await ids('f1 --limit 2')).toHaveLength(2);
  await using opened = await openStore(store);
  const session = await opened.open('demo');
  const [checkpoint] = session.state.checkpoints;
  await opened.close();
  expect((await ids(checkpoint!.id)).length).toBeGreaterThan(0);
  expect((await flamestack(`expand e2-e3 --store ${store}`)).err).toContain('2 entries\n');
  const { err } = await flamestack(`expand e2-e99999 --store ${store}`);
  expect(err).toMatch(/^\d+ entries; the log ends with e\d+\n$/);
  const { out } = await flamestack(`expand e2-e3 --store ${store}`);
  expect(out).toMatch(/── entry e2 [^]*Reading part 1\.[^]*── entry e3 /);
});

test('trace leads from a sentence of a summary to what it was made of', async () => {
  const store = await demoStore();
  const { hits } = await json(`trace Part 2 sets limit2 to 200. --store ${store}`);
  expect(hits[0]).toMatchObject({ entry: 'e8', role: 'assistant' });
  const { exit } = await flamestack(`trace unheard --store ${store}`);
  expect(exit).toBe(3);
});

test('a hit in a call is told in words, over all sessions and in one, and as it came to a program', async () => {
  const store = join(await folder(), 'store');
  {
    await using opened = await openStore(store);
    const session = await opened.open('a', { window: 8_192 });
    const given = { path: 'limits.ts', content: 'first\nsay "needle"\nlast' };
    await session.append([
      { role: 'user', content: 'Set the limits.' },
      { role: 'assistant', content: '', toolCalls: [{ name: 'write', arguments: given }] },
    ]);
  }
  const words =
    'e2  assistant · now\n  write limits.ts\n    content:\n      first\n      say "needle"\n';
  for (const how of ['', '--session a', '--tokens 500'])
    expect((await flamestack(`search needle ${how} --store ${store}`)).out).toContain(words);
  const { hits } = await json(`search needle --store ${store}`);
  expect(hits[0]!.text).toContain(String.raw`first\nsay \"needle\"`);
});

test('a person in a chat finds what was said, and reads entries by id', async () => {
  const { pipe, server } = await stage();
  await pipe('a', 'The needle lies in the hay\n');
  const { out, err } = await pipe(
    'a',
    '/recall needle\n/recall e99\n/recall c7\n/recall e1\n/recall unheard\n/recall\n',
  );
  expect(err).toContain('There is no entry "e99"');
  expect(err).toContain('There is no checkpoint "c7"');
  expect(out).toMatch(/^e1 {2}user · [^]*The needle lies in the hay\n[^]*── entry e1 /m);
  expect(err).toContain('Nothing found.');
  expect(err).toContain('It takes more: /recall refresh token');
  expect(server.log.filter(({ path }) => path === '/api/chat')).toHaveLength(1);
});
