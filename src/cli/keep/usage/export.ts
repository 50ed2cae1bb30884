import { Option, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { common } from '../../command-line/options.ts';
import type { ExportOptions } from '../export.ts';

const examples = `
Examples
  flamestack export notes > notes.jsonl
  flamestack export --as md | less
`;

/** Adds `export`. */
export function addExport(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('export')
    .description('Write all that was said to stdout: lines for `import`, or text to read.')
    .argument('[session]', 'the latest unless told')
    .addOption(new Option('--as <form>', 'jsonl unless told').choices(['jsonl', 'md']));
  common(command, examples).action(
    async (said: string | undefined, options: ExportOptions & CommonOptions) => {
      const { exportLog } = await import('../export.ts');
      settle(await exportLog(said, options, call(options)));
    },
  );
}
