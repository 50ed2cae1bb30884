import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { OllamaAsked } from '../../../../src/testing/index.ts';
import { flamestack } from '../../call.ts';
import { stage, type Stage } from '../../chat-stage.ts';

// The store is deleted, memory/ is not: the session is rebuilt from it, the
// person is asked, and the model is told.

const promptOf = ({ messages }: OllamaAsked): string =>
  messages.map(({ content }) => content).join('\n');

interface Lost extends Stage {
  /** The prompts since the store was deleted. */
  readonly prompts: string[];
}

/** A session that was played with documents on, and whose store is gone; rebuilt by `recover`. */
async function lost(words = ''): Promise<Lost> {
  const prompts: string[] = [];
  const found = await stage({
    reply(asked) {
      prompts.push(promptOf(asked));
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
  await found.pipe('notes', `${script.join('\n')}\n`);
  await rm(found.store, { recursive: true });
  prompts.length = 0;
  const { exit, err, out } = await flamestack(`recover notes --store ${found.store} ${words}`);
  expect([exit, out]).toEqual([0, expect.stringContaining('We were working on Log-in')]);
  if (words === '') expect(err).toContain('Does this match where we left off?');
  return { ...found, prompts };
}

test('said to be right, the next prompt holds what was recovered', async () => {
  const { sit, prompts } = await lost();
  const { type, until, exit } = sit('notes');
  await until('I may have lost some context. Let me recover...');
  await until('We were working on Log-in');
  await until('Does this match where we left off? [y]es/[n]o');
  type('y\r');
  await until('Context:');
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

test('said to be wrong, it asks how it was, and the prompt holds that', async () => {
  const { sit, prompts } = await lost();
  const { type, until, exit } = sit('notes');
  await until('[y]es/[n]o');
  type('n\r');
  await until('Could you give me a quick recap of where we left off?');
  type('We were about to ship 2.0.\r');
  await until('Context:');
  type('Go on, please.\r');
  await until('The schema is written.');
  type('\x04');
  expect(await exit).toBe(0);
  expect(prompts[0]).toContain('We were about to ship 2.0.');
  expect(prompts[0]).not.toContain('Recovered context');
});

test('who leaves without an answer is asked again', async () => {
  const { sit, store } = await lost();
  const first = sit('notes');
  await first.until('[y]es/[n]o');
  first.type('\x04');
  await first.until('Context:');
  first.type('\x04');
  await first.exit;
  const second = sit('notes');
  await second.until('[y]es/[n]o');
  second.type('\x04');
  await second.until('Context:');
  second.type('\x04');
  await second.exit;
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
