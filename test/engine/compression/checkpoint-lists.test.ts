import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';

test('a checkpoint has decisions, files, next steps, questions and how often it was compressed', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000, reserve: 0, preserveRecent: 200 });
  await session.append({ role: 'user', content: 'Build the log-in.' });
  const edit = { path: 'src/hash.ts', content: 'export function hash(plain: string) {}' };
  const todos = [{ content: 'the log-in page for phones', status: 'pending' }];
  await session.append({
    role: 'assistant',
    content: [
      'We decided to use argon2id, because bcrypt cuts passwords at 72 bytes.',
      'Which of the two ports does the log-in page of the app answer on?',
    ].join('\n\n'),
    toolCalls: [
      { id: 'c1', name: 'write', arguments: edit },
      { id: 'c2', name: 'TodoWrite', arguments: { todos } },
    ],
  });
  await session.append({ role: 'tool', toolCallId: 'c2', content: 'ok' });
  await session.append({ role: 'tool', toolCallId: 'c1', content: 'ok' });
  const talk = async (): Promise<void> => {
    for (let n = 0; n < 6; n += 1) {
      const content = `Step ${n}: the guard in src/step${n}.ts stood open. `.repeat(12);
      await session.append({ role: 'assistant', content });
    }
    await session.compress();
  };
  await talk();
  const [first] = session.state.checkpoints;
  expect(first).toMatchObject({
    compressions: 1,
    files: ['src/hash.ts'],
    decisions: [expect.stringContaining('We decided to use argon2id')],
    next: [expect.stringContaining('log-in page for phones')],
    questions: [expect.stringContaining('Which of the two ports')],
  });
  expect(first!.before).toBeGreaterThan(first!.tokens);
  await talk();
  const again = session.state.checkpoints.find(({ id }) => id === first!.id);
  expect(again).toMatchObject({ compressions: 2, age: 'old', files: ['src/hash.ts'] });
});

test('an older checkpoint loses a list that the newest one has anew', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000, reserve: 0, preserveRecent: 200 });
  await session.append({ role: 'user', content: 'Build the log-in.' });
  const work = async (status: string): Promise<void> => {
    const todos = [{ content: 'the log-in page for phones', status }];
    await session.append({
      role: 'assistant',
      content: 'We decided to use argon2id, because bcrypt cuts passwords at 72 bytes.',
      toolCalls: [{ id: status, name: 'TodoWrite', arguments: { todos } }],
    });
    await session.append({ role: 'tool', toolCallId: status, content: 'ok' });
    for (let n = 0; n < 6; n += 1)
      await session.append({ role: 'assistant', content: `Step ${n} is done. `.repeat(60) });
    await session.compress();
  };
  await work('pending');
  await work('completed');
  const { messages } = await session.assemble();
  expect(JSON.stringify(messages).match(/\[.\] the log-in page/g)).toEqual(['[x] the log-in page']);
});

test('entries that leave no line are told of by none, and the embedded summarizer has not failed', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000, reserve: 0, preserveRecent: 200 });
  const by: string[] = [];
  session.on('compression.finished', (finished) => void by.push(finished.by));
  await session.append({ role: 'user', content: 'Look around.' });
  for (let n = 0; n < 6; n += 1)
    await session.append({ role: 'assistant', content: 'ok '.repeat(200) });
  await session.compress();
  expect(by).toEqual(['summarizer']);
});
