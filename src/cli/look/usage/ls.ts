import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { common } from '../../command-line/options.ts';

const examples = `
Pending are pieces of work that a summarizer still owes. An id is never cut:
where it is narrow, columns are left out.

Examples
  flamestack ls
  flamestack ls --json | jq -r '.sessions[0].id'
`;

/** Adds `ls`. */
export function addLs(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('ls')
    .description('List the sessions of the store, the latest first.');
  common(command, examples).action(async (options: CommonOptions) => {
    const { ls } = await import('../ls.ts');
    settle(await ls(call(options)));
  });
}
