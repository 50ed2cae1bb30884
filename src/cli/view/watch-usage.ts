import { Option, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../call/call.ts';
import { type SessionWords, common, meant, parseCount } from '../command-line/options.ts';
import type { WatchCommandOptions } from './watch.ts';

const examples = `
Reads beside whoever writes, and writes nothing. With --json each event is a
document that has the size of the prompt, too. To read an entry whole:
flamestack expand e12. To walk through what was: flamestack browse.

Examples
  flamestack watch                     the session that was written last
  flamestack watch notes --last 50
  flamestack watch --json | jq -r 'select(.kind == "compression").text'
`;

/** Adds `watch`. */
export function addWatch(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('watch')
    .description('Follow a session that another program writes, a line for each event.')
    .argument('[session...]', 'the latest unless told')
    .addOption(
      new Option('--last <n>', 'so many events of before first; 10 unless told').argParser(
        parseCount,
      ),
    );
  common(command, examples).action(
    async (said: SessionWords, options: WatchCommandOptions & CommonOptions) => {
      const { watch } = await import('./watch.ts');
      settle(await watch(meant(said), options, call(options)));
    },
  );
}
