import { Option, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../call/call.ts';
import { common } from '../command-line/options.ts';
import type { TestOptions } from './test.ts';

const examples = `
A script says step by step what happens to a session (user, assistant, tool,
push, pop, compress, crash …) and what must hold (expect): YAML, or a module
that exports scripts. Each runs in a store of its own, on a clock that stands
still. Exit codes: 4 where something is not as expected, 1 where a file has a
mistake. docs/testing.md has all steps and expectations.

Examples
  flamestack test examples/notes-app.test.yaml
  flamestack test tests/*.yaml --update              record prompts and traces
  flamestack test tests/*.yaml --reporter junit > report.xml
`;

/** Adds `test`. */
export function addTest(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('test')
    .description('Run scripts of sessions, and check what they expect.')
    .argument('<files...>', 'scripts: YAML, JavaScript, TypeScript')
    .option('--update', 'record prompts (window) and traces as they are now')
    .option('--watch', 'run again whenever a file changes')
    .addOption(
      new Option('--reporter <name>', 'spec unless told').choices(['spec', 'tap', 'junit']),
    );
  common(command, examples, null).action(
    async (files: readonly string[], options: TestOptions & CommonOptions) => {
      const { test } = await import('./test.ts');
      settle(await test(files, options, call(options)));
    },
  );
}
