import { Option, type Command } from 'commander';
import { sections } from '../../../names.ts';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import {
  type SessionWords,
  atOption,
  common,
  meant,
  paged,
  windowOption,
} from '../../command-line/options.ts';
import type { ShowOptions } from '../show.ts';

const examples = `
The session is an id, the beginning of one, or @1 (the latest), @2, …; unless
told it is the latest.
On a terminal long sections are cut to its height.
With --window all that was said is played through another window, in memory,
with the summarizer that is built in: how it would stand there, or did at the
turn, entry or time of --at.

Examples
  flamestack show
  flamestack show @2 --full
  flamestack show --window 32k                         what more room would show
  flamestack show --line                               for tmux, a prompt, …
  flamestack show notes --section working
  flamestack show --entry e6                           one entry, whole
`;

/** Adds `show`. */
export function addShow(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('show')
    .description('Show what the model sees now, section by section, and the frames.')
    .argument('[session...]', 'the latest unless told')
    .addOption(new Option('--section <name>', 'one section only').choices(sections))
    .option('--full', 'all of each section')
    .addOption(
      new Option('--line', 'one line, for the status line of another program').conflicts('section'),
    )
    .addOption(windowOption('as it would be in that one').conflicts('entry'))
    .addOption(atOption().conflicts('entry'))
    .addOption(
      new Option('--entry <id>', 'one entry of the log, whole: e1, e2, …').conflicts('section'),
    );
  common(paged(command), examples).action(
    async (said: SessionWords, options: ShowOptions & CommonOptions) => {
      const { line, window, at, entry } = options;
      if (line === true && [window, at, entry].every((one) => one === undefined)) {
        const { showLine } = await import('../show-line.ts');
        return settle(await showLine(meant(said), call(options)));
      }
      const { show } = await import('../show.ts');
      settle(await show(meant(said), options, call(options)));
    },
  );
}
