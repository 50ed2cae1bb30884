import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../call/call.ts';
import { common, formatOption, speedOption, windowOption } from '../command-line/options.ts';
import type { RunOptions } from './run.ts';

const examples = `
Reads session files of pi, Claude Code, Codex, OpenCode (\`opencode export\`),
Copilot CLI, Gemini CLI, Cursor, SWE-agent (.traj), OpenAI chat (JSON arrays)
and flamestack itself. After each step a prompt is assembled as a model would
get it; the exit code is 4 if one did not fit. Without --store nothing is kept.
On a terminal space pauses, the arrow keys step forward and back, Page Up, Page
Down and Home go further, End plays the rest at once, + and - change the speed,
q quits; in a pipe each thing that happens is a line.

Examples
  flamestack run examples/notes-app.jsonl --tour       with explanations
  opencode export <id> | flamestack run -
  flamestack run session.jsonl --window 16k --fast     without waiting
  flamestack run session.jsonl --json | jq -c 'select(.type == "summary")'
`;

/** Adds `run`. */
export function addRun(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('run')
    .description('Play a session file through a window and watch what happens.')
    .argument('<file>', 'a session file, or - for one that is piped in')
    .addOption(windowOption('8k unless told; a session of the store keeps its own'))
    .addOption(formatOption())
    .addOption(speedOption('about 25 s for a file on a terminal'))
    .option('--fast', 'do not wait between steps')
    .option('--tour', 'explain each thing when it happens first');
  common(command, examples, 'keep the session in this folder; in memory unless told').action(
    async (file: string, options: RunOptions & CommonOptions) => {
      const { run } = await import('./run.ts');
      settle(await run(file, options, call(options)));
    },
  );
}
