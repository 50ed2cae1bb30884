import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { common } from '../../command-line/options.ts';
import type { RestoreCommandOptions } from '../whole/restore.ts';

const examples = `
The backup stays. It is checked record by record, and so is the copy; one that
is damaged is refused. A store that is there is never written over: with --aside
it is moved first, while nobody has it open. To go back within a session:
\`flamestack snapshot restore\`, or \`flamestack undo\`.

Examples
  flamestack restore ~/backups/flamestack-monday
  flamestack restore ~/backups/flamestack-monday --aside .flamestack-old
`;

/** Adds `restore`. */
export function addRestore(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('restore')
    .description('Bring a backup of the whole store into its place.')
    .argument('<backup>', 'the folder that `flamestack backup` made')
    .option('--aside <folder>', 'where the store goes first that is there');
  common(command, examples).action(
    async (backup: string, options: CommonOptions & RestoreCommandOptions) => {
      const { restore } = await import('../whole/restore.ts');
      settle(await restore(backup, options, call(options)));
    },
  );
}
