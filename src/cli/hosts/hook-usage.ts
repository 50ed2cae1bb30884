import { Argument, type Command } from 'commander';
import type { CommandSetup } from '../call/call.ts';
import { hookHosts } from './hook-event.ts';

const examples = `
\`flamestack install\` puts it into an agent's settings; nobody types it. The
event comes on stdin, the answer goes to stdout, and the exit code is 0,
whatever happens.

When a turn ends, what is new in the agent's own session file is taken into the
store of the project, by a process that the agent does not wait for. Before a
compaction the agent is told what its summary is for; after it, it is handed
what the log says of the work. Where there is no .flamestack in the folder or
above it, nothing is done.

Examples
  flamestack hook claude-code < event.json
`;

/** Adds `hook`. */
export function addHook(program: Command, { call, settle }: CommandSetup): void {
  program
    .command('hook')
    .description('Answer an event of an agent.')
    .addArgument(new Argument('<agent>', 'whose event it is').choices(hookHosts))
    .addHelpText('after', examples.trimEnd())
    .action(async (host: string) => {
      const { hook } = await import('./hook.ts');
      settle(await hook([host], call({}).io));
    });
}
