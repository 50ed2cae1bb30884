import { Option, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../call/call.ts';
import { parseStep } from '../command-line/moment.ts';
import { type SessionWords, common, meant, paged } from '../command-line/options.ts';
import type { InspectCommandOptions } from './inspect.ts';

const examples = `
Session, frames, compressions, recovery, effects and timers are actors. Each
line is a move of one: its step, the actor, the event, and where that led. What
is stored is decided again for it, without a model; nothing is written, and a
chat may have the session open. A step is a record: 120, e52 (when it came), a
time.

In a pipe, and in the file of --out, each line is a message of Stately's
inspector. They hold ids and counts and nothing of what was said, unless --text.

Examples
  flamestack inspect                               the latest session
  flamestack inspect notes --from 100 --to 120
  flamestack inspect notes --at e52                all actors as they were then
  flamestack inspect notes --live                  and what comes, until Ctrl-C
  flamestack inspect notes --live --page           the same in a browser
  flamestack inspect notes --out notes.jsonl
  flamestack inspect notes --json | jq -r .event.type | sort | uniq -c
`;

/** Adds `inspect`. */
export function addInspect(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('inspect')
    .description('Tell which state machine of a session went where, and why.')
    .argument('[session...]', 'the latest unless told')
    .addOption(
      new Option('--at <step>', 'all actors as they are after this step')
        .argParser(parseStep)
        .conflicts(['from', 'to', 'live']),
    )
    .addOption(new Option('--from <step>', 'the first step').argParser(parseStep))
    .addOption(new Option('--to <step>', 'the last step').argParser(parseStep).conflicts('live'))
    .option('--live', 'go on with what comes, whoever has the session open')
    .option('--text', 'with what was said, titles and goals')
    .addOption(
      new Option('--as <form>', 'table on a terminal, stately elsewhere, unless told')
        .choices(['table', 'stately'])
        .conflicts('json'),
    )
    .addOption(
      new Option('--page', 'show it in a page of this machine, and print the link').conflicts([
        'as',
        'out',
        'at',
      ]),
    )
    .option('--out <file>', 'write there what else goes to stdout; - is stdout')
    .option('--force', 'replace the file where there is one');
  common(paged(command), examples).action(
    async (said: SessionWords, options: InspectCommandOptions & CommonOptions) => {
      const { inspect } = await import('./inspect.ts');
      // What goes on is shown as it comes.
      const isWhole = options.live !== true && options.page !== true;
      const pager = isWhole && options.pager;
      settle(await inspect(meant(said), options, call({ ...options, pager })));
    },
  );
}
