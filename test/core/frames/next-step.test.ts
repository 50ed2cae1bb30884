import { expect, test } from 'vitest';
import { openStore, parseDocuments, type Session } from '../../../src/index.ts';
import { textOf } from '../../../src/core/messages/message.ts';

/** What the prompt calls next, first of all. */
async function promptNext(session: Session): Promise<string | undefined> {
  const { messages } = await session.assemble();
  const goal = messages.find(({ section }) => section === 'goal');
  return /^Next:\n- (.*)$/m.exec(textOf(goal?.content ?? ''))?.[1];
}

test('prompt, state, document and recovery tell the same next step', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  await session.append({ role: 'user', content: 'Build the app' });
  const steps = ['write the log-in page', 'then the search'];
  await session.goal.set({ description: 'An app', next: steps });
  expect(session.state.next).toBe(steps[0]);
  expect(await promptNext(session)).toBe(steps[0]);
  const [document] = parseDocuments(await session.document());
  expect(document?.next).toBe(steps[0]);
  await session.recover();
  const { messages } = await session.assemble();
  expect(JSON.stringify(messages)).toContain(`next step is ${steps[0]}.`);
});

test('where there is little room for a goal, the first of its steps stays', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 1_000, reserve: 0 });
  const next = Array.from({ length: 12 }, (_, n) => `do part ${n} of all that is to be done`);
  await session.goal.set({ description: 'An app', next });
  await session.append({ role: 'user', content: 'Go on' });
  expect(await promptNext(session)).toBe(next[0]);
});

test('a marker of the model is the next step at once, and in the prompt from the next epoch', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  await session.append({ role: 'user', content: 'Build the app' });
  await session.append({ role: 'assistant', content: '[GOAL] An app\n[NEXT] the parser' });
  await session.push({ title: 'Parser' });
  expect(await promptNext(session)).toBe('the parser');
  await session.append({ role: 'assistant', content: 'Parsed.\n[NEXT] the printer' });
  expect(session.state.next).toBe('the printer');
  await session.pop({ status: 'completed', results: 'It parses.' });
  expect(await promptNext(session)).toBe('the printer');
});

test('without steps of a goal it is the milestone in progress, then a plan, then a milestone ahead', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  expect(session.state.next).toBeNull();
  const pending = { text: 'Search', status: 'pending' } as const;
  await session.goal.set({ description: 'An app', milestones: [pending] });
  expect(session.state.next).toBe('Search');
  await session.frames.plan({ title: 'Docs' });
  expect(session.state.next).toBe('Docs');
  const begun = { text: 'Log-in', status: 'in_progress' } as const;
  await session.goal.update({ milestones: [begun, pending] });
  expect(session.state.next).toBe('Log-in');
});

test('a step goes with the milestone that it is the work of, whoever says that this is done', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  await session.append({ role: 'user', content: 'Build the app' });
  const said = '[GOAL] An app\n[CHECKPOINT] Log-in - IN PROGRESS\n[NEXT] write the log-in page';
  await session.append({ role: 'assistant', content: said });
  expect(session.state.next).toBe('write the log-in page');
  await session.append({
    role: 'assistant',
    content: 'It logs in.\n[CHECKPOINT] Log-in - COMPLETED',
  });
  expect(session.state.goal!.next).toEqual([]);
  await session.push({ title: 'Search' });
  expect(await promptNext(session)).toBeUndefined();

  await session.goal.update({ next: ['search', 'test the search'] });
  const milestones = [{ text: 'Search', status: 'completed' }] as const;
  await session.goal.update({ milestones });
  expect(session.state.next).toBe('test the search');
  expect(await promptNext(session)).toBe('test the search');
});
