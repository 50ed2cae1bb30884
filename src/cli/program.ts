import type { Command } from 'commander';
import { addBrowse, addOpen } from './browse/browse-usage.ts';
import type { CommandSetup } from './call/call.ts';
import { addMan } from './man-usage.ts';
import { addVersion } from './version-usage.ts';
import { version } from './call/version.ts';
import { addChat } from './chat/chat-usage.ts';
import { commandLine } from './command-line/command-line.ts';
import { helpText } from './command-line/help-text.ts';
import { exits, toFailure } from './call/exit.ts';
import { reportFailure } from './call/report.ts';
import { configured } from './config/configured.ts';
import { addConfig } from './config/config-usage.ts';
import { addCompletion } from './completion/completion-usage.ts';
import { completing } from './completion/shell-scripts.ts';
import { addCompact } from './keep/usage/compact.ts';
import { addExport } from './export/export-usage.ts';
import { addDoctor } from './doctor/doctor-usage.ts';
import { exitHelp, exitTopic, help } from './help.ts';
import { addHook } from './hosts/hook-usage.ts';
import { addInstall } from './hosts/install/install-usage.ts';
import { addMcp } from './hosts/mcp-usage.ts';
import { addInspect } from './inspect/inspect-usage.ts';
import type { Io } from './io.ts';
import { addBackup } from './keep/usage/backup.ts';
import { addCheckpoint } from './keep/usage/checkpoint.ts';
import { addImport } from './keep/usage/import.ts';
import { addRecover } from './keep/usage/recover.ts';
import { addRepair } from './keep/usage/repair.ts';
import { addRestore } from './keep/usage/restore.ts';
import { addRedact } from './keep/usage/redact.ts';
import { addSalvage } from './keep/usage/salvage.ts';
import { addRemove } from './keep/usage/rm.ts';
import { addSnapshot } from './keep/usage/snapshot.ts';
import { addUndo } from './keep/usage/undo.ts';
import { addVerify } from './keep/usage/verify.ts';
import { addBreadcrumbs } from './look/usage/breadcrumbs.ts';
import { addDiff } from './look/usage/diff.ts';
import { addExpand } from './look/usage/expand.ts';
import { addFrames } from './look/usage/frames.ts';
import { addLog } from './look/usage/log.ts';
import { addLs } from './look/usage/ls.ts';
import { addSearch } from './look/usage/search.ts';
import { addShow } from './look/usage/show.ts';
import { addTrace } from './look/usage/trace.ts';
import { addMachine } from './look/usage/machine.ts';
import { addReplay } from './play/replay/replay-usage.ts';
import { addRun } from './play/run-usage.ts';
import { addTest } from './test/test-usage.ts';
import { addView } from './view/view-usage.ts';
import { addWatch } from './view/watch-usage.ts';

// How a command is called stands in its `…-usage.ts`, which is light; what it does is loaded when it is called.

const commands: Readonly<Record<string, (program: Command, making: CommandSetup) => void>> = {
  run: addRun,
  replay: addReplay,
  test: addTest,
  import: addImport,
  ls: addLs,
  show: addShow,
  search: addSearch,
  trace: addTrace,
  expand: addExpand,
  breadcrumbs: addBreadcrumbs,
  checkpoint: addCheckpoint,
  recover: addRecover,
  frames: addFrames,
  log: addLog,
  watch: addWatch,
  export: addExport,
  snapshot: addSnapshot,
  undo: addUndo,
  redo: addUndo,
  verify: addVerify,
  backup: addBackup,
  restore: addRestore,
  repair: addRepair,
  redact: addRedact,
  rm: addRemove,
  salvage: addSalvage,
  compact: addCompact,
  diff: addDiff,
  machine: addMachine,
  inspect: addInspect,
  browse: addBrowse,
  open: addOpen,
  view: addView,
  chat: addChat,
  doctor: addDoctor,
  config: addConfig,
  hook: addHook,
  mcp: addMcp,
  install: addInstall,
  uninstall: addInstall,
  completion: addCompletion,
  man: addMan,
  version: addVersion,
};

/** Adds every command to a program; where the name of one is given, that one, as to add all of them takes longer than a short command does. */
export function addCommands(program: Command, making: CommandSetup, name = ''): void {
  const named = Object.hasOwn(commands, name) ? [commands[name]!] : Object.values(commands);
  for (const add of new Set(named)) add(program, making);
}

/** Runs the program with the words after its name; gives the exit code and never rejects. */
export async function main(words: readonly string[], surroundings: Io): Promise<number> {
  let io = surroundings;
  try {
    if (!isAboutItself(words) && !mendsSettings(words)) io = await configured(surroundings);
  } catch (error) {
    const failure = toFailure(error);
    reportFailure(failure, { io, json: words.includes('--json') });
    return failure.exit;
  }
  const { program, making, run } = commandLine('flamestack', io, words.includes('--json'));
  program.version(version(), '-V, --version').helpCommand(false);
  program.helpInformation = () => help(version());
  addCommands(program, making, words[0]);
  if (words[0] === completing) {
    const { complete } = await import('./completion/complete.ts');
    return complete(program, words.slice(1), io);
  }
  if (words[0] === 'help' && words[1] === exitTopic) {
    io.stdout.write(helpText(exitHelp(), io.stdout));
    return exits.done;
  }
  const names = program.commands.map((command) => command.name());
  return run(words.length === 0 ? ['--help'] : withoutHelp(words, names));
}

/** `help` and `help <command>` as `--help`; an unknown command stays, without its `--help`, and is refused. */
function withoutHelp(words: readonly string[], commands: readonly string[]): readonly string[] {
  const [first = '', named] = words;
  if (first !== 'help') {
    const isKnown = first.startsWith('-') || commands.includes(first);
    return isKnown ? words : words.filter((word) => word !== '--help' && word !== '-h');
  }
  if (named === undefined || named.startsWith('-')) return ['--help'];
  return commands.includes(named) ? [named, '--help'] : [named];
}

/** Whether it writes into a file of settings, which it does whatever else stands there: it mends one. */
const mendsSettings = ([first, ...others]: readonly string[]): boolean =>
  first === 'config' && others.some((word) => word === 'set' || word === 'unset');

/** Whether the program only says how it is called, which it does whatever files say. */
const isAboutItself = ([first, ...others]: readonly string[]): boolean =>
  first === undefined ||
  ['help', '--help', '-h', 'man', 'version', '--version', '-V'].includes(first) ||
  others.some((word) => word === '--help' || word === '-h');
