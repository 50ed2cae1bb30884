import { createRequire } from 'node:module';
import type { Command } from 'commander';
import type { CommandSetup } from './call.ts';
import { commandLine } from './command-line.ts';
import { help } from './help.ts';
import type { Io } from './io.ts';
import { addChat } from './usage/chat.ts';
import { addCheckpoint } from './usage/checkpoint.ts';
import { addDiff } from './usage/diff.ts';
import { addDoctor } from './usage/doctor.ts';
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

const commands: readonly ((program: Command, making: CommandSetup) => void)[] = [
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

/** `help` and `help <command>` as the words that mean the same; a command that there is not stays to be refused. */
function withoutHelp(words: readonly string[], commands: readonly string[]): readonly string[] {
  const [first, named] = words;
  if (first !== 'help') return words;
  if (named === undefined || named.startsWith('-')) return ['--help'];
  return commands.includes(named) ? [named, '--help'] : [named];
}
