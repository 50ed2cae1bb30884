import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { type SessionWords, common, documentsOption, meant } from '../../command-line/options.ts';

const examples = `
The file is YYYY-MM-DD.md of the folder that you name, by the day in UTC; NOW.md
there says where the work stands. Without a folder nothing is written. A chat
writes there, too, where it is told the same.

Examples
  flamestack checkpoint --documents memory
  export FLAMESTACK_DOCUMENTS=memory
  flamestack checkpoint notes --json | jq -r .path
`;

/** Adds `checkpoint`. */
export function addCheckpoint(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('checkpoint')
    .description('Write where a session stands to the document of the day, and print it.')
    .argument('[session...]', 'the latest unless told')
    .addOption(documentsOption());
  common(command, examples).action(async (said: SessionWords, options: CommonOptions) => {
    const { checkpoint } = await import('../checkpoint.ts');
    settle(await checkpoint(meant(said), call(options)));
  });
}
