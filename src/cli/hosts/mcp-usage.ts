import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../call/call.ts';

const examples = `
An agent starts it and speaks with it over stdin and stdout. Its tools: recall
finds what was said or done, word for word; recovery says where the work stands;
frame_… and goal_update keep frames and goal; checkpoint notes a state.
Each call opens the store for itself, so several agents share one.

The session is the agent's own where it says so and it is recorded, else the
latest of the store. Where there is none yet, the first call that notes
something begins "notes".

Examples
  flamestack mcp --session planning --store ~/notes
  flamestack install cursor                      writes it into the settings
  claude mcp add flamestack -- flamestack mcp    the same by hand
`;

/** Adds `mcp`. */
export function addMcp(program: Command, { call, settle }: CommandSetup): void {
  program
    .command('mcp')
    .description('Serve a store to agents, by the Model Context Protocol.')
    .option('--session <id>', 'the session to serve')
    .option('--store <folder>', 'FLAMESTACK_STORE, or .flamestack, unless told')
    .addHelpText('after', examples.trimEnd())
    .action(async (options: { session?: string } & CommonOptions) => {
      const { mcp } = await import('./mcp.ts');
      settle(await mcp(options, call(options)));
    });
}
