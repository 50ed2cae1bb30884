import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { type SessionWords, atOption, common, meant, paged } from '../../command-line/options.ts';
import type { FramesOptions } from '../frames.ts';

const examples = `
Examples
  flamestack frames
  flamestack frames notes --at 40
  flamestack frames --json | jq .frames.children
`;

/** Adds `frames`. */
export function addFrames(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('frames')
    .description('Show the tree of frames, now or as it was.')
    .argument('[session...]', 'the latest unless told')
    .addOption(atOption());
  common(paged(command), examples).action(
    async (said: SessionWords, options: FramesOptions & CommonOptions) => {
      const { frames } = await import('../frames.ts');
      settle(await frames(meant(said), options, call(options)));
    },
  );
}
