import { Option, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { parseDate } from '../../command-line/date.ts';
import { common, limitOption, paged } from '../../command-line/options.ts';
import type { ListOptions } from '../ls.ts';

const examples = `
A session is called by its title, or by the first request of a person;
sub-agents stand under theirs. Any command takes it by @1, @2, …, by its id or
the beginning of one, or by words of its title. "prompt" is what the next prompt
holds, in tokens, those of the server once it has counted; it and others are
left out where it is narrow, or nothing is known. In a pipe ids are whole. "To
write" is summaries that a model still owes.

Examples
  flamestack ls
  flamestack ls login form
  flamestack ls --project . --since 7d
  flamestack ls --agent codex --limit 5
  flamestack ls --json | jq -r '.sessions[0].id'
`;

/** Adds `ls`. */
export function addLs(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('ls')
    .description('List the sessions of the store, the latest first.')
    .argument(
      '[words...]',
      'only those with all of these words in title, folder, branch or agent, or as the beginning of the id',
    )
    .option('--project <folder>', 'a part of the path, or a folder itself: . or /home/me/shop')
    .addOption(
      new Option('--since <date>', 'said something then or later: 2026-11-20, 7d, 12h').argParser(
        parseDate,
      ),
    )
    .option('--agent <name>', 'of one agent: claude-code, codex, pi …')
    .addOption(limitOption('sessions', null));
  common(paged(command), examples).action(
    async (words: string[], options: ListOptions & CommonOptions) => {
      const { ls } = await import('../ls.ts');
      const { project, since, agent, limit } = options;
      settle(await ls({ project, since, agent, limit, words }, call(options)));
    },
  );
}
