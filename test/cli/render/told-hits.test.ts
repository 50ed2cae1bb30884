import { expect, test } from 'vitest';
import type { Hit, Message } from '../../../src/index.ts';
import { messageText, wholeText } from '../../../src/cli/render/message.ts';
import { toldHits } from '../../../src/cli/render/told-hits.ts';

const hitOf = (text: string, role: Hit['role'] = 'assistant'): Hit => {
  const hit = { entry: 'e7', frame: 'f0', at: 0, score: 1, tokens: 20, whole: false, same: [] };
  return { ...hit, role, text };
};

/** What is told of a hit in a message. */
async function told(text: string, query: string, message: Message): Promise<Hit> {
  return (await toldHits([hitOf(text)], query, async () => message))[0]!;
}

const lines = Array.from({ length: 400 }, (_, n) =>
  n === 300 ? 'rotate the "token"' : `row ${n}`,
);
const call = { id: 'c1', name: 'write', arguments: { path: 'auth.ts', content: lines.join('\n') } };
const writing: Message = { role: 'assistant', content: 'The session is kept.', toolCalls: [call] };

const script = `// First the parser.
const all = await Promise.all([
  tools.exec_command({ cmd: "npm test", workdir: "/shop" }),
  tools.read_file({ path: "notes.md" }),
]);`;
const scripted: Message = {
  role: 'assistant',
  content: '',
  toolCalls: [{ id: 'c1', name: 'exec', arguments: { input: script } }],
};

test('a hit in a call is told in words, behind the head of the call', async () => {
  const raw = String.raw`row 299\nrotate the \"token\"\nrow 301`;
  const { text, entry, whole } = await told(raw, 'rotate token', writing);
  expect(text).toMatch(/^write auth\.ts …\n/);
  expect(text).toContain('\n    rotate the "token"\n');
  expect(text).not.toContain(String.raw`\n`);
  expect({ entry, whole }).toEqual({ entry: 'e7', whole: false });
});

test('a hit that begins in what was said begins there, and goes on in words', async () => {
  const said = { ...writing, content: 'Before.\nThe token is rotated.' };
  const raw = String.raw`The token is rotated.
call write {"path":"auth.ts","content":"row 0\nrow 1`;
  const { text } = await told(raw, 'token', said);
  expect(text).toMatch(/^The token is rotated\.\nwrite auth\.ts\n {2}content:\n {4}row 0\n/);
  expect(text.length).toBe(raw.length);
});

test('a hit in what was said stays as it is, as one of a result does', async () => {
  expect((await told('session is kept', 'session', writing)).text).toBe('session is kept');
  const result = hitOf('call write {', 'tool');
  expect(await toldHits([result], 'write', async () => writing)).toEqual([result]);
});

test('a script is told by the calls that it makes, and whole where its entry is', () => {
  expect(messageText(scripted)).toBe('exec_command npm test\n  workdir: /shop\nread_file notes.md');
  expect(wholeText(scripted)).toBe(
    `${messageText(scripted)}\nexec, the script:\n  ${script.replaceAll('\n', '\n    ')}`,
  );
  expect(wholeText(writing)).toBe(messageText(writing));
});

test('words that stand beside the calls of a script are told with the script', async () => {
  expect((await told('First the parser', 'parser', scripted)).text).toContain('First the parser.');
  expect((await told('"npm test"', 'npm test', scripted)).text).not.toContain('Promise');
});
