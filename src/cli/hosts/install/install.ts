import { existsSync, realpathSync, statSync } from 'node:fs';
import { lstat, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { ownPlace } from '../../../adapters/project-store.ts';
import { isEngineError } from '../../../index.ts';
import type { CommandCall } from '../../call/call.ts';
import { confirmed } from '../../call/confirmed.ts';
import { exits } from '../../call/exit.ts';
import { putFile } from '../../call/put-file.ts';
import { clean } from '../../paper/clean.ts';
import { agents, type Agent, type AgentFile, type AgentName } from './agents.ts';
import { changedLines } from './changed-lines.ts';
import { hasComments } from './json-text.ts';
import { programWords, sharedWords } from './program-words.ts';
import { refusal, textOf, type Settings } from './settings.ts';

/** What a settings file holds, and what it is to hold; null for no file. */
interface SettingsEdit {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Whether it is meant for everybody who works on the project. */
  readonly isShared?: boolean;
}

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
  const shared = sharedWords(program, resolve('.'));
  const edits = await editsOf(name, call, ({ put, isShared }, settings) =>
    put(settings, isShared === true ? shared : program),
  );
  const store = ownPlace(resolve('.flamestack'), 'store');
  if (existsSync(store) && !statSync(store).isDirectory())
    throw refusal(store, 'are where the store would be, and are no folder');
  // What is recorded is the person's own: git is not to take it.
  const ignore = join(store, '.gitignore');
  const isMissing = !existsSync(store) && agents[name].isRecorded;
  const all = isMissing ? [...edits, { file: ignore, before: null, after: '*\n' }] : edits;
  await warnOfComments(name, call);
  const isDone = await carryOut(all, {
    what: `Installing into ${agents[name].title}`,
    options,
    call,
  });
  if (isDone) call.note('', agents[name].next);
  const isByPath = shared.args.some((word) => isAbsolute(word));
  for (const { file } of isDone && isByPath ? edits.filter(({ isShared }) => isShared) : [])
    call.note(
      `"${clean(file)}" names this program by its path on this machine: keep that file out of git, or have the package in the project.`,
    );
  return exits.done;
}

/** Takes this program out of the settings of an agent again; what was recorded stays. Gives the exit code. */
export async function uninstall(
  name: AgentName,
  options: InstallOptions,
  call: CommandCall,
): Promise<number> {
  const edits = await editsOf(name, call, ({ take }, settings) => take(settings));
  const what = `Uninstalling from ${agents[name].title}`;
  const isDone = await carryOut(edits, { what, options, call });
  if (isDone) call.note('', 'What was recorded stays in .flamestack.');
  return exits.done;
}

/** Says which settings an agent will not read, so that what is put into them does nothing. */
async function warnOfComments(name: AgentName, call: CommandCall): Promise<void> {
  const { title, unread }: Agent = agents[name];
  for (const file of unread?.({ project: resolve('.'), env: call.io.env }) ?? []) {
    if (!hasComments(await readFile(file, 'utf8').catch(() => ''))) continue;
    const why = `${title} does not read "${clean(file)}", because comments stand in it: no hook there runs.`;
    call.note(why, 'Take the comments out; they are left where they are.', '');
  }
}

/** What changes in the files of an agent. */
async function editsOf(
  name: AgentName,
  call: CommandCall,
  changed: (file: AgentFile, settings: Settings) => Settings,
): Promise<readonly SettingsEdit[]> {
  const files: readonly AgentFile[] = agents[name].files({
    project: resolve('.'),
    env: call.io.env,
  });
  const edits = await Promise.all(
    files.map(async (file): Promise<SettingsEdit> => {
      const before = await settingsIn(file.path);
      const settings = { file: file.path, text: before ?? '' };
      const after = changed(file, settings);
      const { isShared = false, path } = file;
      return {
        file: path,
        before,
        after: after.text === before ? before : textOf(after),
        isShared,
      };
    }),
  );
  return edits.filter((edit) => edit.before !== edit.after);
}

/** Shows the changes, asks, and makes them, all or none; whether it was done. */
async function carryOut(
  edits: readonly SettingsEdit[],
  { what, options, call }: { what: string; options: InstallOptions; call: CommandCall },
): Promise<boolean> {
  const changes = edits.map(({ file, before, after }) => ({
    file,
    lines: changedLines(before ?? '', after ?? ''),
  }));
  // What cannot be asked about is refused before anything is printed.
  if (call.json && options.yes !== true && edits.length > 0)
    await confirmed('', { what, isForGood: false, call });
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
  const done: SettingsEdit[] = [];
  try {
    for (const edit of edits) {
      await carryOutOne(edit);
      done.push(edit);
    }
  } catch (error) {
    for (const { file, before, after } of done.toReversed())
      await carryOutOne({ file, before: after, after: before });
    throw error;
  }
  return true;
}

/** Puts a file in its place in one step; one of which nothing is left goes. */
async function carryOutOne({ file, before, after }: SettingsEdit): Promise<void> {
  if (after === null) return rm(file, { force: true });
  // A link stays a link: what it leads to is written.
  const place = before === null ? file : realpathSync(file);
  await mkdir(dirname(place), { recursive: true });
  await putFile(place, after, before === null ? {} : { exact: (await stat(place)).mode });
}

/** The text of a settings file; null where there is none. Throws `OPTION_INVALID` for what cannot be read or may not be written. */
async function settingsIn(file: string): Promise<string | null> {
  try {
    const text = await readFile(file, 'utf8');
    // Who runs as root could write to it all the same.
    if (((await stat(file)).mode & 0o222) === 0) throw refusal(file, 'may not be written to');
    return text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !(await isLink(file))) return null;
    if (code === undefined || isEngineError(error)) throw error;
    throw refusal(
      file,
      code === 'ENOENT' ? 'are a link that leads nowhere' : `cannot be read: ${code}`,
    );
  }
}

const isLink = async (file: string): Promise<boolean> =>
  (await lstat(file).catch(() => null))?.isSymbolicLink() === true;
