import { Command } from 'commander';
import { expect, test } from 'vitest';
import { candidatesFor } from '../../../src/cli/completion/candidates.ts';
import { addCommands } from '../../../src/cli/program.ts';
import { demoStore, flamestack } from '../call.ts';

const program = new Command();
addCommands(program, { call: () => expect.unreachable(), settle: () => undefined });

/** What the last word of a line may become; `files` where the shell looks for itself. */
async function valuesAfter(line: string): Promise<readonly string[] | string> {
  const found = await candidatesFor(program, line.split(' '), {
    sessions: async (store) => [
      { value: `${store ?? 'usual'}-1`, about: 'The login form', isTitled: true },
    ],
    agents: async () => [{ value: 'codex', about: '' }],
    models: async () => [{ value: 'llama3.2:3b', about: '' }],
  });
  return typeof found === 'string' ? found : found.map(({ value }) => value);
}

test('every command is there, as the program has it', async () => {
  const names = program.commands.map((command) => command.name());
  expect(await valuesAfter('')).toEqual(names);
  expect(await valuesAfter('help ')).toEqual([...names, 'exit-codes']);
});

test.each([
  ['sal', ['salvage']],
  ['nothing ', []],
  ['snapshot l', ['ls']],
  ['export --as ', ['jsonl', 'md', 'html', 'svg', 'speedscope', 'trace', 'otlp']],
  ['export --as=m', ['--as=md']],
  ['export --as = m', ['md']],
  ['export --store x --as j', ['jsonl']],
  ['install c', ['claude-code', 'codex', 'cursor']],
  ['completion f', ['fish']],
  ['show ', ['usual-1']],
  ['show --store old old', ['old-1']],
  ['show LOGIN', ['usual-1']],
  ['show "login', ['usual-1']],
  ['show login notes ', []],
  ['search --session u', ['usual-1']],
  ['view notes --beside ', ['usual-1']],
  ['ls --agent ', ['codex']],
  ['chat --model ', ['llama3.2:3b']],
  ['config set pa', ['pager']],
  ['config get win', ['window']],
  ['ls --dr', []],
  ['undo --dr', ['--dry-run']],
  ['undo --dry-run --dr', []],
  ['search -- --dr', []],
  ['search -- ', []],
  ['import ', ':files'],
  ['import a.jsonl ', ':files'],
  ['show --store ', ':files'],
])('%j becomes %j', async (line, values) => {
  expect(await valuesAfter(line)).toEqual(values);
});

test('sessions are those of the store, with their titles; without a store there are none', async () => {
  const store = await demoStore('8k');
  const env = { FLAMESTACK_STORE: store };
  const told = { exit: 0, out: 'demo\tTidy the parts\n', err: '' };
  expect(await flamestack('__complete show de', { env })).toEqual(told);
  expect(await flamestack('__complete show tidy', { env })).toEqual(told);
  expect(await flamestack(`__complete show --store ${store} d`)).toEqual(told);
  expect(await flamestack('__complete show --store /nowhere d')).toEqual({ ...told, out: '' });
});
