import { utimes } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { file, flamestack, folder, plainLines } from '../call.ts';

interface Given {
  readonly id: string;
  readonly folder?: string;
  readonly branch?: string;
  readonly agent?: string;
  readonly parent?: string;
}

/** A store of sessions: what is known of each, when it was said, and what was asked. */
async function storeOf(...sessions: readonly (readonly [Given, number, string])[]) {
  const store = await folder();
  for (const [given, at, content] of sessions) {
    const lines = [
      { type: 'flamestack', version: 1, window: 8_000, ...given },
      { type: 'append', message: { role: 'user', content }, at },
    ];
    const path = await file('s.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    await flamestack(`import ${path} --store ${store}`);
  }
  return store;
}

const day = (text: string): number => new Date(`${text}T12:00:00`).getTime();

const uuid = '0190aaaa-0000-7000-8000-00000000000';

const shop = () =>
  storeOf(
    [
      { id: `${uuid}1`, folder: '/home/ada/shop', branch: 'main', agent: 'claude-code' },
      day('2026-02-01'),
      'Fix the login form',
    ],
    [{ id: 'notes', folder: '/home/ada/notes', agent: 'codex' }, day('2026-03-01'), 'Sort notes'],
    [{ id: `${uuid}2`, parent: `${uuid}1`, agent: 'claude-code' }, day('2026-02-02'), 'Read forms'],
  );

test('a list says what was asked, where, and when it was said, with sub-agents under theirs', async () => {
  const store = await shop();
  const { out } = await flamestack(`ls --no-color --store ${store}`, { isTTY: true, columns: 140 });
  expect(out.split('\n').map((line) => line.trimEnd())).toEqual([
    '    session             project  branch  agent         last said  turns  tokens  prompt  window  id',
    '@1  Sort notes          notes            codex        2026-03-01      1       6       6   8,000  notes',
    '@2  Fix the login form  shop     main    claude-code  2026-02-01      1       8       8   8,000  0190aaaa-0000-7000-8000-000000000001',
    '@3  └─ Read forms                        claude-code  2026-02-02      1       6       6   8,000  0190aaaa-0000-7000-8000-000000000002',
    '',
  ]);
});

test('a folder of Windows is told by its last name, too', async () => {
  const store = await storeOf([
    { id: 'shop', folder: String.raw`C:\Users\ada\Desktop\dev\shop` },
    day('2026-02-01'),
    'Fix the login form',
  ]);
  const { out } = await flamestack(`ls --store ${store}`, { isTTY: true, columns: 120 });
  expect(plainLines(out)[1]).toMatch(/ form {2}shop {5}2026/);
});

test.each([
  [40, ['', 'session', 'last said', 'id']],
  [60, ['', 'session', 'last said', 'turns', 'id']],
  [80, ['', 'session', 'project', 'last said', 'turns', 'tokens', 'id']],
  [100, ['', 'session', 'project', 'branch', 'agent', 'last said', 'turns', 'tokens', 'id']],
])('in %i columns no line is longer, and what tells least is left out', async (columns, heads) => {
  const store = await storeOf(
    [
      { id: 'shop-1', folder: '/home/ada/shop', branch: 'main', agent: 'claude-code' },
      day('2026-02-01'),
      'Fix the login form, and whatever else is wrong with how people come in',
    ],
    [{ id: 'shop-2' }, day('2026-02-01'), 'Hi'],
  );
  const { out } = await flamestack(`ls --no-color --store ${store}`, { isTTY: true, columns });
  const lines = out.trimEnd().split('\n');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
  expect(lines[0]!.split(/ {2,}/)).toEqual(heads);
});

test.each([
  ['', ['notes', `${uuid}1`, `${uuid}2`]],
  ['--project /home/ada/shop', [`${uuid}1`]],
  ['--project ada', ['notes', `${uuid}1`]],
  ['--project /home/ada', ['notes', `${uuid}1`]],
  ['--project /home/ad', []],
  ['--agent CLAUDE', [`${uuid}1`, `${uuid}2`]],
  ['--since 2026-02-02', ['notes', `${uuid}2`]],
  ['login FORM', [`${uuid}1`]],
  ['form', [`${uuid}1`, `${uuid}2`]],
  ['--limit 1', ['notes']],
])('ls %s', async (options, ids) => {
  const store = await shop();
  const { out, exit } = await flamestack(`ls ${options} --json --store ${store}`);
  const { sessions } = JSON.parse(out) as { sessions: readonly { readonly id: string }[] };
  expect(sessions.map(({ id }) => id)).toEqual(ids);
  expect(exit).toBe(ids.length === 0 ? 3 : 0);
});

test('the number of a session in the list is that by which commands take it', async () => {
  const store = await shop();
  for (const [name, id] of [
    ['@2', `${uuid}1`],
    ['@3', `${uuid}2`],
  ]) {
    const { out } = await flamestack(`show ${name} --json --store ${store}`);
    expect(JSON.parse(out)).toMatchObject({ id });
  }
});

test('the branch is shown from 100 columns on, a long one cut', async () => {
  const store = await storeOf([
    { id: `${uuid}1`, folder: '/home/ada/shop', branch: `fix/${'x'.repeat(40)}`, agent: 'codex' },
    day('2026-02-01'),
    'Fix the login form, and what else is broken there since the last release',
  ]);
  const wide = await flamestack(`ls --store ${store}`, { isTTY: true, columns: 100 });
  expect(wide.out).toMatch(/ branch /);
  expect(wide.out).toMatch(/ fix\/x{7}… /);
  const whole = await flamestack(`ls --store ${store}`, { isTTY: true, columns: 140 });
  expect(whole.out).toMatch(/ prompt [^]* fix\/x{15}… /);
  const lines = plainLines(wide.out).map((line) => line.trimEnd().length);
  expect(Math.max(...lines)).toBeLessThanOrEqual(100);
  expect((await flamestack(`ls --store ${store}`, { isTTY: true })).out).not.toContain(' branch ');
});

test('a time that is that of the file is marked, and said to be', async () => {
  const store = await folder();
  const messages = ['Go.', 'Build the parser.', 'Done?'].map((content) => ({
    role: 'user',
    content,
  }));
  const path = await file('undated.json', JSON.stringify(messages));
  await utimes(path, new Date(day('2026-02-01')), new Date(day('2026-02-01')));
  await flamestack(`import ${path} --store ${store}`);
  const { out, err } = await flamestack(`ls --store ${store}`, { isTTY: true });
  expect(out).toContain(' ~2026-02-01 ');
  const found = await flamestack(`search parser --store ${store}`, { isTTY: true });
  expect(found.out).toContain('~2026-02-01');
  expect(found.out).toContain('user · ~2026-02-01');
  expect(found.err).toContain('~ its messages have no dates');
  expect(err).toContain('~ its messages have no dates of their own; that is the date of the file.');
  const dated = await flamestack(`ls --store ${await shop()}`, { isTTY: true });
  expect(dated.out + dated.err).not.toContain('~');
});

test('a list that leaves sessions out says so, with the numbers by which commands take them', async () => {
  const store = await shop();
  const { out, err } = await flamestack(`ls login --store ${store}`);
  expect(out).toContain(`@2  Fix the login form  shop     main    claude-code`);
  expect(err).toBe('1 of 3 sessions.\n');
  // Of an id only its beginning is a word.
  expect((await flamestack(`ls 0190 --store ${store}`)).err).toBe('2 of 3 sessions.\n');
  expect((await flamestack(`ls 7000 --store ${store}`)).exit).toBe(3);
  const first = await flamestack(`ls form --limit 1 --store ${store}`);
  expect(first.err).toBe('1 of 2 sessions; more with --limit.\n');
  const none = await flamestack(`ls logout --store ${store}`);
  expect([none.out, none.err]).toEqual(['', 'None of 3 sessions matches.\n']);
  const stranger = await flamestack(`ls --agent aider --store ${store}`);
  expect(stranger.err).toMatch(/^None of 3 sessions matches\.\nTheir agents: .*claude-code/);
});

test('a link in a title is told by its text', async () => {
  const text = 'See [the guide](https://example.org/a/guide?x=1)';
  const store = await storeOf([{ id: 'notes' }, day('2026-02-01'), `${text} first`]);
  const { out } = await flamestack(`ls --store ${store}`);
  expect(out).toContain('See the guide first  ');
  expect((await flamestack(`show --store ${store}`)).out).toMatch(/^── See the guide first/);
  expect((await flamestack(`search first --store ${store}`)).out).toMatch(
    /^── See the guide first/,
  );
  const picture = await flamestack(`export --as svg --store ${store}`);
  expect(picture.out).toContain('<title>See the guide first</title>');
});

test('a session is taken by words of its title', async () => {
  const store = await shop();
  const { out } = await flamestack(`search form --session login --json --store ${store}`);
  expect(JSON.parse(out)).toMatchObject({ session: `${uuid}1` });
  const { err, exit } = await flamestack(`search form --session form --store ${store}`);
  expect(err).toContain('"form" is in 2 titles: @2 Fix the login form, @3 Read forms');
  expect(exit).toBe(3);
});

test('words of a title delete nothing where nobody is asked', async () => {
  const store = await shop();
  const { exit, err } = await flamestack(`rm login --yes --store ${store}`);
  expect([exit, err]).toEqual([3, expect.stringMatching(/takes an id: flamestack rm \S+ --yes/)]);
});
