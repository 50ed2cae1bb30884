import { Option, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../call/call.ts';
import { type SessionWords, common, meant, windowOption } from '../command-line/options.ts';
import type { ViewOptions } from './view.ts';

const examples = `
How full the window was, turn by turn, where a compression or the end of a
frame emptied it, and what the model saw at each moment: in a page of this
machine, by a link that is printed. Nothing is written, and a chat may have the
session open. The page asks nobody else for anything, and ends with the command.
Another session stands beside it with --beside, or by the key b in the page:
both on one axis, with one playhead. Who has the link sees any of the store.

Examples
  flamestack view                  the latest session
  flamestack view notes --live     and what comes
  flamestack view login fails      the one with these words in its title
  flamestack view --window 32k     beside it what 32k would have kept
  flamestack view @1 --beside @2   two sessions, side by side
  flamestack view --link           the link again, from another terminal
`;

/** Adds `view`. */
export function addView(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('view')
    .description('Show a session in a browser: what the model saw, and what it had lost.')
    .argument('[session...]', 'the latest unless told')
    .addOption(
      new Option('--live', 'go on with what comes, whoever has the session open').conflicts(
        'window',
      ),
    )
    .addOption(
      new Option(
        '--beside <session>',
        'another session beside it: an id, its beginning, words of its title, or @2',
      ).conflicts('window'),
    )
    .addOption(windowOption('beside it the same session in this window'))
    .addOption(
      new Option('--link', 'only tell the links again of pages that are served').conflicts([
        'live',
        'beside',
        'window',
      ]),
    );
  common(command, examples).action(
    async (said: SessionWords, options: ViewOptions & CommonOptions) => {
      const { view } = await import('./view.ts');
      settle(await view(meant(said), options, call(options)));
    },
  );
}
