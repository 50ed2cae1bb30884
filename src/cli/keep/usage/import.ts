import { InvalidArgumentError, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { common, formatOption, windowOption } from '../../command-line/options.ts';
import type { ImportCommandOptions } from '../import.ts';

const examples = `
Lines that cannot be read are skipped; the first ten are named, --json names
all. A file that cannot be taken in, or most of whose lines cannot be read,
does not stop the others; the exit code is 1 at the end. What such a line says
once it is mended comes last, and it is told where it belongs. Of a folder all
files below it that end in .jsonl, .json or .traj are tried; what is no
session is passed over, and no link in it is followed.
With a session of Claude Code the files of its subagents are read, those beside
it and those in its folder; each becomes a frame where it was called, blocked
as long as its file tells no end.
With --follow the store is kept in step with an agent that works: it is open
only while something is taken in, so that others can use it meanwhile.

Examples
  flamestack import session.jsonl
  flamestack import ~/transcripts                  a folder, and all below it
  opencode export <id> | flamestack import -
  flamestack export notes | flamestack import - --id fork   a copy of a session
  flamestack import ~/.pi/agent/sessions/*/*.jsonl --window 16k
  flamestack import ~/.codex/sessions/*/*/*/*.jsonl
  flamestack import --all --store ~/sessions
  flamestack import ~/.claude/projects/<project>/<session>.jsonl --follow
  flamestack import chat.json --id planning --format openai
`;

/** Adds `import`. */
export function addImport(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('import')
    .description('Take session files into the store; a second time, only what is new.')
    .argument('[file...]', 'session files, folders of them, or - for one that is piped in')
    .option('--all', 'those here of Claude Code, Codex, Copilot CLI, Gemini CLI and pi')
    .option('--follow', 'go on as long as the files are written')
    .option('--id <id>', 'the session to import into; that of the file unless told')
    .addOption(windowOption('32k unless told'))
    .addOption(formatOption());
  common(command, examples).action(
    async (files: string[], options: ImportCommandOptions & CommonOptions) => {
      if (options.id !== undefined && files.length > 1)
        throw new InvalidArgumentError('--id takes one file, not several.');
      if (options.follow === true && files.includes('-'))
        throw new InvalidArgumentError('What is piped in cannot be followed.');
      if (files.length === 0 && options.all !== true)
        throw new InvalidArgumentError('Name a file, or say --all.');
      const { importFiles } = await import('../import.ts');
      settle(await importFiles(files, options, call(options)));
    },
  );
}
