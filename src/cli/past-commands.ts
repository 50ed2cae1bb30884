import { Argument, Option, type Command } from 'commander';
import type { Call, CommonOptions } from './call.ts';
import type { DiffOptions } from './commands/diff.ts';
import type { ExportOptions } from './commands/export.ts';
import type { FramesOptions } from './commands/frames.ts';
import type { LogCommandOptions } from './commands/log.ts';
import type { SnapshotOptions } from './commands/snapshot.ts';
import { momentHelp, parseMoment, type TypedMoment } from './moment.ts';
import { common } from './option.ts';
import { parseCount } from './recall-commands.ts';
import { pastExamples as examples } from './past-help.ts';

// Commands that look back at a session, and those that go back in it.

interface Making {
  readonly call: (options: CommonOptions) => Call;
  readonly settle: (code: number) => void;
}

/** `--at`. */
export function atOption(): Option {
  return new Option('--at <moment>', momentHelp).argParser(parseMoment);
}

const sessionOption = (): Option => new Option('--session <id>', 'the latest unless told');

/** Adds `frames`, `log`, `export`, `snapshot`, `undo`, `redo` and `diff`. */
export function addPastCommands(program: Command, making: Making): void {
  addLooks(program, making);
  addExport(program, making);
  addSnapshot(program, making);
  addWays(program, making);
  addDiff(program, making);
}

function addLooks(program: Command, { call, settle }: Making): void {
  const frames = program
    .command('frames')
    .description('Show the tree of frames, now or as it was.')
    .argument('[session]', 'the latest unless told')
    .addOption(atOption());
  common(frames, examples.frames).action(
    async (said: string | undefined, options: FramesOptions & CommonOptions) => {
      const { frames: run } = await import('./commands/frames.ts');
      settle(await run(said, options, call(options)));
    },
  );
  const log = program
    .command('log')
    .description('List all that was said, a line each, and where it is now or was then.')
    .argument('[session]', 'the latest unless told')
    .option('--frame <id>', 'in one frame: f3')
    .option('--reverse', 'the newest first')
    .addOption(new Option('--limit <n>', 'so many entries').argParser(parseCount))
    .addOption(atOption());
  common(log, examples.log).action(
    async (said: string | undefined, options: LogCommandOptions & CommonOptions) => {
      const { log: run } = await import('./commands/log.ts');
      settle(await run(said, options, call(options)));
    },
  );
}

function addExport(program: Command, { call, settle }: Making): void {
  const command = program
    .command('export')
    .description('Write all that was said to stdout: lines for `import`, or text to read.')
    .argument('[session]', 'the latest unless told')
    .addOption(new Option('--as <form>', 'jsonl unless told').choices(['jsonl', 'md']));
  common(command, examples.export).action(
    async (said: string | undefined, options: ExportOptions & CommonOptions) => {
      const { exportLog } = await import('./commands/export.ts');
      settle(await exportLog(said, options, call(options)));
    },
  );
}

function addSnapshot(program: Command, { call, settle }: Making): void {
  const command = program
    .command('snapshot')
    .description('Make, list, show, restore and remove moments to go back to.')
    .addHelpText('after', examples.snapshot.trimEnd());
  type Options = SnapshotOptions & CommonOptions;
  const verb = (name: string, about: string): Command =>
    command.command(name).description(about).addOption(sessionOption());
  common(verb('create [title]', 'Make one of this moment.'), examples.snapshot).action(
    async (title: string | undefined, options: Options) => {
      const { create } = await import('./commands/snapshot.ts');
      settle(await create(title ?? '', options, call(options)));
    },
  );
  common(verb('ls', 'List them, oldest first.'), examples.snapshot).action(
    async (options: Options) => {
      const { list } = await import('./commands/snapshot.ts');
      settle(await list(options, call(options)));
    },
  );
  common(verb('show <id>', 'Show what the model saw then.'), examples.snapshot).action(
    async (id: string, options: Options) => {
      const { show } = await import('./commands/show.ts');
      settle(await show(options.session, { at: { snapshot: id } }, call(options)));
    },
  );
  common(
    verb('restore <id>', 'Go back to it; what was said since stays.'),
    examples.snapshot,
  ).action(async (id: string, options: Options) => {
    const { restore } = await import('./commands/snapshot.ts');
    settle(await restore(id, options, call(options)));
  });
  common(verb('rm <id>', 'Take it off the list.'), examples.snapshot).action(
    async (id: string, options: Options) => {
      const { remove } = await import('./commands/snapshot.ts');
      settle(await remove(id, options, call(options)));
    },
  );
}

function addWays(program: Command, { call, settle }: Making): void {
  const about = {
    undo: 'Take back the newest compression, pop, push, restore or goal; nothing is erased.',
    redo: 'Take it again, until something new is decided.',
  };
  for (const way of ['undo', 'redo'] as const) {
    const command = program
      .command(way)
      .description(about[way])
      .argument('[session]', 'the latest unless told');
    common(command, examples[way]).action(
      async (said: string | undefined, options: CommonOptions) => {
        const { goBack } = await import('./commands/undo.ts');
        settle(await goBack(said, way, call(options)));
      },
    );
  }
}

function addDiff(program: Command, { call, settle }: Making): void {
  const command = program
    .command('diff')
    .description('Compare what the model saw at two moments: sections, entries, names lost.')
    .addArgument(new Argument('<before>', momentHelp).argParser(parseMoment))
    .addArgument(new Argument('[after]', 'now unless told').argParser(parseMoment))
    .addOption(sessionOption());
  common(command, examples.diff).action(
    async (
      before: TypedMoment,
      after: TypedMoment | undefined,
      options: DiffOptions & CommonOptions,
    ) => {
      const { diff } = await import('./commands/diff.ts');
      settle(await diff([before, after], options, call(options)));
    },
  );
}
