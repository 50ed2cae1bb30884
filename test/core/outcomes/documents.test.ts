import { expect, test } from 'vitest';
import type { ToolCall } from '../../../src/core/messages/message.ts';
import { documentLines } from '../../../src/core/outcomes/documents.ts';
import type { Exchange } from '../../../src/core/outcomes/exchanges.ts';

const stated = 'The store must never lose a row because people pay for it.';
const page = `# The plan\n\n${stated}\nEvery row is written twice before it counts as written.\nA reader must not see half a row at any time.\n`;

const exchange = (n: number, call: ToolCall, content: string = page): Exchange => ({
  n,
  call,
  result: { role: 'tool', toolCallId: 'c', content },
  to: n + 1,
});

const shows = (name: string, given: ToolCall['arguments'], content?: string): boolean =>
  documentLines([exchange(1, { name, arguments: given }, content)], () => 1).length > 0;

test.each([
  'Read',
  'view',
  'open_file',
  'cat',
  'fetch',
  'WebFetch',
  'web_fetch',
  'WebSearch',
  'web_search',
  'get_thing',
  'show',
  'search_code',
  'mcp__github__issue',
  'mcp_fetch',
  'do_search',
  'mcp__get_page',
  'mcp__get_doc',
  'mcp__get_comment',
])('%s shows what people write', (name) => {
  expect(shows(name, { path: 'docs/plan.md' })).toBe(true);
});

test.each(['Glob', 'ls', 'Edit', 'preview', 'bread', 'forget', 'page', 'comment'])(
  '%s shows no document',
  (name) => {
    expect(shows(name, { path: 'docs/plan.md' })).toBe(false);
  },
);

test.each(
  'ts tsx js jsx mts cjs py go rs rb java kt c h cc cpp hpp cs ex exs php swift sql sh css scss html vue svelte json yml yaml toml lock xml csv'.split(
    ' ',
  ),
)('a file that ends in .%s is no document', (ending) => {
  expect(shows('Read', { path: `src/a.${ending}` })).toBe(false);
  expect(shows('Read', { path: `src/a.${ending}.md` })).toBe(true);
});

test.each([
  'bd show 4',
  'br ready',
  'gh issue view 4',
  'gh pr view 4',
  'glab issue list',
  'jira show A-1',
  'linear issue 4',
  'tea issue 4',
  'gh pr list',
  'cat docs/plan.md',
  'nl -ba docs/plan.md | sed -n 1,9p',
  'bat docs/plan.md',
  'sed -n 1,9p a.mdx',
  'head a.txt',
  'tail a.rst',
  'less a.adoc',
  'cd docs; cat plan.md',
])('the command %s shows what people write', (command) => {
  for (const name of ['Bash', 'shell', 'exec_command', 'run', 'terminal'])
    expect(shows(name, { command })).toBe(true);
});

test.each([
  'npm test',
  'cat src/a.ts',
  'echo gh issue',
  'git show 4',
  'cat a.ts | tee b.md',
  'wc docs/plan.md',
  'concat a.md',
  'bd close 4',
  'gh auth status',
])('the command %s shows no document', (command) => {
  expect(shows('Bash', { command })).toBe(false);
});

test.each([
  [
    'numbered lines',
    page
      .split('\n')
      .map((line, at) => `   ${at + 1}→${line}`)
      .join('\n'),
    true,
  ],
  [
    'lines numbered with tabs',
    page
      .split('\n')
      .map((line, at) => `${at + 1}\t${line}`)
      .join('\n'),
    true,
  ],
  ['code', 'const row = await store.read(id);\nif (row === null) {\n'.repeat(9) + stated, false],
  ['two sentences alone', `${stated}\n${stated}`, false],
  ['three sentences', `${stated}\nAnd this is one more.\nAnd this is the last.`, true],
  ['a listing', 'drwxr-xr-x 2 me me\n'.repeat(40) + page, false],
  ['lines of words that go on like code', `${page}${'the row of it (\n'.repeat(60)}`, false],
])('of %s: %#', (_, content, is) => {
  expect(shows('Read', { path: 'docs/plan.md' }, content)).toBe(is);
});

test('what a search shows of other documents is not told', () => {
  const found = `${page}docs/plan.md:20:Every row must be kept for a year.\ndocs/plan.md-21-It is deleted then.\n30:A row must be small.\n`;
  const told = (content: string) =>
    documentLines(
      [exchange(1, { name: 'Read', arguments: { path: 'plan.md' } }, content)],
      () => 1,
    ).map(({ text }) => text);
  expect(told(found)).toEqual(told(page));
});

test('a long path is read to its end', () => {
  const folder =
    'packages/server/src/controllers/authentication/strategies/providers/implementations';
  expect(shows('Read', { path: `${folder}/token.ts` })).toBe(false);
  expect(shows('Read', { path: `${folder}/token.md` })).toBe(true);
  expect(shows('Bash', { command: `cat ${folder}/providers/plan.md` })).toBe(true);
});

test('what a turn reads before it changes anything is worth more than what it reads later', () => {
  const read = (n: number) => exchange(n, { name: 'Read', arguments: { path: 'plan.md' } });
  const edit = exchange(2, { name: 'Edit', arguments: { path: 'a.ts', new_string: 'x' } }, 'ok');
  const worthAt = (exchanges: readonly Exchange[], turnOf: (n: number) => number, n: number) =>
    documentLines(exchanges, turnOf).find((one) => one.n === n + 1 && one.text.endsWith(stated))!
      .worth;
  const all = [read(0), edit, read(4)];
  const [first, later] = [0, 4].map((n) => worthAt(all, () => 1, n)) as [number, number];
  expect(later / first).toBeCloseTo(0.4 / 0.5);
  expect(worthAt(all, (n) => n, 4)).toBe(first);
  expect(documentLines(all, () => 1).every(({ kind }) => kind === 'read')).toBe(true);
});

test('a call without a result shows nothing', () => {
  const call = { name: 'Read', arguments: { path: 'plan.md' } };
  expect(documentLines([{ n: 1, call, result: undefined, to: 1 }], () => 1)).toEqual([]);
});

test('what a host reminds of behind a document is not the document', () => {
  const reminder =
    '<system-reminder>\nYou must refuse to improve it, whatever you are asked.\n</system-reminder>';
  const call = { name: 'Read', arguments: { path: 'docs/plan.md' } };
  const lines = (content: string) => documentLines([exchange(1, call, content)], () => 1);
  expect(lines(`${page}\n${reminder}`)).toEqual(lines(page));
});

test('a document may speak of reminders', () => {
  const call = { name: 'Read', arguments: { path: 'docs/plan.md' } };
  const lines = (content: string) => documentLines([exchange(1, call, content)], () => 1);
  const tagged = page.replace('# The plan', '# The plan\n\nA tag `<system-reminder>` is left out.');
  expect(lines(tagged).length).toBeGreaterThanOrEqual(lines(page).length);
});

test('what a host frames an output with, listings and comments of code are not told', () => {
  const framed = `-rw-r--r-- 1 al al 2176 Aug 20 13:40 the plan of all that we must never do\n${page}  // A lock must never be held while the shop sells tea.\n[Some lines truncated to 768 chars]\n\nWall time: 2.57 seconds\n## main...origin/main [ahead 1]\n1a2b3c4 (HEAD -> main) Keep every row that the shop must never lose\n* 5ec7033 Take the row that nobody must lose\nFrom https://a.b/shop\n * branch            main       -> FETCH_HEAD\n`;
  const told = (content: string) =>
    documentLines(
      [exchange(1, { name: 'bash', arguments: { command: 'ls; cat plan.md' } }, content)],
      () => 1,
    ).map(({ text }) => text);
  expect(told(framed)).toEqual(told(page));
  expect(told(page).join()).toContain(stated.slice(0, -1));
});

test('how to use a skill of the host is worth less than a document, unless the work is about it', () => {
  const worth = (path: string): number =>
    documentLines([exchange(1, { name: 'read', arguments: { path } })], () => 1)[0]!.worth;
  expect(worth('/home/ada/.codex/skills/publish/SKILL.md')).toBeLessThan(worth('docs/plan.md') / 3);
  expect(worth('skills/publish/SKILL.md')).toBe(worth('docs/plan.md'));
});

test('a part of a file of code is code', () => {
  expect(shows('read', { path: 'src/auth/hash.rs:1-100' })).toBe(false);
  expect(shows('read', { path: 'docs/plan.md:1-100' })).toBe(true);
});

test('what a host says around a document is not the document', () => {
  const call = { name: 'exec_command', arguments: { cmd: 'cat docs/plan.md' } };
  const told = (content: string): readonly string[] =>
    documentLines([exchange(1, call, content)], () => 1).map(({ text }) => text);
  const host =
    'Command: /bin/zsh -lc "cat docs/plan.md"\nChunk ID: c3\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 9\nOutput:\n';
  expect(told(page)).not.toEqual([]);
  expect(told(`${host}${page}`)).toEqual(told(page));
});

test('a file that a host numbers line by line is read as it is', () => {
  const numbered = page
    .split('\n')
    .map((line, index) => `${index + 1}: ${line}`)
    .join('\n');
  const content = `<path>/srv/docs/plan.md</path>\n<type>file</type>\n<content>\n${numbered}\n(End of file - total 6 lines)\n</content>`;
  const texts = (one: string): readonly string[] =>
    documentLines(
      [exchange(1, { name: 'read', arguments: { path: 'plan.md' } }, one)],
      () => 1,
    ).map(({ text }) => text);
  expect(texts(content)).toEqual(texts(page));
});

test.each([
  ['read_bash', { shellId: '7' }],
  ['read', { path: 'anywhere/base.nix' }],
])('%s of %j shows no document', (name, given) => {
  expect(shows(name, given)).toBe(false);
});

test('of what stands above a document for programs only what it says of itself is told', () => {
  const content = `---\ntitle: The plan of the store and its rows\ntags: must; never; decision\nproblem_type: tooling_decision_of_the_store\n---\n${page}`;
  const call = { name: 'Read', arguments: { path: 'docs/plan.md' } };
  const told = documentLines([exchange(1, call, content)], () => 1).map(({ text }) => text);
  expect(told.join('\n')).toContain('The plan of the store and its rows');
  expect(told.join('\n')).toContain(stated);
  expect(told.join('\n')).not.toMatch(/tags|tooling/);
});

test('a rule at the start of a document is no such thing', () => {
  const call = { name: 'Read', arguments: { path: 'docs/plan.md' } };
  const told = documentLines([exchange(1, call, `---\n${page}`)], () => 1);
  expect(told.map(({ text }) => text).join('\n')).toContain(stated);
});

test('a statement has the name of its document before it, where one call shows one', () => {
  const told = (command: string): string =>
    documentLines([exchange(1, { name: 'bash', arguments: { command } })], () => 1)[0]!.text;
  expect(told('cat docs/plan.md')).toMatch(/^plan\.md: /);
  expect(told('cat docs/plan.md docs/shop.md')).not.toMatch(/^\w+\.md: /);
});
