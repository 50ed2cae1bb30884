import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { common } from '../../command-line/options.ts';
import type { RestoreCommandOptions } from '../whole/restore.ts';

const examples = `
What \`flamestack salvage\` brings back is put into the place of the store, once
it is checked; the damaged store is kept, and it is told where. What is lost is
named, and then the command ends with code 4. Where nothing can be mended,
nothing is touched. Nobody else may have the store open.
Where there is a backup, that is better: \`flamestack restore <backup>\`.

Examples
  flamestack repair
  flamestack repair --store ~/notes/store --aside ~/notes/broken
`;

/** Adds `repair`. */
export function addRepair(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('repair')
    .description('Mend a damaged store as far as it can be, and keep the damaged one.')
    .option('--aside <folder>', 'for the damaged one; <store>.damaged unless told');
  common(command, examples).action(async (options: CommonOptions & RestoreCommandOptions) => {
    const { repair } = await import('../whole/repair.ts');
    settle(await repair(options, call(options)));
  });
}
