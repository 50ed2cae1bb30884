import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { openOver } from '../../src/engine/open/open-store.ts';
import type { SessionFact } from '../../src/index.ts';
import { newDisk } from '../engine/disk.ts';
import { newLocation } from '../store/folder.ts';

// The store is gone and the page is left, perhaps edited by hand since: what it tells
// comes back, and what a person changed on it counts as their words, once.

/** A folder with the page and the documents of a session of work that was lost. */
async function lost(): Promise<{ readonly folder: string; readonly page: string }> {
  const folder = await newLocation();
  const disk = await newDisk();
  const store = await openOver(disk.mount(), { clock: new SimulatedClock(), documents: folder });
  const first = await store.open('s', { window: 16_000 });
  await first.goal.set({
    description: 'Build the shop',
    priority: 'high',
    milestones: [
      { text: 'Cart', status: 'completed' },
      { text: 'Checkout.', status: 'in_progress' },
    ],
    decisions: [{ text: 'Prices are in cents', locked: true }],
    next: ['Write the receipt'],
  });
  await first.push({ title: 'Payment', criteria: 'a card is charged once' });
  await first.frames.plan({ title: 'Refunds' });
  await first.append([
    { role: 'user', content: 'Never store a card number. Change src/pay.ts.' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c1', name: 'edit', arguments: { path: 'src/pay.ts', text: 'x' } }],
    },
    { role: 'tool', toolCallId: 'c1', content: 'ok' },
    { role: 'assistant', content: 'It is changed. Shall I write a test for it, too?' },
  ]);
  await first.writeDocument();
  await store.close();
  return { folder, page: join(folder, 'NOW.md') };
}

const changed = (text: string): string =>
  text
    .replace(/- \*\*Next:\*\* .*/, '- **Next:** call the bank')
    .replace('- [ ] Checkout.', '- [x] Checkout.')
    .replace('- Prices are in cents (locked)\n', '- Prices are in euros\n')
    .replace('- [ ] Write the receipt\n', '- [ ] Call Ada (shopping list)\n');

/** A new session that recovers from a folder, where it keeps its documents, too, unless told. */
async function again(folder: string, isKept = true) {
  const disk = await newDisk();
  const clock = new SimulatedClock();
  clock.increment(1_000);
  const store = await openOver(disk.mount(), { clock, documents: isKept && folder });
  const s = await store.open('s', { window: 16_000 });
  const facts: SessionFact[] = [];
  s.on('*', (fact) => facts.push(fact));
  await s.recover({ from: folder });
  await s.settled();
  const told = facts.find((fact) => fact.type === 'session.recovered')!;
  return { s, facts, told, store };
}

test('what a person changed on the page while the store was gone is taken in once, as their words', async () => {
  const { folder, page } = await lost();
  await writeFile(page, changed(await readFile(page, 'utf8')));
  const gone = await again(folder, false);
  expect(gone.s.state.entries).toBe(2);
  await gone.store.close();
  const { s, facts, told, store } = await again(folder);
  expect(told.line).toMatch(/next step is call the bank\.$/);
  expect(s.state.goal).toMatchObject({
    milestones: [{ status: 'completed' }, { text: 'Checkout.', status: 'completed' }],
    decisions: [],
    next: [],
  });
  const { content, ...said } = await s.entry('e2');
  expect(said).not.toHaveProperty('origin');
  expect(content).toContain('- Open: Call Ada (shopping list)\n- Decision: Prices are in euros\n');
  await s.writeDocument();
  await s.settled();
  expect(s.state.entries).toBe(2);
  expect(facts.filter(({ type }) => type.startsWith('page.'))).toMatchObject([
    { type: 'page.edited', human: true },
  ]);
  const now = await readFile(page, 'utf8');
  for (const line of [
    '- **Next:** call the bank',
    '- [ ] Call Ada (shopping list) (list, e2)',
    '- “Prices are in euros” — a person, e2',
    '- [x] Checkout (milestone)',
    '- “Never store a card number. Change src/pay.ts.” — a person, e1',
  ])
    expect(now.split('\n')).toContain(line);
  expect(now).not.toContain('cents');
  await store.close();
});

test.each([
  ['as it was written', (text: string) => text, true],
  ['edited', changed, true],
  ['edited, without its hidden copy', changed, false],
])(
  'with the documents gone, too, the page brings all back that it tells: %s',
  async (_, change, isCopied) => {
    const { folder, page } = await lost();
    const before = await readFile(page, 'utf8');
    await writeFile(page, change(before));
    await rm(join(folder, '1970-01-01.md'));
    if (!isCopied) await rm(join(folder, '.NOW.s.z'));
    const { s, facts, told, store } = await again(folder);
    const isChanged = change(before) !== before;
    expect(told.line).toContain('We were working on Payment: a card is charged once');
    expect(told.line).toContain(
      `next step is ${isChanged ? 'call the bank' : 'Write the receipt'}`,
    );
    expect(s.state.goal).toMatchObject({
      description: 'Build the shop',
      priority: 'high',
      milestones: [
        { text: 'Checkout.', status: isChanged ? 'completed' : 'in_progress' },
        { text: 'Cart', status: 'completed' },
      ],
      decisions: isChanged
        ? [{ text: 'Prices are in euros', locked: false }]
        : [{ text: 'Prices are in cents', locked: true }],
      artifacts: [{ path: 'src/pay.ts' }],
    });
    expect(s.frames.tree().children).toMatchObject([
      { title: 'Refunds', status: 'planned' },
      { title: 'Payment', criteria: 'a card is charged once', status: 'in_progress' },
    ]);
    expect((await s.entry('e1')).content).toContain('> # Now: s');
    await s.writeDocument();
    await s.settled();
    expect(facts.filter(({ type }) => type === 'page.refused')).toEqual([]);
    const now = await readFile(page, 'utf8');
    for (const line of [
      '- “Never store a card number. Change src/pay.ts.” — a person, e1',
      '- [ ] Asked: It is changed. Shall I write a test for it, too?',
      isChanged ? '- **Next:** call the bank' : '- **Next:** Write the receipt',
    ])
      expect(now.split('\n')).toContain(line);
    expect(now).toContain('`src/pay.ts`');
    await store.close();
  },
);
