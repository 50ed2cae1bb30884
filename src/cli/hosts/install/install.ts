import { existsSync, realpathSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { CommandCall } from '../../call/call.ts';
import { confirmed } from '../../call/confirmed.ts';
import { exits } from '../../call/exit.ts';
import { clean } from '../../paper/clean.ts';
import { agents, type AgentName } from './agents.ts';
import { changedLines } from './changed-lines.ts';
import { programWords } from './program-words.ts';
import type { SettingsEdit } from './settings-edit.ts';

/** Options of `install` and `uninstall`. */
export interface InstallOptions {
  readonly yes?: boolean | undefined;
}

/** Writes this program into the settings of an agent, once a person has seen how; gives the exit code. */
export async function install(
  name: AgentName,
  options: InstallOptions,
  call: CommandCall,
): Promise<number> {
  const program = programWords(call.io.env);
  const edits = await editsOf(name, call, ({ installed }, text) => installed(text, program));
  const store = resolve('.flamestack');
  // What is recorded is the person's own: git is not to take it.
  const ignore = join(store, '.gitignore');
  const isMissing = !existsSync(store) && agents[name].isRecorded;
  const all = isMissing ? [...edits, { file: ignore, before: null, after: '*\n' }] : edits;
  const isDone = await carryOut(all, {
    what: `Installing into ${agents[name].title}`,
    options,
    call,
  });
  if (isDone) call.note('', agents[name].next);
  return exits.done;
}

/** Takes this program out of the settings of an agent again; what was recorded stays. Gives the exit code. */
export async function uninstall(
  name: AgentName,
  options: InstallOptions,
  call: CommandCall,
): Promise<number> {
  const edits = await editsOf(name, call, ({ uninstalled }, text) => uninstalled(text));
  const what = `Uninstalling from ${agents[name].title}`;
  const isDone = await carryOut(edits, { what, options, call });
  if (isDone) call.note('', 'What was recorded stays in .flamestack.');
  return exits.done;
}

type AgentFile = ReturnType<(typeof agents)[AgentName]['files']>[number];

/** What changes in the files of an agent. */
async function editsOf(
  name: AgentName,
  call: CommandCall,
  after: (file: AgentFile, text: string | null) => string | null,
): Promise<readonly SettingsEdit[]> {
  const files: readonly AgentFile[] = agents[name].files({
    project: resolve('.'),
    env: call.io.env,
  });
  const edits = await Promise.all(
    files.map(async (file) => {
      const before = await textOf(file.path);
      return { file: file.path, before, after: after(file, before) };
    }),
  );
  return edits.filter((edit) => edit.before !== edit.after);
}

/** Shows the changes, asks, and makes them, all or none as far as files allow; whether it was done. */
async function carryOut(
  edits: readonly SettingsEdit[],
  { what, options, call }: { what: string; options: InstallOptions; call: CommandCall },
): Promise<boolean> {
  const changes = edits.map(({ file, before, after }) => ({
    file,
    lines: changedLines(before ?? '', after ?? ''),
  }));
  if (call.json) call.emit('flamestack.install/1', { changes });
  for (const { file, lines } of call.json ? [] : changes)
    call.print(clean(file), ...lines.map((line) => `  ${clean(line)}`), '');
  if (edits.length === 0) {
    call.note('Nothing to change.');
    return false;
  }
  if (options.yes !== true && !(await confirmed('Write this?', { what, isForGood: false, call }))) {
    call.note('Nothing was changed.');
    return false;
  }
  for (const edit of edits) await carryOutOne(edit);
  return true;
}

/** Puts a file in its place in one step; one of which nothing is left goes. */
async function carryOutOne({ file, before, after }: SettingsEdit): Promise<void> {
  if (after === null) return rm(file, { force: true });
  // A link stays a link: what it leads to is written.
  const place = before === null ? file : realpathSync(file);
  await mkdir(dirname(place), { recursive: true });
  const aside = `${place}.${process.pid}`;
  await writeFile(aside, after, { flag: 'wx' });
  if (before !== null) await chmod(aside, (await stat(place)).mode);
  await rename(aside, place);
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
