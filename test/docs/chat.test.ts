import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandWords } from '../../src/cli/chat/commands/slash-commands.ts';
import { flamestack } from '../cli/call.ts';

// The page names every command of a chat, and no option that there is not.

const page = readFileSync(new URL('../../docs/chat.md', import.meta.url), 'utf8');

test('docs/chat.md has a row for every command of a chat, in the order of /help', () => {
  const rows = [...page.matchAll(/^\| `(\/[a-z]+)/gm)].map(([, word]) => word!);
  expect(rows).toEqual(commandWords);
});

test('every option that docs/chat.md names is one of chat or doctor', async () => {
  const told = await Promise.all(['chat --help', 'doctor --help'].map((line) => flamestack(line)));
  const options = told.flatMap(({ out }) => out.match(/--[a-z]+(?:-[a-z]+)*/g) ?? []);
  const named = page.match(/(?<![\w-])--[a-z]+(?:-[a-z]+)*/g) ?? [];
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((option) => !options.includes(option))).toEqual([]);
});
