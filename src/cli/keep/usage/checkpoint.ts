import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { type SessionWords, common, meant } from '../../command-line/options.ts';

const examples = `
The file is memory/YYYY-MM-DD.md beside the store, by the day in UTC;
FLAMESTACK_DOCUMENTS names another folder, or is off. A chat writes there too.

Examples
  flamestack checkpoint
  flamestack checkpoint notes --json | jq -r .path
`;

/** Adds `checkpoint`. */
export function addCheckpoint(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('checkpoint')
    .description('Write where a session stands to the document of the day, and print it.')
    .argument('[session...]', 'the latest unless told');
  common(command, examples).action(async (said: SessionWords, options: CommonOptions) => {
    const { checkpoint } = await import('../checkpoint.ts');
    settle(await checkpoint(meant(said), call(options)));
  });
}
