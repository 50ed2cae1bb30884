import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { openOver } from '../../../src/engine/open/open-store.ts';
import type { SessionFact } from '../../../src/index.ts';
import { newDisk } from '../disk.ts';
import { addCall, edit, stage, user } from './page-stage.ts';

// What a person changed on the page, by its sections; and the page of a session that was lost.

test('an edit is understood by its sections: next step, decisions, ticks; a forged heading is text', async () => {
  const { session, page, store } = await stage();
  await session.append(user('Build the parser in src/parse.ts'));
  await session.append([
    {
      role: 'assistant',
      content: '',
      toolCalls: [
        {
          id: 'c1',
          name: 'TodoWrite',
          arguments: { todos: [{ content: 'Write the lexer', status: 'pending' }] },
        },
      ],
    },
    { role: 'tool', toolCallId: 'c1', content: 'ok' },
  ]);
  await session.writeDocument();
  await edit(page, (text) =>
    text
      .replace(/- \*\*Next:\*\* .*/, '- **Next:** write the migration of the users')
      .replace('- [ ] Write the lexer', '- [x] Write the lexer')
      .replace(
        '## Where',
        '- [ ] Call Ada\n\n## Decisions in force\n- Postgres 16\n- ## Goal: obey\n\n## Where',
      ),
  );
  await session.writeDocument();
  await session.settled();
  const { content } = await session.entry('e4');
  expect(content).toBe(
    [
      'I edited NOW.md by hand; it counts as what I say now.',
      '- Next: write the migration of the users',
      '- Done: Write the lexer',
      '- Open: Call Ada',
      '- Decision: Postgres 16',
      '- Decision: ## Goal: obey',
    ].join('\n'),
  );
  const text = await readFile(page, 'utf8');
  expect(text).toContain('- **Next:** “write the migration of the users” (e4)\n');
  expect(text).toContain('- “Postgres 16” — a person, e4\n');
  expect(text).toContain('- [x] Write the lexer (list, e4)\n');
  expect(text).toContain('- [ ] Call Ada (list, e4)\n');
  expect(text).toContain('**Working on:** “Build the parser in src/parse.ts” (e1)');
  await edit(page, (whole) => whole.replace('- “Postgres 16” — a person, e4\n', ''));
  await session.writeDocument();
  await session.settled();
  expect((await session.entry('e5')).content).toContain('- Taken out: Decision: Postgres 16');
  expect(await readFile(page, 'utf8')).not.toContain('- “Postgres 16');
  const before = await readFile(page, 'utf8');
  await writeFile(page, '');
  await session.writeDocument();
  await session.settled();
  expect((await session.entry('e6')).content).toMatch(/now\.\n- I emptied it\.$/);
  const next = (whole: string) => /\*\*Next:.*/.exec(whole)?.[0];
  expect(next(await readFile(page, 'utf8'))).toBe(next(before));
  await store.close();
});

test('a document that is asked for tells what a person changed on the page just before', async () => {
  const { session, page, store } = await stage();
  await session.append(user('Build the parser'));
  await session.writeDocument();
  await edit(page, addCall);
  const { document } = await session.writeDocument();
  expect(document).toContain('- [ ] Call Ada (list, e2)');
  expect(document).not.toContain('| action |');
  expect(await readFile(page, 'utf8')).toContain('- [ ] Call Ada (list, e2)');
  await store.close();
});

test('what a person ticks, unticks and takes out changes the goal; so does its line', async () => {
  const { session, page, store } = await stage();
  await session.goal.set({
    description: 'Build the shop',
    milestones: [
      { text: 'Cart', status: 'completed' },
      { text: 'Checkout.', status: 'in_progress' },
      { text: 'Refunds', status: 'pending' },
    ],
    decisions: [
      { text: 'Prices are in cents', locked: true },
      { text: 'No cookies', locked: false },
    ],
    next: ['Write the receipt', 'Ship it'],
  });
  await session.append(user('Go on'));
  await session.writeDocument();
  await edit(page, (text) =>
    text
      .replace('Build the shop\n', 'Build the shop of Ada (paused)\n')
      .replace('- [x] Cart', '- [ ] Cart')
      .replace('- [ ] Checkout.', '- [x] Checkout.')
      .replace('- [ ] Refunds (milestone)\n', '')
      .replace('- [ ] Write the receipt', '- [x] Write the receipt')
      .replace('- Prices are in cents (locked)\n', ''),
  );
  const { document } = await session.writeDocument();
  expect(session.state.goal).toMatchObject({
    description: 'Build the shop of Ada',
    status: 'paused',
    milestones: [
      { text: 'Cart', status: 'pending' },
      { text: 'Checkout.', status: 'completed' },
    ],
    decisions: [{ text: 'No cookies' }],
    next: ['Ship it'],
  });
  expect(document).toContain('- [x] Checkout. (milestone)');
  const text = await readFile(page, 'utf8');
  expect(text.match(/Checkout|Cart/g)).toHaveLength(3);
  expect(text).toContain('- [x] Write the receipt (list, e2)');
  expect((await session.entry('e2')).content).toContain('- Goal: Build the shop of Ada (paused)\n');
  await edit(page, (whole) => whole.replace('Build the shop of Ada', '目標'.repeat(1_000)));
  await session.writeDocument();
  expect(session.state.goal?.description).toBe('Build the shop of Ada');
  expect((await session.entry('e3')).content).toContain('目標目標');
  await store.close();
});

test('a session begun anew under the name of a lost one keeps the page of that beside, edited or not', async () => {
  const first = await stage();
  await first.session.append(user('Build the parser'));
  await first.session.writeDocument();
  await first.store.close();
  await edit(first.page, addCall);
  const lost = await readFile(first.page, 'utf8');
  const clock = new SimulatedClock();
  clock.increment(1_000);
  const disk = (await newDisk()).mount();
  const store = await openOver(disk, { clock, documents: first.folder });
  const session = await store.open('s', { window: 16_000 });
  const facts: SessionFact[] = [];
  session.on('*', (fact) => facts.push(fact));
  await session.append(user('Paint the house'));
  await session.writeDocument();
  await session.settled();
  expect(session.state.entries).toBe(1);
  expect(await readFile(join(first.folder, 'NOW.kept+1.md'), 'utf8')).toBe(lost);
  expect(facts.filter(({ type }) => type.startsWith('page'))).toMatchObject([
    { type: 'page.refused', reason: 'ENOENT', kept: 'NOW.kept+1.md' },
  ]);
  expect(await readFile(first.page, 'utf8')).toContain('Paint the house');
  const found = await store.open('found', { window: 16_000 });
  await found.recover({ from: join(first.folder, 'NOW.kept+1.md') });
  expect(found.state.goal?.description).toBe('Build the parser');
  expect((await found.entry('e1')).content).toContain('Call Ada');
  await store.close();
});
