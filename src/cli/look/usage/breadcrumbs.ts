import { Option, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { common, paged, sessionOption } from '../../command-line/options.ts';
import type { BreadcrumbsOptions } from '../breadcrumbs.ts';

const examples = `
A breadcrumb says where to look for what left the window: a path, a name, a
command, an address, or the entry of a decision. The entries that it names are
opened with flamestack expand. The exit code is 3 if there is none.

Examples
  flamestack breadcrumbs
  flamestack breadcrumbs auth --type file --session notes
  flamestack breadcrumbs --checkpoint c2 --json
`;

/** Adds `breadcrumbs`. */
export function addBreadcrumbs(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('breadcrumbs')
    .description('List where to look for what left the window.')
    .argument('[words...]', 'only those that hold all of these words')
    .addOption(sessionOption())
    .addOption(
      new Option('--type <type>', 'of one type only').choices([
        'file',
        'function',
        'decision',
        'action',
        'external',
      ]),
    )
    .option('--checkpoint <id>', 'those of one checkpoint: c2');
  common(paged(command), examples).action(
    async (words: string[], options: BreadcrumbsOptions & CommonOptions) => {
      const { breadcrumbs } = await import('../breadcrumbs.ts');
      settle(await breadcrumbs(words, options, call(options)));
    },
  );
}
