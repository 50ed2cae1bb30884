import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import {
  common,
  limitOption,
  paged,
  sessionOption,
  wantWords,
} from '../../command-line/options.ts';
import type { TraceCommandOptions } from '../trace.ts';

const examples = `
A sentence that stands in a checkpoint is looked for in the entries behind it;
any other in the whole log.

Examples
  flamestack trace "Tokens live in a cookie"
  flamestack trace c2 --limit 10                       what it is made of
`;

/** Adds `trace`. */
export function addTrace(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('trace')
    .description('Find where a sentence of a summary comes from, or a checkpoint does.')
    .argument('<sentence...>', 'the sentence, or the id of a checkpoint: c2')
    .addOption(sessionOption())
    .option('--checkpoint <id>', 'the checkpoint that it stands in')
    .addOption(limitOption('sources', 5));
  common(paged(command), examples).action(
    async (words: string[], options: TraceCommandOptions & CommonOptions) => {
      wantWords(words, 'sentence');
      const { trace } = await import('../trace.ts');
      settle(await trace(words, options, call(options)));
    },
  );
}
