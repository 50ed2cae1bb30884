import { createRequire } from 'node:module';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Section } from '../index.ts';
import { callOf, type Call, type CommonOptions } from './call.ts';
import type { ChatOptions } from './chat/options.ts';
import type { DoctorOptions } from './commands/doctor.ts';
import type { EvalOptions } from './commands/eval.ts';
import type { ImportCommandOptions } from './commands/import.ts';
import type { RecoverOptions } from './commands/recover.ts';
import type { RunOptions } from './commands/run.ts';
import type { ShowOptions } from './commands/show.ts';
import { exits, toFailure, type Failure } from './exit.ts';
import { examples, help } from './help.ts';
import type { Io } from './io.ts';
import {
  common,
  formatOption,
  hostOption,
  modelOption,
  openaiOption,
  parseBudgets,
  parseNames,
  parseOption,
  parseSpeed,
  parseTools,
  windowOption,
} from './option.ts';
import { addRecallCommands } from './recall-commands.ts';
import { addPastCommands, atOption } from './past-commands.ts';
import { cleanLine } from './render/clean.ts';
import { reportFailure } from './report.ts';

const sections: readonly Section[] = [
  'system',
  'human',
  'goal',
  'frames',
  'checkpoints',
  'ledger',
  'working',
];

/** Runs the program with the words after its name; gives the exit code and never rejects. */
export async function main(words: readonly string[], io: Io): Promise<number> {
  let exit: number = exits.done;
  const program = programOf(io, (code) => (exit = code));
  const commands = program.commands.map((command) => command.name());
  try {
    if (words.length === 0) program.outputHelp();
    else await program.parseAsync(withoutHelp(words, commands), { from: 'user' });
    return exit;
  } catch (error) {
    if (io.signal.aborted && isAbort(error)) return io.signal.reason as number;
    const failure =
      error instanceof CommanderError
        ? usage(
            error,
            commands.find((name) => name === words[0]),
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
      : cleanLine(error.message.replace(/^error: /, ''));
  const advice =
    command === undefined
      ? '`flamestack --help` lists commands and options.'
      : `\`flamestack ${command} --help\` lists its options.`;
  return { code: 'USAGE', message, detail: {}, advice, exit: exits.usage };
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
  const call = (options: CommonOptions): Call => callOf(io, options);
  addRun(program, call, settle);
  addImport(program, call, settle);
  addLs(program, call, settle);
  addShow(program, call, settle);
  addRecallCommands(program, { call, settle, examples });
  addCheckpoint(program, call, settle);
  addRecover(program, call, settle);
  addPastCommands(program, { call, settle });
  addEval(program, call, settle);
  addChat(program, call, settle);
  addDoctor(program, call, settle);
  return program;
}

type CallOf = (options: CommonOptions) => Call;
type Settle = (code: number) => void;

function addRun(program: Command, call: CallOf, settle: Settle): void {
  const command = program
    .command('run')
    .description('Play a session file through a window and watch what happens.')
    .argument('<file>', 'a session file')
    .addOption(windowOption('8k unless told; a session of the store keeps its own'))
    .addOption(formatOption())
    .addOption(
      new Option('--speed <steps>', 'steps per second; about 25 s for a file on a terminal')
        .argParser(parseSpeed)
        .conflicts('fast'),
    )
    .option('--fast', 'do not wait between steps')
    .option('--tour', 'explain each thing when it happens first');
  common(command, examples.run, 'keep the session in this folder; in memory unless told').action(
    async (file: string, options: RunOptions & CommonOptions) => {
      const { run } = await import('./commands/run.ts');
      settle(await run(file, options, call(options)));
    },
  );
}

function addImport(program: Command, call: CallOf, settle: Settle): void {
  const command = program
    .command('import')
    .description('Take session files into the store; a second time, only what is new.')
    .argument('<file...>', 'session files')
    .option('--id <id>', 'the session to import into; that of the file unless told')
    .addOption(windowOption('32k unless told'))
    .addOption(formatOption());
  common(command, examples.import).action(
    async (files: string[], options: ImportCommandOptions & CommonOptions) => {
      if (options.id !== undefined && files.length > 1)
        throw new InvalidArgumentError('--id takes one file, not several.');
      const { importFiles } = await import('./commands/import.ts');
      settle(await importFiles(files, options, call(options)));
    },
  );
}

function addLs(program: Command, call: CallOf, settle: Settle): void {
  const command = program
    .command('ls')
    .description('List the sessions of the store, the latest first.');
  common(command, examples.ls).action(async (options: CommonOptions) => {
    const { ls } = await import('./commands/ls.ts');
    settle(await ls(call(options)));
  });
}

function addShow(program: Command, call: CallOf, settle: Settle): void {
  const command = program
    .command('show')
    .description('Show what the model sees now, section by section, and the frames.')
    .argument('[session]', 'the latest unless told')
    .addOption(new Option('--section <name>', 'one section only').choices(sections))
    .option('--full', 'all of each section')
    .addOption(atOption().conflicts('entry'))
    .addOption(
      new Option('--entry <id>', 'one entry of the log, whole: e1, e2, …').conflicts('section'),
    );
  common(command, examples.show).action(
    async (said: string | undefined, options: ShowOptions & CommonOptions) => {
      const { show } = await import('./commands/show.ts');
      settle(await show(said, options, call(options)));
    },
  );
}

function addCheckpoint(program: Command, call: CallOf, settle: Settle): void {
  const command = program
    .command('checkpoint')
    .description('Write where a session stands to the document of the day, and print it.')
    .argument('[session]', 'the latest unless told');
  common(command, examples.checkpoint).action(
    async (said: string | undefined, options: CommonOptions) => {
      const { checkpoint } = await import('./commands/checkpoint.ts');
      settle(await checkpoint(said, call(options)));
    },
  );
}

function addRecover(program: Command, call: CallOf, settle: Settle): void {
  const command = program
    .command('recover')
    .description('Rebuild where a session stood, so that the next prompt begins with it.')
    .argument('[session]', 'the latest unless told')
    .option('--from <folder>', 'checkpoint documents to read: a folder, or one of its files')
    .addOption(windowOption('of a session begun anew; 8k unless told'));
  common(command, examples.recover).action(
    async (said: string | undefined, options: RecoverOptions & CommonOptions) => {
      const { recover } = await import('./commands/recover.ts');
      settle(await recover(said, options, call(options)));
    },
  );
}

function addEval(program: Command, call: CallOf, settle: Settle): void {
  const command = program
    .command('eval')
    .description('Measure what a window keeps of session files, beside the usual methods.')
    .argument('<file...>', 'session files')
    .addOption(
      new Option(
        '--budget <tokens>',
        'one or more: 8k,16k; 8000,16000,32000 unless told',
      ).argParser(parseBudgets),
    )
    .addOption(
      new Option('--method <names>', 'some only: flamestack,keep-last').argParser(parseNames),
    )
    .option('--flat', 'all messages as one frame, whatever the file says')
    .option('--trigger <share>', 'adds the method `tuned`: when the engine compresses')
    .option('--preserve-recent <tokens>', 'likewise: what stays verbatim, 2000 or 30%')
    .addOption(
      new Option('--option <name=value>', 'likewise: any option of a session').argParser(
        parseOption,
      ),
    )
    .addOption(formatOption());
  common(command, examples.eval, null).action(
    async (files: string[], options: EvalOptions & CommonOptions) => {
      const { evalFiles } = await import('./commands/eval.ts');
      settle(await evalFiles(files, options, call(options)));
    },
  );
}

function addChat(program: Command, call: CallOf, settle: Settle): void {
  const command = program
    .command('chat')
    .description('Talk with a model on your own server, in a session that goes on for ever.')
    .argument('[session]', 'the latest chat unless told; a new name begins another')
    .addOption(modelOption('FLAMESTACK_MODEL, the one used last, or the only one, unless told'))
    .addOption(hostOption())
    .addOption(openaiOption())
    .addOption(windowOption('as the server has it, else 8k; a session keeps its own'))
    .option('--system <text>', 'the system prompt, or a file: @prompt.md')
    .addOption(
      new Option('--summarizer <who>', 'who writes summaries; the model unless told').choices([
        'model',
        'embedded',
      ]),
    )
    .addOption(
      new Option('--tools <names>', 'what the model may use here: files,shell').argParser(
        parseTools,
      ),
    )
    .option('--yes', 'let it use them without asking')
    .option('--no-frames', 'without tools for frames, goals and recall')
    .option('--think', 'show what it thinks')
    .option('--keep-alive <time>', 'how long the model stays loaded: 30m, -1 for ever')
    .option('--new', 'begin another session')
    .option('--once', 'all of stdin as one message');
  common(command, examples.chat).action(
    async (said: string | undefined, options: ChatOptions & CommonOptions) => {
      const { chat } = await import('./commands/chat.ts');
      settle(await chat(said, options, call(options)));
    },
  );
}

function addDoctor(program: Command, call: CallOf, settle: Settle): void {
  const command = program
    .command('doctor')
    .description('Check server, model, window and store, and say what to fix.')
    .addOption(modelOption('FLAMESTACK_MODEL, or the only one, unless told'))
    .addOption(hostOption())
    .addOption(openaiOption())
    .addOption(windowOption('as for a new chat'))
    .option('--no-load', 'do not load the model to look at its window');
  common(command, examples.doctor).action(async (options: DoctorOptions & CommonOptions) => {
    const { doctor } = await import('./commands/doctor.ts');
    settle(await doctor(options, call(options)));
  });
}
