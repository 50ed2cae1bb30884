import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { type SessionWords, common, meant, windowOption } from '../../command-line/options.ts';
import type { RecoverOptions } from '../recover.ts';

const examples = `
Where the store or the session is gone, it is begun anew from the checkpoint
documents: those that --from or FLAMESTACK_DOCUMENTS names, or that lie in
memory/ beside the store. Without a name it is
the session that wrote last. The next chat asks whether what was recovered is
right. Documents that this store did not write as they stand there (it was lost,
somebody edited them, they came along with a folder) are shown first, and taken
in where you say so.

Examples
  flamestack recover
  flamestack recover --dry-run
  flamestack recover notes --from memory/2026-11-21.md
  flamestack recover notes --window 16k                the store is gone
`;

/** Adds `recover`. */
export function addRecover(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('recover')
    .description('Rebuild where a session stood, so that the next prompt begins with it.')
    .argument('[session...]', 'the latest unless told')
    .option('--from <folder>', 'checkpoint documents to read: a folder, or one of its files')
    .addOption(windowOption('of a session begun anew; 8k unless told'))
    .option(
      '--dry-run',
      'show where it stands and the sentence that the prompt would begin with, and do nothing',
    )
    .option('--yes', 'take it in unseen, and as it is: do not ask here, nor in the next chat');
  common(command, examples).action(
    async (said: SessionWords, options: RecoverOptions & CommonOptions) => {
      const { recover } = await import('../recover.ts');
      settle(await recover(meant(said), options, call(options)));
    },
  );
}
