import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../call/call.ts';
import { common, meant, type SessionWords } from '../command-line/options.ts';

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
  common(command, examples).action(async (said: SessionWords, options: CommonOptions) => {
    const { browse } = await import('./browse.ts');
    settle(await browse(meant(said), call(options)));
  });
}

const examplesOfOpen = `
At a terminal it is \`browse\`, and asks which is meant where the words stand in
several titles; in a pipe, or with --json, it prints what \`show\` prints.

Examples
  flamestack open login form         the session with these words in its title
  flamestack open @2 | less
`;

/** Adds `open`. */
export function addOpen(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('open')
    .description('Open a session by words of its title: browse it here, or print it in a pipe.')
    .argument('[session...]', 'the list of sessions unless told; in a pipe the latest');
  common(command, examplesOfOpen).action(async (said: SessionWords, options: CommonOptions) => {
    const { open } = await import('./open.ts');
    settle(await open(meant(said), call(options)));
  });
}
