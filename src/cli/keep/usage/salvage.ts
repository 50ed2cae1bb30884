import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { common } from '../../command-line/options.ts';

const examples = `
For a store that is refused as damaged, or of which sessions cannot be opened.
It is only read. All that can be read of its files goes into a new store, and
what is lost is named; then the command ends with code 4. A session that lost
part of its journal goes on from before that, with all that was said since:
frames, goals, checkpoints and a system prompt of later are gone, and to be
given again. No id is given out again.
To have that in the place of the store: \`flamestack repair\`. Where there is a
backup, that is better: \`flamestack restore <backup>\`.

Examples
  flamestack salvage --to salvaged
  flamestack salvage ~/notes/.flamestack --to ~/notes/salvaged
  flamestack ls --store salvaged
`;

/** Adds `salvage`. */
export function addSalvage(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('salvage')
    .description('Write all that can be read of a damaged store into a new one.')
    .argument('[store]', 'FLAMESTACK_STORE, or .flamestack, unless told')
    .requiredOption('--to <folder>', 'the new store; a folder that is empty, or is not there yet');
  common(command, examples, null).action(
    async (store: string | undefined, { to, ...options }: CommonOptions & { to: string }) => {
      const { salvage } = await import('../whole/salvage.ts');
      settle(await salvage(to, call({ ...options, store })));
    },
  );
}
