import { expect, test } from 'vitest';
import type { Message } from '../../../src/core/messages/message.ts';
import { newBreathe } from '../../../src/llm/breathe.ts';
import { sayable } from '../../../src/llm/prompt/density.ts';
import { entriesOf } from '../entries.ts';

/** What a summary of messages is worth, in tokens. */
const worthOf = (messages: readonly Message[]): Promise<number> =>
  sayable(entriesOf(messages), newBreathe());

const call = (name: string, given: Readonly<Record<string, unknown>>): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ id: 'c', name, arguments: given }],
});

const looks = Array.from({ length: 40 }, () => [
  call('read', { path: 'src/store.ts' }),
  { role: 'tool' as const, toolCallId: 'c', content: 'line\n'.repeat(200) },
]).flat();

test('forty calls that looked at one file are worth a few lines, whatever they put out', async () => {
  expect(await worthOf(looks)).toBeLessThan(60);
});

test.each([
  ['an edit', call('edit', { path: 'src/store.ts', newText: 'x' })],
  ['a decision', { role: 'assistant', content: 'We decided to use one store instead of two.' }],
  ['a person', { role: 'user', content: 'No, use one store.' }],
  ['a failure', { role: 'tool', toolCallId: 'c', content: 'EACCES', isError: true }],
  ['a name', { role: 'assistant', content: 'It is `checkExpiry` in src/auth/token.ts.' }],
  [
    'a plan in prose',
    { role: 'assistant', content: 'First the data, then the pages. '.repeat(40) },
  ],
] as const)('%s makes a record worth more', async (_, message) => {
  expect(await worthOf([...looks, message])).toBeGreaterThan(await worthOf(looks));
});

test('code that was read is worth some lines, each definition once, and what an edit brings more', async () => {
  const content = Array.from({ length: 30 }, (_, n) => `export function step${n}() {\n}`).join(
    '\n',
  );
  const read = [
    call('read', { path: 'src/a.ts' }),
    { role: 'tool', toolCallId: 'c', content },
  ] as const;
  const once = await worthOf(read);
  expect(once - (await worthOf(looks))).toBeGreaterThan(60);
  expect(await worthOf([...read, ...read])).toBe(once);
  const written = call('write', { path: 'src/a.ts', content });
  const answered = { role: 'tool', toolCallId: 'c', content: 'ok' } as const;
  expect(await worthOf([written, answered])).toBeGreaterThan(once + 60);
  expect(await worthOf([written])).toBeLessThan(once);
});

test('however much code was looked at, it is worth some ten lines', async () => {
  const files = Array.from({ length: 40 }, (_, file) => {
    const content = Array.from({ length: 20 }, (_, n) => `function f${file}x${n}() {\n}`).join(
      '\n',
    );
    return [
      call('read', { path: `src/a${file}.ts` }),
      { role: 'tool' as const, toolCallId: 'c', content },
    ];
  }).flat();
  const names = files.length * 4;
  expect(await worthOf(files)).toBeLessThan(40 + 300 + names);
});

test('what a document asks for makes a record worth more, though nobody says it again', async () => {
  const issue = Array.from({ length: 9 }, (_, n) => `Step ${n} must never change src/a${n}.ts.`);
  const content = issue.join('\n');
  const reading = (path: string): Promise<number> =>
    worthOf([call('read', { path }), { role: 'tool', toolCallId: 'c', content }]);
  expect((await reading('plan.md')) - (await reading('plan.ts'))).toBeGreaterThan(9 * 10);
});

test('what is said twice counts once, a file changed again little, and what machines said not at all', async () => {
  const said: Message = { role: 'assistant', content: 'We decided to keep src/a.ts instead.' };
  const once = await worthOf([said]);
  expect((await worthOf([said, said])) - once).toBeLessThan(3);
  expect(await worthOf([said, { role: 'user', origin: 'machine', content: 'See src/b.ts.' }])).toBe(
    once,
  );
  const edit = call('edit', { path: 'src/store.ts', newText: 'x' });
  const other = call('edit', { path: 'src/other.ts', newText: 'x' });
  const one = await worthOf([edit]);
  expect((await worthOf([edit, edit])) - one).toBeLessThan(10);
  expect((await worthOf([edit, other])) - one).toBeGreaterThan(39);
});

test('others get their turns while it is read what a long record is worth', async () => {
  let breaths = 0;
  await sayable(entriesOf(looks), async () => void (breaths += 1));
  expect(breaths).toBeGreaterThanOrEqual(looks.length);
});
