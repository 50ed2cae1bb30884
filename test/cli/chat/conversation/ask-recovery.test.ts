import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { OllamaAsked } from '../../../../src/testing/index.ts';
import { flamestack, typed } from '../../call.ts';
import { stage, type Stage } from '../../chat-stage.ts';

// The store is deleted, memory/ is not: the session is rebuilt from it, the
// person is asked, and the model is told.

const promptOf = ({ messages }: OllamaAsked): string =>
  messages.map(({ content }) => content).join('\n');

/** The newest message that a server was sent. */
const newestIn = ({ messages }: OllamaAsked): string | undefined => messages.at(-1)?.content;

interface Lost extends Stage {
  /** The requests since the store was deleted, and their texts. */
  readonly asked: OllamaAsked[];
  readonly prompts: string[];
}

/** A session that was played with documents on, and whose store is gone; rebuilt by `recover`. */
async function lost(words = ''): Promise<Lost> {
  const prompts: string[] = [];
  const requests: OllamaAsked[] = [];
  const found = await stage({
    reply(asked) {
      prompts.push(promptOf(asked));
      requests.push(asked);
      return { content: '[DECISION] Tokens live in cookies - LOCKED\nThe schema is written.' };
    },
  });
  const script = [
    '/goal Build a notes app',
    'We begin with the schema.',
    '/push Log-in -- tokens are refreshed before they expire',
    'Never touch the old guard.',
    '/checkpoint',
  ];
  const memory = join(dirname(found.store), 'memory');
  await found.pipe(`notes --documents ${memory}`, `${script.join('\n')}\n`);
  await rm(found.store, { recursive: true });
  prompts.length = 0;
  requests.length = 0;
  const { exit, err, out } = await flamestack(`recover notes --store ${found.store} ${words}`, {
    stdin: typed('y'),
  });
  expect([exit, out]).toEqual([0, expect.stringContaining('We were working on Log-in')]);
  if (words === '') expect(err).toContain('Does this match where we left off?');
  return { ...found, asked: requests, prompts };
}

test('said to be right, the next prompt holds what was recovered', async () => {
  const { sit, prompts } = await lost();
  const { type, until, exit } = sit('notes');
  await until('I may have lost some context. Let me recover...');
  await until('We were working on Log-in');
  await until('Does this match where we left off? ([y]es, [n]o, or your next message)');
  type('y\r');
  await until('tokens left');
  type('Go on, please.\r');
  await until('The schema is written.');
  type('\x04');
  expect(await exit).toBe(0);
  const [prompt] = prompts;
  for (const part of [
    'Recovered context: We were working on Log-in',
    'Build a notes app',
    'Tokens live in cookies (locked)',
    'tokens are refreshed before they expire',
    'Go on, please.',
  ])
    expect(prompt).toContain(part);
  expect(prompt).toMatch(/^You /);
});

test('said to be wrong, it asks how it was, and the prompt holds that, as a message too', async () => {
  const { sit, prompts, asked } = await lost();
  const { type, until, exit } = sit('notes');
  await until('([y]es, [n]o, or your next message)');
  type('n\r');
  await until('Could you give me a quick recap of where we left off? (Enter to go on)');
  type('We were about to ship 2.0.\r');
  await until('The schema is written.');
  await until('tokens left');
  type('\x04');
  expect(await exit).toBe(0);
  expect(prompts[0]).toContain('<recovered>\nWe were about to ship 2.0.');
  expect(prompts[0]).not.toContain('Recovered context');
  expect(asked.map(newestIn)).toEqual(['We were about to ship 2.0.']);
});

const long = `${'Rename the column in the table of users and say what breaks. '.repeat(4)}Then stop.`;

test.each([
  ['a question', 'What is in the schema?\r', 'What is in the schema?'],
  ['a word that begins like an answer', 'now the tests\r', 'now the tests'],
  ['a line longer than any answer', `${long}\r`, long],
  ['a paste of lines', '\x1b[200~y\nn\nall of them\x1b[201~\r', 'y\nn\nall of them'],
])('%s is no answer but the next message, behind what was recovered', async (_, keys, text) => {
  const { sit, prompts, asked } = await lost();
  const { type, until, exit } = sit('notes');
  await until('or your next message)');
  type(keys);
  await until('The schema is written.');
  await until('tokens left');
  type('\x04');
  expect(await exit).toBe(0);
  expect(asked.map(newestIn)).toEqual([text]);
  expect(prompts[0]).toContain('Recovered context: We were working on Log-in');
});

test('no and how it was, in one line, is the recap and the message', async () => {
  const { sit, prompts, asked } = await lost();
  const { type, until, exit } = sit('notes');
  await until('or your next message)');
  type('No, we were about to ship 2.0.\r');
  await until('The schema is written.');
  await until('tokens left');
  type('\x04');
  expect(await exit).toBe(0);
  expect(asked.map(newestIn)).toEqual(['No, we were about to ship 2.0.']);
  expect(prompts[0]).toContain('<recovered>\nNo, we were about to ship 2.0.');
});

test('what was typed before the question is a message, whatever it says', async () => {
  const { sit, prompts, asked } = await lost();
  const { type, until, exit, out } = sit('notes');
  type('yes\r');
  await until('The schema is written.');
  await until('tokens left');
  type('\x04');
  expect(await exit).toBe(0);
  expect(out()).toContain('I may have lost some context. Let me recover...');
  expect(out()).not.toContain('or your next message');
  expect(asked.map(newestIn)).toEqual(['yes']);
  expect(prompts[0]).toContain('Recovered context: We were working on Log-in');
});

test('a command and an empty line leave the question open, and it is asked again', async () => {
  const { sit, asked } = await lost();
  const { type, until, exit } = sit('notes');
  await until('or your next message)');
  type('/status\r');
  await until('or your next message)');
  type('\r');
  await until('or your next message)');
  type('half a line\x03');
  type('y\r');
  type('Go on, please.\r');
  await until('The schema is written.');
  await until('tokens left');
  type('\x04');
  expect(await exit).toBe(0);
  expect(asked.map(newestIn)).toEqual(['Go on, please.']);
});

test.each([
  ['Ctrl-D', '\x04'],
  ['Ctrl-C', '\x03'],
])('who leaves without an answer by %s is asked again', async (_, key) => {
  const { sit, store } = await lost();
  for (let n = 0; n < 2; n += 1) {
    const seat = sit('notes');
    await seat.until('([y]es, [n]o, or your next message)');
    seat.type(key);
    expect(await seat.exit).toBe(0);
  }
  const { err } = await flamestack(`recover notes --yes --store ${store}`);
  expect(err).toContain('The next prompt begins with it');
});

test('with --yes nobody is asked, and where nobody is there neither', async () => {
  const { pipe, prompts } = await lost('--yes');
  const { err } = await pipe('notes', 'Go on, please.\n');
  expect(err).not.toContain('Does this match');
  expect(prompts[0]).toContain('Recovered context: We were working on Log-in');
  const other = await lost();
  await other.pipe('notes', 'Go on, please.\n');
  expect(other.prompts[0]).toContain('Recovered context: We were working on Log-in');
});
