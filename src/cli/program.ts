import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { callOf, type CommonOptions, type Making } from './call.ts';
import { exits, toFailure, type Failure } from './exit.ts';
import { help } from './help.ts';
import { isNear } from './near.ts';
import type { Io } from './io.ts';
import { cleanLine } from './render/clean.ts';
import { reportFailure } from './report.ts';
import { addChat } from './usage/chat.ts';
import { addCheckpoint } from './usage/checkpoint.ts';
import { addDiff } from './usage/diff.ts';
import { addDoctor } from './usage/doctor.ts';
import { addEval } from './usage/eval.ts';
import { addExpand } from './usage/expand.ts';
import { addExport } from './usage/export.ts';
import { addFrames } from './usage/frames.ts';
import { addImport } from './usage/import.ts';
import { addLog } from './usage/log.ts';
import { addLs } from './usage/ls.ts';
import { addRecover } from './usage/recover.ts';
import { addRun } from './usage/run.ts';
import { addSearch } from './usage/search.ts';
import { addShow } from './usage/show.ts';
import { addSnapshot } from './usage/snapshot.ts';
import { addTrace } from './usage/trace.ts';
import { addUndo } from './usage/undo.ts';

// A command is known by `usage/`, which is light; what it does is in `commands/` and comes when it is called.

const commands: readonly ((program: Command, making: Making) => void)[] = [
  addRun,
  addImport,
  addLs,
  addShow,
  addSearch,
  addTrace,
  addExpand,
  addCheckpoint,
  addRecover,
  addFrames,
  addLog,
  addExport,
  addSnapshot,
  addUndo,
  addDiff,
  addEval,
  addChat,
  addDoctor,
];

/** Runs the program with the words after its name; gives the exit code and never rejects. */
export async function main(words: readonly string[], io: Io): Promise<number> {
  let exit: number = exits.done;
  const program = programOf(io, (code) => (exit = code));
  const names = program.commands.map((command) => command.name());
  try {
    if (words.length === 0) program.outputHelp();
    else await program.parseAsync(withoutHelp(words, names), { from: 'user' });
    return exit;
  } catch (error) {
    if (io.signal.aborted && isAbort(error)) return io.signal.reason as number;
    const failure =
      error instanceof CommanderError
        ? usage(
            error,
            names.find((name) => name === words[0]),
          )
        : toFailure(error);
    if (failure === null) return exits.done;
    reportFailure(failure, { io, json: words.includes('--json') });
    if (io.env['FLAMESTACK_DEBUG'] && error instanceof Error) io.stderr.write(`${error.stack}\n`);
    return failure.exit;
  }
}

/** `help` and `help <command>` as the words that mean the same; a command that there is not stays to be refused. */
function withoutHelp(words: readonly string[], commands: readonly string[]): readonly string[] {
  const [first, named] = words;
  if (first !== 'help') return words;
  if (named === undefined || named.startsWith('-')) return ['--help'];
  return commands.includes(named) ? [named, '--help'] : [named];
}

/** Whether a wait was cut short. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** What a wrong command line fails with; null for help and version, which are none. */
function usage(error: CommanderError, command: string | undefined): Failure | null {
  if (error.exitCode === 0) return null;
  const message =
    error.code === 'commander.help'
      ? `"${command ?? ''}" is followed by what to do`
      : cleanLine(inOurWords(error.message));
  const advice =
    command === undefined
      ? '`flamestack --help` lists commands and options.'
      : `\`flamestack ${command} --help\` lists its options.`;
  return { code: 'USAGE', message, detail: {}, advice, exit: exits.usage };
}

/** What the parser says, without its own words for the parts of a command line. */
function inOurWords(message: string): string {
  return withNear(message.replace(/^error: /, '')).replace(
    /^command-argument value '(.*?)' is invalid for argument '(.*?)'\. /,
    '<$2> cannot be "$1". ',
  );
}

const suggestion = /^(unknown command '(.*?)')\n\(Did you mean (?:one of )?(.*?)\?\)$/;

/** The message about a command that there is not, without a suggestion that is not near. */
function withNear(message: string): string {
  const [, said, word = '', names = ''] = suggestion.exec(message) ?? [];
  if (said === undefined || names.split(', ').some((name) => isNear(name, word))) return message;
  return said;
}

function programOf(io: Io, settle: (code: number) => void): Command {
  const { version } = createRequire(import.meta.url)('flamestack/package.json') as {
    version: string;
  };
  const program = new Command('flamestack')
    .version(version, '-V, --version')
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: () => undefined,
      getOutHasColors: () => false,
    })
    .helpCommand(false);
  program.helpInformation = () => help(version);
  const making = { call: (options: CommonOptions) => callOf(io, options), settle };
  for (const add of commands) add(program, making);
  return program;
}
