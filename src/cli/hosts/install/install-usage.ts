import { Argument, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { common } from '../../command-line/options.ts';
import type { AgentName } from './agents.ts';
import type { InstallOptions } from './install.ts';

const names = [
  'claude-code',
  'codex',
  'pi',
  'opencode',
  'cursor',
] as const satisfies readonly AgentName[];

const examples = (way: string): string => `
Shows what would change in the agent's settings, asks, and writes it. Other
entries stay. \`uninstall\` takes it back; what was recorded stays.

claude-code   .claude/settings.local.json and .mcp.json of this folder
codex         hooks.json and config.toml in CODEX_HOME, or ~/.codex
pi            .pi/settings.json of this folder
opencode      opencode.json of this folder
cursor        .cursor/mcp.json of this folder

Claude Code and Codex record every turn in .flamestack of the project, tell
their compaction what its summary is for, and are handed what the log says of
the work after it. In pi the engine itself decides what each request holds.
All get the tools: recall, frames and more.

Examples
  flamestack ${way} claude-code
  flamestack ${way} codex --yes
`;

/** Adds `install` and `uninstall`. */
export function addInstall(program: Command, { call, settle }: CommandSetup): void {
  for (const way of ['install', 'uninstall'] as const) {
    const about = way === 'install' ? 'Write this into' : 'Take this out of';
    const command = program
      .command(way)
      .description(`${about} the settings of an agent.`)
      .addArgument(new Argument('<agent>', 'whose settings').choices(names))
      .option('-y, --yes', 'do not ask');
    common(command, examples(way), null).action(
      async (name: AgentName, options: InstallOptions & CommonOptions) => {
        const ways = await import('./install.ts');
        settle(await ways[way](name, options, call(options)));
      },
    );
  }
}
