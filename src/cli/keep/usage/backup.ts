import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { common } from '../../command-line/options.ts';

const examples = `
The folder is a store like any other: \`flamestack ls --store <folder>\`. To go
back to it: \`flamestack restore <folder>\`. Records that are damaged are copied
as they are and named, and the command ends with code 4.

Examples
  flamestack backup ~/backups/flamestack-monday
  flamestack backup /mnt/usb/notes --store ~/notes/.flamestack
`;

/** Adds `backup`. */
export function addBackup(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('backup')
    .description('Copy the store into a new folder.')
    .argument('<folder>', 'a folder that is empty, or is not there yet');
  common(command, examples).action(async (folder: string, options: CommonOptions) => {
    const { backup } = await import('../whole/backup.ts');
    settle(await backup(folder, call(options)));
  });
}
