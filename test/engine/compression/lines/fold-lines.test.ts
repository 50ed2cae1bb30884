import { expect, test } from 'vitest';
import { textOf } from '../../../../src/core/messages/message.ts';
import { openStore } from '../../../../src/index.ts';
import { prose } from '../../../../src/testing/made-text.ts';

test('a session of edits of one file leaves room in the chronicle for what was stated', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  const stated = 'We keep the retries in the client because the server drops idle sockets.';
  await session.append([
    { role: 'user', content: 'Write the steps.' },
    { role: 'assistant', content: stated },
  ]);
  for (let n = 0; n < 300; n += 1) {
    const newText = `export function step${n}(input: string): number {\n${prose(40, n)}\n}`;
    await session.append([
      { role: 'user', content: `Step ${n}` },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: `c${n}`, name: 'edit', arguments: { path: 'src/steps.ts', newText } }],
      },
      { role: 'tool', toolCallId: `c${n}`, content: 'ok' },
    ]);
    await session.settled();
  }
  const { messages } = await session.assemble();
  const chronicle = messages.find(({ section }) => section === 'chronicle');
  const lines = textOf(chronicle!.content).split('\n');
  const changed = lines.filter((line) => line.includes('changed src/steps.ts'));
  expect(changed.some((line) => / since e4 /.test(line))).toBe(true);
  expect(changed.length).toBeLessThan(60);
  expect(lines.join('\n')).toContain(stated);
});

test('what a closed issue says leaves the chronicle, which says that it is closed, and what an open one says stays', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  const run = async (command: string, content: string): Promise<void> => {
    const toolCalls = [{ id: command, name: 'bash', arguments: { command } }];
    await session.append([
      { role: 'assistant', content: '', toolCalls },
      { role: 'tool', toolCallId: command, content },
    ]);
  };
  const work = async (from: number): Promise<void> => {
    for (let n = from; n < from + 70; n += 1) {
      await run(`ls ${n}`, 'a.txt b.txt c.txt\n'.repeat(60));
      await session.settled();
    }
  };
  const rules = ['A hash must take 200 ms at most.', 'A token must never be written to the log.'];
  const spec = (id: string, rule: string): string =>
    `○ ${id} · Rule of ${id}   [● P1 · OPEN]\n\n${rule}\nThe rule must hold for every account.\nThe tests must show that it holds.`;
  await session.append({ role: 'user', content: 'Work on the issues.' });
  await run('bd show bd-1', spec('bd-1', rules[0]!));
  await run('bd show bd-2', spec('bd-2', rules[1]!));
  await work(0);
  const shown = async (): Promise<string> => {
    const { messages } = await session.assemble();
    return messages.map(({ content }) => textOf(content)).join('\n');
  };
  expect(await shown()).toContain(rules[0]!);
  await run('bd close bd-1', '✓ Closed bd-1: Closed');
  await work(70);
  const after = await shown();
  expect(after).toContain('bd-1 closed: Rule of bd-1');
  expect(after).not.toContain(rules[0]!);
  expect(after).toContain(rules[1]!);
});

test('what stands in the chronicle names the line that takes it back after a later compression', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  const work = async (from: number): Promise<void> => {
    for (let n = from; n < from + 70; n += 1) {
      const toolCalls = [{ id: `c${n}`, name: 'bash', arguments: { command: `ls ${n}` } }];
      await session.append([
        { role: 'assistant', content: '', toolCalls },
        { role: 'tool', toolCallId: `c${n}`, content: 'a.txt b.txt c.txt\n'.repeat(60) },
      ]);
      await session.settled();
    }
  };
  const shown = async (): Promise<string> => {
    const { messages } = await session.assemble();
    return messages.map(({ content }) => textOf(content)).join('\n');
  };
  const [guess, finding] = ['`readRow` might wait for the lock.', '`readRow` takes 4 seconds.'];
  await session.append([
    { role: 'user', content: 'Why is it slow?' },
    { role: 'assistant', content: `${finding} ${guess}` },
  ]);
  await work(0);
  expect(await shown()).toContain(guess);
  expect(await shown()).not.toContain('but see');
  const cause = 'The actual cause is that `readRow` sorts the table.';
  await session.append({ role: 'assistant', content: cause });
  await work(70);
  const after = await shown();
  expect(after).toContain(`${guess} (but see e143)`);
  expect(after).toContain(`${finding} `);
  expect(after).toContain(cause);
});
