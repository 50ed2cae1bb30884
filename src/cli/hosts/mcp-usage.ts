import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../call/call.ts';
import type { McpCommandOptions } from './mcp.ts';

const examples = `
An agent starts it and speaks with it over stdin and stdout. Its tools: recall
finds what was said or done, word for word; recovery says where the work stands;
frame_… and goal_update keep frames and goal; checkpoint notes a state.
The store is open for moments, so several agents share one.

With --http it serves many agents of this machine from one process, and prints
the settings that a host takes: address and token. The token is new each time.

The session is the agent's own where it says so and it is recorded, else the
latest of the store. Where there is none yet, the first call that notes
something begins "notes".

Examples
  flamestack mcp --session planning --store ~/notes
  flamestack mcp --http 4711                     over HTTP, for several agents
  flamestack install cursor                      writes it into the settings
  claude mcp add flamestack -- flamestack mcp    the same by hand
`;

/** Adds `mcp`. */
export function addMcp(program: Command, { call, settle }: CommandSetup): void {
  program
    .command('mcp')
    .description('Serve a store to agents, by the Model Context Protocol.')
    .option(
      '--session <id>',
      'an id, its beginning, words of its title, or @2; a new name begins one',
    )
    .option('--store <folder>', 'FLAMESTACK_STORE, or .flamestack, unless told')
    .addOption(
      new Option(
        '--http [port]',
        'serve over HTTP on this machine; a free port unless told',
      ).argParser(parsePort),
    )
    .option('--structured', 'answer in parts, too, for a program that reads JSON')
    .addHelpText('after', examples.trimEnd())
    .action(async (options: McpCommandOptions & CommonOptions) => {
      const { mcp } = await import('./mcp.ts');
      settle(await mcp(options, call(options)));
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new InvalidArgumentError('It takes a port, 1 to 65535.');
}
