import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { type SessionWords, common, meant } from '../../command-line/options.ts';
import type { RemoveOptions } from '../rm.ts';

const examples = `
Nothing of the session is left in the store: no record, no table or log that
held one, and no checkpoint document; its id alone may stand in LevelDB's list
of files until that merges elsewhere. What cannot be reached is named: backups,
exported files, other sessions that say the same. Documents are those of the
store \`.flamestack\` beside them: in a copy of it, they stay.

Examples
  flamestack rm notes-app
  flamestack rm @3 --yes --json
`;

/** Adds `rm`. */
export function addRemove(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('rm')
    .description('Delete a session, and every byte of what it said.')
    .argument(
      '<session...>',
      'id, its beginning, @1 for the latest; where it asks, words of its title',
    )
    .option('--yes', 'do not ask');
  common(command, examples).action(
    async (session: SessionWords, options: CommonOptions & RemoveOptions) => {
      const { remove } = await import('../rm.ts');
      settle(await remove(meant(session)!, options, call(options)));
    },
  );
}
