import { expect, test } from 'vitest';
import { openStore, type Message, type Session } from '../../../src/index.ts';
import { byteBound, messageTokens } from '../../../src/core/messages/token-count.ts';
import { newFolder, newLocation } from '../../store/folder.ts';
import { placesOf, secret } from '../../store/secret.ts';

// What a provider spelled goes with a message as long as that stands whole.

const signature = 'EuYBCkQ'.repeat(30);
const raw = [
  { type: 'thinking', thinking: 'Look first.', signature },
  { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.ts' } },
];
const thought: Message = {
  role: 'assistant',
  content: '',
  thinking: 'Look first.',
  toolCalls: [{ id: 'toolu_1', name: 'read', arguments: { path: 'a.ts' } }],
  provider: { name: 'anthropic', raw },
};
const result: Message = { role: 'tool', toolCallId: 'toolu_1', content: 'export {}' };

async function outOf(session: Session, id: string) {
  const { messages } = await session.assemble();
  return messages.find(({ entry }) => entry === id)!;
}

test('it is kept, counted, and handed back byte for byte, also after the store was closed', async () => {
  const location = await newLocation();
  {
    await using store = await openStore(location);
    const session = await store.open('a', { window: 8_000 });
    await session.append([{ role: 'user', content: 'Read a.ts' }, thought, result]);
  }
  await using store = await openStore(location);
  const session = await store.open('a');
  expect(await session.entry('e2')).toMatchObject({ provider: { name: 'anthropic', raw } });
  const out = await outOf(session, 'e2');
  expect(JSON.stringify('provider' in out && out.provider)).toBe(
    JSON.stringify({ name: 'anthropic', raw }),
  );
  const { provider: _, ...bare } = thought;
  expect(messageTokens(thought, byteBound)).toBe(4 + JSON.stringify(raw).length);
  expect(messageTokens(bare, byteBound)).toBeLessThan(60);
  expect(out.tokens).toBeGreaterThan(100);
});

test('bytes of files in it are counted as files', () => {
  const data = 'AAAA'.repeat(10_000);
  const content = [{ type: 'file', mediaType: 'image/png', data }] as const;
  const provider = { name: 'ai-sdk', raw: [{ type: 'image', image: data }] };
  expect(messageTokens({ role: 'user', content, provider }, byteBound)).toBe(
    1_004 + JSON.stringify([{ type: 'image', image: '' }]).length,
  );
});

test('meta is not sent and costs nothing', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('a', { window: 8_000 });
  await session.append({ role: 'user', content: 'hi', meta: { much: 'x'.repeat(200_000) } });
  expect((await outOf(session, 'e1')).tokens).toBe(5);
});

test('it is left out as a whole where the entry is shortened or cleared', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('a', { window: 4_000, preserveRecent: 200 });
  const giant = 'word '.repeat(3_000);
  await session.append([
    { role: 'user', content: 'Go' },
    { ...thought, content: giant, provider: { name: 'anthropic', raw: [{ text: giant }] } },
    { ...result, content: giant, provider: { name: 'anthropic', raw: { output: giant } } },
  ]);
  await session.assemble();
  const { messages } = await session.assemble();
  const shown = messages.filter(({ entry }) => entry === 'e2' || entry === 'e3');
  expect(shown.length).toBeGreaterThan(0);
  for (const message of shown) {
    expect(message.kind).toBe('shortened');
    expect(message).not.toHaveProperty('provider');
  }
  expect(await session.entry('e2')).toHaveProperty('provider.raw');
});

test('an export has it, and an import brings it back', async () => {
  const folder = await newFolder();
  const { writeFile } = await import('node:fs/promises');
  await using store = await openStore(':memory:');
  const session = await store.open('a', { window: 8_000 });
  await session.append([{ role: 'user', content: 'Read a.ts' }, thought, result]);
  const lines: string[] = [];
  for await (const line of session.export()) lines.push(JSON.stringify(line));
  await writeFile(`${folder}/a.jsonl`, lines.join('\n'));
  const { id } = await store.import(`${folder}/a.jsonl`, { id: 'b' });
  expect(await (await store.open(id)).entry('e2')).toMatchObject(thought);
});

test('a redaction takes it out', async () => {
  const location = await newLocation();
  const password = secret('p', 1);
  {
    await using store = await openStore(location);
    const session = await store.open('a', { window: 8_000 });
    const told = { name: 'anthropic', raw: [{ type: 'thinking', thinking: `It is ${password}` }] };
    await session.append([{ role: 'user', content: 'Go' }, { ...thought, provider: told }, result]);
    await session.redact('e2');
    expect(await session.entry('e2')).not.toHaveProperty('provider');
  }
  expect(await placesOf(location, [password])).toEqual([]);
});

test.each([{}, { name: 'x' }, { name: '', raw: 1 }, { raw: [] }, 'x', null])(
  'what is no spelling of a provider is refused: %j',
  async (provider) => {
    await using store = await openStore(':memory:');
    const session = await store.open('a', { window: 8_000 });
    const message = { role: 'user', content: 'hi', provider } as unknown as Message;
    await expect(session.append(message)).rejects.toMatchObject({
      code: 'MESSAGE_INVALID',
      detail: { field: 'provider' },
    });
  },
);
