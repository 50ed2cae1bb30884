import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { common } from '../../command-line/options.ts';

const examples = `
Writes the files of the store anew, without what they hold of records that were
changed or deleted since. The store does so by itself, a little at a time; this
does it at once. Ctrl-C leaves a store that is whole, and partly done.

Examples
  flamestack compact
  flamestack compact --store ~/notes/.flamestack --json
`;

/** Adds `compact`. */
export function addCompact(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('compact')
    .description('Give back disk that the store does not need.');
  common(command, examples).action(async (options: CommonOptions) => {
    const { compact } = await import('../whole/compact.ts');
    settle(await compact(call(options)));
  });
}
