import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { common, sessionOption } from '../../command-line/options.ts';
import type { SnapshotListOptions, SnapshotOptions, SnapshotRestoreOptions } from '../snapshot.ts';

const examples = `
Snapshots are numbers of records: they cost nothing, and a restore can be
undone.

Examples
  flamestack snapshot create "before the rewrite"
  flamestack snapshot ls --all
  flamestack snapshot restore s3
`;

/** Adds `snapshot` and what follows it. */
export function addSnapshot(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('snapshot')
    .description('Make, list, show, restore and remove moments to go back to.')
    .addHelpText('after', examples.trimEnd());
  type Options = SnapshotOptions & CommonOptions;
  const verb = (name: string, about: string): Command =>
    command.command(name).description(about).addOption(sessionOption());
  common(verb('create [title]', 'Make one of this moment.'), examples).action(
    async (title: string | undefined, options: Options) => {
      const { createSnapshot } = await import('../snapshot.ts');
      settle(await createSnapshot(title ?? '', options, call(options)));
    },
  );
  const ls = verb('ls', 'List them, oldest first.').option(
    '--all',
    'those too that were made before compressions and as the window filled',
  );
  common(ls, examples).action(async (options: Options & SnapshotListOptions) => {
    const { listSnapshots } = await import('../snapshot.ts');
    settle(await listSnapshots(options, call(options)));
  });
  common(verb('show <id>', 'Show what the model saw then.'), examples).action(
    async (id: string, options: Options) => {
      const { show } = await import('../../look/show.ts');
      settle(await show(options.session, { at: { snapshot: id } }, call(options)));
    },
  );
  const restore = verb('restore <id>', 'Go back to it; what was said since is left.').option(
    '--keep',
    'what was said since stays in the prompt',
  );
  common(restore, examples).action(
    async (id: string, options: Options & SnapshotRestoreOptions) => {
      const { restoreSnapshot } = await import('../snapshot.ts');
      settle(await restoreSnapshot(id, options, call(options)));
    },
  );
  common(verb('rm <id>', 'Take it off the list.'), examples).action(
    async (id: string, options: Options) => {
      const { removeSnapshot } = await import('../snapshot.ts');
      settle(await removeSnapshot(id, options, call(options)));
    },
  );
}
