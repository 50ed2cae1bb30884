import { Option, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import {
  type SessionWords,
  atOption,
  common,
  meant,
  paged,
  parseCount,
} from '../../command-line/options.ts';
import type { LogCommandOptions } from '../log.ts';

const examples = `
Examples
  flamestack log | less -R
  flamestack log notes --frame f3 --reverse --limit 20
  flamestack log --at 40 --json | jq -r .place.place | sort | uniq -c
`;

/** Adds `log`. */
export function addLog(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('log')
    .description('List all that was said, a line each, and where it is now or was then.')
    .argument('[session...]', 'the latest unless told')
    .option('--frame <id>', 'in one frame: f3')
    .option('--reverse', 'the newest first')
    .addOption(new Option('--limit <n>', 'so many entries').argParser(parseCount))
    .addOption(atOption());
  common(paged(command), examples).action(
    async (said: SessionWords, options: LogCommandOptions & CommonOptions) => {
      const { log } = await import('../log.ts');
      settle(await log(meant(said), options, call(options)));
    },
  );
}
