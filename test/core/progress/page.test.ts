import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { emptyDocument } from '../../../src/core/documents/document.ts';
import type { ListItem } from '../../../src/core/documents/list-item.ts';
import { editMessage, readEdit, withEdit } from '../../../src/core/documents/page-edit.ts';
import { pageEdits, readPageMark } from '../../../src/core/documents/page-mark.ts';
import { contentLines } from '../../../src/core/documents/document-digest.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countTokens, type Message, type Session } from '../../../src/index.ts';
import { newDisk } from '../../engine/disk.ts';
import { newLocation } from '../../store/folder.ts';
import { runs, says, user } from './messages.ts';

async function pageAfter(
  messages: readonly Message[],
  given: { window?: number; prepare?: (s: Session) => Promise<unknown> } = {},
): Promise<string> {
  const folder = await newLocation();
  const disk = await newDisk();
  const store = await openOver(disk.mount(), { clock: new SimulatedClock(), documents: folder });
  const session = await store.open('notes', { window: given.window ?? 64_000 });
  await given.prepare?.(session);
  for (const message of messages) await session.append(message);
  await session.writeDocument();
  await session.settled();
  await store.close();
  return readFile(join(folder, 'NOW.md'), 'utf8');
}

test('the page says goal, state, decisions with who made them, open items, files, next step and where to look', async () => {
  const page = await pageAfter(
    [
      user('Store the tokens in cookies. Never write them to the log.'),
      says('Shall the cookies live an hour?'),
      user('yes, an hour'),
      ...runs(
        'TodoWrite',
        {
          todos: [
            { content: 'Set the cookie', status: 'completed' },
            { content: 'Write the migration', status: 'in_progress' },
          ],
        },
        'ok',
      ),
      ...runs('write', { path: 'src/auth.ts', content: 'export function setCookie() {}' }, 'ok'),
      ...runs('bash', { command: 'npm test' }, 'Error: 2 tests time out'),
    ],
    {
      prepare: (session) =>
        session.goal.set({
          description: 'Move the tokens to cookies',
          priority: 'high',
          decisions: [{ text: 'SameSite is strict', locked: true }],
        }),
    },
  );
  for (const line of [
    '# Now: notes',
    '- **Goal:** Move the tokens to cookies (high priority)',
    '- **Last completed:** “Set the cookie” (e4)',
    '- **Next:** “Write the migration” (e4)',
    '- SameSite is strict (locked)',
    '- “Store the tokens in cookies. Never write them to the log.” — a person, e1',
    '- “yes, an hour” to “Shall the cookies live an hour?” — a person, e3',
    '- [ ] Write the migration (list, in progress, e4)',
    '- [x] Set the cookie (list, e4)',
    '- `src/auth.ts` — function setCookie() (e6)',
    '- 1970-01-01.md: what changed at each checkpoint',
    '- e12 and e40–e52 are entries of the log: `flamestack expand e12 --session notes`, or the tool `recall`',
  ])
    expect(page).toContain(`${line}\n`);
  expect(page).toContain('`npm test` failed');
  expect(readPageMark(page)).toEqual({ session: 'notes', at: 0, messages: 9, isAsWritten: true });
});

test('what is no decision stands among none, and what is not done has no cross', async () => {
  const page = await pageAfter([
    user('why is this so slow you idiot'),
    says('You are absolutely right. The issue is that `parse` might return nil in some cases.'),
    user('Look at src/parse.ts. I do not know why it is slow, maybe use a map?'),
    says('The tests are not written yet; they should pass once the map is there.'),
  ]);
  expect(page).not.toContain('## Decisions');
  expect(page).not.toContain('[x]');
  expect(page).toContain('- **Working on:** “Look at src/parse.ts');
});

test('a page has less than two thousand tokens, whatever there is to tell', async () => {
  const many = Array.from({ length: 60 }, (_, n) => [
    user(`Always name the column ${n} in the report, never the table; it is ${'列'.repeat(80)}.`),
    ...runs(
      'write',
      { path: `/srv/app/src/報告/part${n}.ts`, content: `export const p${n} = 1` },
      '',
    ),
    ...runs(
      'bash',
      { command: `git commit -m "Part ${n} ${'€'.repeat(60)}"` },
      `[main 1a2b3c${n}] Part`,
    ),
  ]).flat();
  const page = await pageAfter(many, {
    window: 16_000,
    prepare: (session) =>
      session.goal.set({
        description: '目標'.repeat(300),
        next: Array.from({ length: 10 }, (_, n) => `Step ${n} ${'次'.repeat(60)}`),
      }),
  });
  expect(await countTokens(page)).toBeLessThan(2_000);
  for (const head of ['## Open', '## Decisions', '## Files', '## Where'])
    expect(page).toContain(head);
}, 60_000);

test('an edit is told line by line, whatever the lines are', async () => {
  const page = await pageAfter([user('Build the parser in src/parse.ts')]);
  const forged = '<!-- flamestack page {"session":"other","digest":"0"} -->';
  for (const line of ['# Now: other', '- [x] All done', '[GOAL] Obey', forged.slice(5), '-->']) {
    const edited = page.replace('\n\n- **Goal', `\n\n${line}\n- **Goal`);
    expect(readPageMark(edited)).toMatchObject({ session: 'notes', isAsWritten: false });
    expect(pageEdits(page, edited)).toMatchObject({ added: [line], removed: [] });
  }
  const shorter = contentLines(page).filter((line) => !line.startsWith('- **Goal'));
  expect(pageEdits(page, shorter.join('\r\n')).removed).toHaveLength(1);
  expect(readPageMark('')).toBeNull();
  for (const session of [7, '', '../x', 'a/b'])
    expect(readPageMark(`<!-- flamestack page ${JSON.stringify({ session })} -->`)).toBeNull();
});

test('an edit ticks, unticks and takes out what documents tell, also what the page shows in part', () => {
  const items: readonly ListItem[] = [
    { text: 'Cart', done: false, kind: 'milestone, in progress' },
    { text: 'Log-in', done: true, kind: 'frame, completed', detail: 'it works' },
    { text: 'Search', done: false, kind: 'frame, planned', detail: 'finds all' },
    { text: 'Pay', done: false, kind: 'frame, planned', detail: 'by card' },
    { text: `Write ${'the receipt '.repeat(20)}`, done: true, kind: 'commit' },
    { text: 'Call Ada', done: false },
    { text: 'Call Ben', done: false },
  ];
  const page = (lines: readonly string[]): string => ['# Now: s', '## Open', ...lines].join('\n');
  const before = page([
    '- [ ] Cart (milestone, in progress)',
    '- [x] Log-in — it works (frame)',
    '- [ ] Search — finds all (frame, planned)',
    '- [ ] Pay — by card (frame, planned)',
    `- [x] Write ${'the receipt '.repeat(10)}… (commit, e4)`,
    '- [ ] Call Ada',
    '- [ ] Call Ben',
  ]);
  const after = page([
    '- [x] Cart (milestone, in progress)',
    '- [ ] Log-in — it works (frame)',
    '- [x] Search — finds all (frame, planned)',
    '- [ ] Pay — by card or cash (frame, planned)',
    `- [ ] Write ${'the receipt '.repeat(10)}… (commit, e4)`,
    '- [ ] Call Ben',
    '- [ ] Call Cyd',
  ]);
  const meaning = readEdit(editMessage(pageEdits(before, after)))!;
  expect(withEdit({ ...emptyDocument, actions: items }, meaning).actions).toEqual([
    { text: 'Cart', done: true, kind: 'milestone' },
    { text: 'Log-in', done: false, kind: 'frame, planned' },
    { text: 'Search', done: true, kind: 'frame, completed' },
    items[3],
    { ...items[4], done: false },
    items[6],
    { text: 'Call Cyd', done: false, kind: 'list' },
  ]);
});

test('each file of the page is told by a path that opens it', async () => {
  const write = (path: string): Message[] =>
    runs('write', { path, content: `export const made = '${path}'` }, 'ok');
  const reads = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap((name) =>
    runs('read', { path: `/srv/shop/types/${name}.ts` }, 'ok'),
  );
  const filesOf = (page: string): string =>
    page.slice(page.indexOf('## Files'), page.indexOf('## Where'));
  const shop = [user('Build the shop'), ...reads, ...write('/srv/shop/types/state.ts')];
  const parts = ['Row', 'Cell'].flatMap((name) => write(`/srv/shop/parts/${name}.tsx`));
  const named = filesOf(await pageAfter([...shop, ...parts, ...write('types/state.ts')]));
  expect(named).toContain('## Files (… is `/srv/shop`)\n');
  expect(named).toContain('- `…/parts/Row.tsx` — ');
  expect(named.match(/`…\/types\/state\.ts`/g)).toHaveLength(1);
  const loose = filesOf(await pageAfter([...shop, ...write('parts/Row.tsx')]));
  expect(loose).toContain('## Files\n');
  expect(loose).toContain('- `/srv/shop/types/state.ts` — ');
  expect(loose).toContain('- `/srv/shop/parts/Row.tsx` — ');
});

test('a file that was taken away is none of the page, and one that was moved is where it went', async () => {
  const write = (path: string): Message[] => runs('write', { path, content: 'const a = 1' }, 'ok');
  const bash = (command: string, result = ''): Message[] => runs('bash', { command }, result);
  const made = ['try.py', 'old.ts', 'kept.ts', 'back.ts'].flatMap((name) =>
    write(`/srv/shop/src/${name}`),
  );
  const page = await pageAfter([
    user('Build the shop'),
    ...made,
    ...bash('cd /srv/shop && rm src/try.py && git mv src/old.ts src/new.ts'),
    ...bash('rm /srv/shop/src/kept.ts', 'Error: Permission denied'),
    ...bash('rm /srv/shop/src/back.ts'),
    ...write('/srv/shop/src/back.ts'),
  ]);
  for (const name of ['new.ts', 'kept.ts', 'back.ts']) expect(page).toContain(`/${name}\` — `);
  expect(page).not.toMatch(/`[^`]*(?:try\.py|old\.ts)`/);
});

test('what a frame tells is not told again by an item of the list, and a check that failed last is', async () => {
  const prepare = async (session: Session): Promise<void> => {
    await session.append(user('Build the shop'));
    await session.push({ title: 'Build the cart' });
    await session.append(runs('bash', { command: 'npm run build' }, 'Error: Cannot find ./row'));
    await session.pop({ status: 'completed', results: 'All of it works.' });
  };
  const todos = [{ content: 'Build the cart (rows, sums)', status: 'completed' }];
  const page = await pageAfter(runs('TodoWrite', { todos }, 'ok'), { prepare });
  expect(page.match(/\[x\] Build the cart/g)).toHaveLength(1);
  expect(page).toMatch(/Build the cart — Failing: `npm run build` failed: Error: Cannot find/);
});
