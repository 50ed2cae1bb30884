import { Command, CommanderError } from 'commander';
import { callOf, quote, type CommandCall, type CommandSetup } from '../call/call.ts';
import { exits, toFailure, type Failure } from '../call/exit.ts';
import { PagerLeft } from '../call/paged-output.ts';
import { reportFailure } from '../call/report.ts';
import type { Io } from '../io.ts';
import { cleanLine } from '../paper/clean.ts';
import { helpText } from './help-text.ts';
import { isSimilar } from '../call/near.ts';

/** A program to which commands, arguments and options are added before it runs. */
export interface CommandLine {
  readonly program: Command;
  readonly making: CommandSetup;
  /** Runs the program with the words after its name; gives the exit code and never rejects. */
  readonly run: (words: readonly string[]) => Promise<number>;
}

/** The command line of the program with this name; `json` says how failures are told. */
export function commandLine(name: string, io: Io, json: boolean): CommandLine {
  let exit: number = exits.done;
  const program = new Command(name)
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: (text) => void io.stdout.write(helpText(text, io.stdout)),
      getOutHelpWidth: () => (io.stdout.isTTY === true && io.stdout.columns) || 80,
      writeErr: () => undefined,
      getOutHasColors: () => false,
    });
  let command = '';
  let call: CommandCall | undefined;
  program.hook('preAction', (_, called) => void (command = nameOf(called)));
  return {
    program,
    making: {
      call: (options) => (call = callOf(io, command, options)),
      settle: (code) => (exit = code),
    },
    async run(words) {
      try {
        await program.parseAsync(words, { from: 'user' });
        await call?.whenShown();
        return exit;
      } catch (error) {
        await call?.whenShown();
        if (error instanceof PagerLeft) return exits.done;
        const { aborted, reason } = io.signal;
        if (aborted && (error === reason || isAbort(error))) return reason as number;
        const failure =
          error instanceof CommanderError
            ? usageFailure(error, program, words)
            : toFailure(error, call);
        if (failure === null) return exits.done;
        reportFailure(await named(failure, call), { io, json });
        if (io.env['FLAMESTACK_DEBUG'] && error instanceof Error)
          io.stderr.write(`${error.stack}\n`);
        // That a store is refused as damaged is what a check was to find.
        const isFound = command === 'verify' && failure.code === 'STORE_DAMAGED';
        return isFound ? exits.check : failure.exit;
      }
    },
  };
}

/** A failure with the durable machine that has the name of a session that is not there; to look for it is loaded then alone. */
async function named(failure: Failure, call: CommandCall | undefined): Promise<Failure> {
  if (failure.code !== 'SESSION_NOT_FOUND' || call === undefined) return failure;
  const { withMachineNamed } = await import('../call/machine-named.ts');
  return withMachineNamed(failure, call);
}

/** The name of a command, with those that it belongs to: `snapshot restore`. */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent == null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}

/** Whether a wait was cut short. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** The failure of a wrong command line; null for help and version, which are none. */
function usageFailure(
  error: CommanderError,
  program: Command,
  words: readonly string[],
): Failure | null {
  if (error.exitCode === 0) return null;
  const command = program.commands.find((known) => known.name() === words[0]);
  const message =
    error.code === 'commander.help'
      ? `"${command?.name() ?? ''}" is followed by what to do`
      : cleanLine(plainMessage(withOurOption(error.message, command)));
  if (isSessionOption.test(error.message) && takesSession(command))
    return sessionFailure(error.message, program, words);
  const excess = error.code === 'commander.excessArguments' ? command : undefined;
  if (excess !== undefined) return excessFailure(excess);
  const called = command === undefined ? program.name() : `${program.name()} ${command.name()}`;
  const lists =
    command === undefined && program.commands.length > 0 ? 'commands and options' : 'its options';
  const isWord = error.code === 'commander.unknownOption' && takesText(command);
  const dashed = isWord ? ' What begins with a dash and is no option stands behind --.' : '';
  const advice = `\`${called} --help\` lists ${lists}.${dashed}`;
  return { code: 'USAGE', message, detail: {}, advice, exit: exits.usage };
}

/** Whether a command is given a text, which may hold anything. */
const takesText = (command: Command | undefined): boolean =>
  command?.registeredArguments.some((one) => /^(?:words|sentence)$/.test(one.name())) ?? false;

/** The failure of a word that a command has no use for. */
function excessFailure(command: Command): Failure {
  const inner = command.commands.find((one) => one.args.length > 0) ?? command;
  const name = nameOf(inner);
  const word = cleanLine(inner.args[inner.registeredArguments.length] ?? '');
  const advice = inner.options.some(({ long }) => long === '--session')
    ? `A session is named by --session: flamestack ${name} --session ${quote(word)}`
    : `\`flamestack ${name} --help\` tells what it takes.`;
  const message = `"${name}" takes no "${word}"`;
  return { code: 'USAGE', message, detail: {}, advice, exit: exits.usage };
}

/** That a command has no option for its session. */
const isSessionOption = /^error: unknown option '--session(?:=[^']*)?'/;

/** Whether a command takes a session as it is said, behind what else it takes. */
const takesSession = (command: Command | undefined): boolean =>
  command?.registeredArguments.at(-1)?.name() === 'session';

/** The failure of a session that was given as an option, with how it is given. */
function sessionFailure(said: string, program: Command, words: readonly string[]): Failure {
  const at = words.findIndex((word) => /^--session(?:=|$)/.test(word));
  const [, joined] = /^--session=(.*)$/.exec(words[at]!) ?? [];
  const value = joined ?? words[at + 1];
  const rest = words.filter((_, n) => n !== at && (joined !== undefined || n !== at + 1));
  const called = [program.name(), ...rest, value ?? '<session>'].map((word) =>
    word === '<session>' ? word : quote(cleanLine(word)),
  );
  const message = cleanLine(said.replace(/^error: /, '').split('\n')[0]!);
  const advice = `A session is named without it: ${called.join(' ')}`;
  return { code: 'USAGE', message, detail: {}, advice, exit: exits.usage };
}

/** The message on an unknown option, with the one of the command that does that. */
function withOurOption(message: string, command: Command | undefined): string {
  const [said, option = '', value = '<turn>'] =
    /^error: unknown option '(--\w+)(?:=([^'\n]*))?'/.exec(message) ?? [];
  const ours = otherOptions.get(option);
  if (ours === undefined || !command?.options.some(({ long }) => long === ours)) return message;
  return `${said} (a moment is named by ${ours} ${value})`;
}

/** The parser's message without its jargon. */
function plainMessage(message: string): string {
  return withNearSuggestions(message.replace(/^error: /, '')).replace(
    /^command-argument value '(.*?)' is invalid for argument '(.*?)'\. /,
    '<$2> cannot be "$1". ',
  );
}

const suggestion =
  /^(unknown (?:command|option) '(.*?)')(?:\n\(Did you mean (?:one of )?(.*?)\?\))?$/;

/** What other programs call our commands. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['follow', 'watch'],
  ['recall', 'search'],
  ['list', 'ls'],
  ['sessions', 'ls'],
  ['find', 'search'],
  ['grep', 'search'],
  ['history', 'log'],
  ['status', 'show'],
  ['where', 'show --entry <id>'],
  ['serve', 'view'],
  ['check', 'doctor, or verify for a store'],
  ['freeze', 'snapshot create'],
  ['resume', 'chat'],
  ['play', 'run'],
  ['delete', 'rm'],
  ['remove', 'rm'],
]);

/** What other programs, and other commands of ours, call an option, in the commands that have ours. */
const otherOptions: ReadonlyMap<string, string> = new Map([['--turn', '--at']]);

/** The message on an unknown command or option, with the command of ours that does that, and without suggestions that are not similar. */
function withNearSuggestions(message: string): string {
  const [, said, word = '', names = ''] = suggestion.exec(message) ?? [];
  const ours = elsewhere.get(word);
  if (ours !== undefined) return `${said}\n(Did you mean ${ours}?)`;
  if (said === undefined || names.split(', ').some((name) => isSimilar(name, word))) return message;
  return said;
}
