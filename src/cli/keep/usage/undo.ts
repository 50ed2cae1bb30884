import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { type SessionWords, common, meant, paged } from '../../command-line/options.ts';
import type { GoBackOptions } from '../undo.ts';

const examples = {
  undo: `
It says what it takes back, and asks; where nobody sits at a terminal it takes
--yes. redo takes it again.

Examples
  flamestack undo
  flamestack undo --list
  flamestack undo --dry-run
  flamestack undo notes --yes --json
`,
  redo: `
Examples
  flamestack redo
`,
} as const;

/** Adds `undo` and `redo`. */
export function addUndo(program: Command, { call, settle }: CommandSetup): void {
  const about = {
    undo: 'Take back the newest compression, pop, push, invalidation, restore, goal or recovery from documents.',
    redo: 'Take it again, until something new is decided.',
  };
  for (const way of ['undo', 'redo'] as const) {
    const command = program
      .command(way)
      .description(about[way])
      .argument('[session...]', 'the latest unless told')
      .option('--dry-run', 'say what it would be, and do nothing')
      .option('--list', 'take none; show those that could be, the next one first');
    command.option('--yes', way === 'undo' ? 'do not ask' : 'as with undo; nothing is asked');
    common(paged(command), examples[way]).action(
      async (said: SessionWords, options: GoBackOptions & CommonOptions) => {
        const { goBack } = await import('../undo.ts');
        const pager = options.list === true && options.pager;
        settle(await goBack(meant(said), { way, options }, call({ ...options, pager })));
      },
    );
  }
}
