import type { Command } from 'commander';
import { createRequire } from 'node:module';
import type { CommandSetup } from './call/call.ts';
import { addChat } from './chat/chat-usage.ts';
import { commandLine } from './command-line/command-line.ts';
import { addDoctor } from './doctor/doctor-usage.ts';
import { help } from './help.ts';
import type { Io } from './io.ts';
import { addBackup } from './keep/backup-usage.ts';
import { addCheckpoint } from './keep/checkpoint-usage.ts';
import { addExport } from './keep/export-usage.ts';
import { addImport } from './keep/import-usage.ts';
import { addRecover } from './keep/recover-usage.ts';
import { addSnapshot } from './keep/snapshot-usage.ts';
import { addUndo } from './keep/undo-usage.ts';
import { addVerify } from './keep/verify-usage.ts';
import { addBreadcrumbs } from './look/breadcrumbs-usage.ts';
import { addDiff } from './look/diff-usage.ts';
import { addExpand } from './look/expand-usage.ts';
import { addFrames } from './look/frames-usage.ts';
import { addLog } from './look/log-usage.ts';
import { addLs } from './look/ls-usage.ts';
import { addSearch } from './look/search-usage.ts';
import { addShow } from './look/show-usage.ts';
import { addTrace } from './look/trace-usage.ts';
import { addRun } from './play/run-usage.ts';

// How a command is called stands in its `…-usage.ts`, which is light; what it does is loaded when it is called.

const commands: readonly ((program: Command, making: CommandSetup) => void)[] = [
  addRun,
  addImport,
  addLs,
  addShow,
  addSearch,
  addTrace,
  addExpand,
  addBreadcrumbs,
  addCheckpoint,
  addRecover,
  addFrames,
  addLog,
  addExport,
  addSnapshot,
  addUndo,
  addVerify,
  addBackup,
  addDiff,
  addChat,
  addDoctor,
];

/** Runs the program with the words after its name; gives the exit code and never rejects. */
export function main(words: readonly string[], io: Io): Promise<number> {
  const { version } = createRequire(import.meta.url)('flamestack/package.json') as {
    version: string;
  };
  const { program, making, run } = commandLine('flamestack', io, words.includes('--json'));
  program.version(version, '-V, --version').helpCommand(false);
  program.helpInformation = () => help(version);
  for (const add of commands) add(program, making);
  const names = program.commands.map((command) => command.name());
  return run(words.length === 0 ? ['--help'] : withoutHelp(words, names));
}

/** `help` and `help <command>` as `--help`; an unknown command stays, and is refused. */
function withoutHelp(words: readonly string[], commands: readonly string[]): readonly string[] {
  const [first, named] = words;
  if (first !== 'help') return words;
  if (named === undefined || named.startsWith('-')) return ['--help'];
  return commands.includes(named) ? [named, '--help'] : [named];
}
