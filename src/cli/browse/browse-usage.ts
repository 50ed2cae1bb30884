import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../call/call.ts';
import { common } from '../command-line/options.ts';

const examples = `
The sessions of the store, and of each its prompt over time, what the model saw
at any moment, the log with what of it stood in the prompt, the frames, and what
a compression took away. ? lists the keys. It follows what another program
writes; nothing is written. In a browser: flamestack view.

Examples
  flamestack browse                  choose one of the sessions
  flamestack browse notes            the session whose id begins so
  flamestack browse login fails      the one with these words in its title
`;

/** Adds `browse`. */
export function addBrowse(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('browse')
    .description('Walk through sessions on this terminal, by keyboard.')
    .argument('[session...]', 'the list of sessions unless told');
  common(command, examples).action(async (said: readonly string[], options: CommonOptions) => {
    const { browse } = await import('./browse.ts');
    settle(await browse(said.length === 0 ? undefined : said.join(' '), call(options)));
  });
}
