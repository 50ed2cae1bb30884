import { basename } from 'node:path';
import { isEngineError, type ImportOptions, type ImportResult, type Store } from '../../index.ts';
import { storeFolder, type CommandCall } from '../call/call.ts';
import { exits, toFailure, type Failure } from '../call/exit.ts';
import { piped, pipedFile } from '../call/piped.ts';
import { reportFailure } from '../call/report.ts';
import { toldWindow } from '../command-line/window.ts';
import { cleanLine } from '../paper/clean.ts';
import { many } from '../paper/size.ts';
import { hasSessionOf } from '../play/known-session.ts';
import { listedTitle } from '../sessions/words/frame-titles.ts';
import { exists } from '../sessions/store/exists.ts';
import { withMadeStore } from '../sessions/store/made-store.ts';
import { windowsOf, type WindowChange } from '../sessions/window-change.ts';
import { agentFiles, agentFolders } from './agent-files.ts';
import { followFiles } from './follow-files.ts';
import { progressLine, type ProgressLine } from './import-progress.ts';
import { namedFiles, type NamedFiles } from './named-files.ts';
import { endLines, lateLines, passedText, resultLines } from './import-lines.ts';

/** Options of `import` alone. */
export interface ImportCommandOptions {
  readonly id?: string | undefined;
  readonly window?: number | undefined;
  readonly format?: string | undefined;
  /** Also the sessions of every agent on this machine. */
  readonly all?: boolean | undefined;
  /** Go on as long as the files are written. */
  readonly follow?: boolean | undefined;
}

const schema = 'flamestack.import/1';

/** Takes session files into the store, one after the other; a bad one does not stop the rest. Gives the exit code. */
export async function importFiles(
  named: readonly string[],
  options: ImportCommandOptions,
  call: CommandCall,
): Promise<number> {
  if (options.window === undefined) toldWindow(call.io.env);
  const { files, found } = await filesOf(named, options, call);
  if (files.length === 0) return noFiles(named, call);
  const isQuiet = options.all === true || found.size > 0;
  const input = files.includes(piped) ? await pipedFile(call.io) : null;
  const exit = await importPass(files, options, { call, isQuiet, found, input });
  if (options.follow !== true || call.io.signal.aborted) return exit;
  call.note(`Following ${many(files.length, 'file')}; Ctrl-C ends it.`);
  await followFiles(files, {
    list: async () => (await filesOf(named, options, call)).files,
    take: (changed) => takeAgain(changed, options, { call, found }),
    signal: call.io.signal,
  });
  return interrupted(call);
}

/** Takes files in that were written to; false where another process has the store. */
async function takeAgain(
  files: readonly string[],
  options: ImportCommandOptions,
  { call, found }: Pick<PassSettings, 'call' | 'found'>,
): Promise<boolean> {
  try {
    await importPass(files, options, { call, isQuiet: true, isAgain: true, found, input: null });
    return true;
  } catch (error) {
    if (call.io.signal.aborted) return true;
    if (!isEngineError(error, 'STORE_IN_USE')) throw error;
    call.note(`${cleanLine(error.message)}; trying again.`);
    return false;
  }
}

async function filesOf(
  named: readonly string[],
  { all }: ImportCommandOptions,
  { io }: CommandCall,
): Promise<NamedFiles> {
  const { files, found } = await namedFiles(named);
  if (all !== true) return { files, found };
  return { files: [...files, ...[...(await agentFiles(io.env)).values()].flat()], found };
}

function noFiles(named: readonly string[], call: CommandCall): number {
  if (named.length > 0) {
    call.note(`No session file is in ${named.map(cleanLine).join(', ')}.`);
    if (call.json) call.emit(schema, { store: storeFolder(call), imported: [] });
    return exits.nothing;
  }
  const places = agentFolders(call.io.env).map(({ agent, folder }) => `${agent} (${folder})`);
  call.note(`No sessions were found of ${places.join(', ')}.`);
  if (call.json) call.emit(schema, { store: storeFolder(call), imported: [] });
  return exits.nothing;
}

/** How a pass over files is told of. */
interface PassSettings {
  readonly call: CommandCall;
  /** Whether only what is new is told of. */
  readonly isQuiet: boolean;
  /** Whether a pass without anything new is not worth a word. */
  readonly isAgain?: boolean;
  /** Files of folders, not all of which are sessions. */
  readonly found: ReadonlySet<string>;
  /** What was piped in. */
  readonly input: Uint8Array | null;
}

/** Takes files into the store, which is open only so long. */
async function importPass(
  files: readonly string[],
  options: ImportCommandOptions,
  { call, ...settings }: PassSettings,
): Promise<number> {
  const isAny = settings.input !== null || (await Promise.all(files.map(exists))).includes(true);
  const location = isAny ? storeFolder(call) : ':memory:';
  return withMadeStore({ location }, call, (store) =>
    importInto(store, files, { options, call, ...settings }),
  );
}

async function importInto(
  store: Store,
  files: readonly string[],
  settings: PassSettings & { readonly options: ImportCommandOptions },
): Promise<number> {
  const { options, call, isQuiet, isAgain = false, found, input } = settings;
  const { signal } = call.io;
  const passed: string[] = [];
  const results: ({ readonly file: string } & ImportResult)[] = [];
  let exit: number = exits.done;
  const progress = await progressLine(call, files);
  const windows = new Map(options.window === undefined ? [] : await windowsOf(store));
  try {
    for (const [at, file] of files.entries()) {
      progress.begin(at);
      const source = file === piped && input !== null ? input : file;
      const result = await importOne(store, source, { options, call, progress }).catch(
        (error: unknown) => {
          if (signal.aborted) return null;
          if (found.has(file) && isNoSession(error)) {
            passed.push(basename(file));
            return null;
          }
          // That holds for every file.
          if (isEngineError(error, 'WINDOW_TOO_SMALL')) throw error;
          reportFailure(ofFile(toFailure(error, call), file), call);
          exit = exits.failed;
          return null;
        },
      );
      progress.clear();
      if (signal.aborted) break;
      if (result === null) continue;
      results.push({ file, ...result });
      const change = changeOf(windows, result.id, options.window);
      if (isQuiet && result.appended === 0 && change === null) continue;
      if (!call.json) {
        const title = await listedTitle(store, result.id);
        call.print(...resultLines({ file, title, ...result }, { change, call }));
        if (result.late !== undefined) {
          const { late, id } = result;
          const { format } = options;
          const again = {
            file,
            id: await freeId(store, id),
            ...(format !== undefined && { format }),
          };
          call.print(...lateLines(late, again, call));
        }
      }
      if (await isMostlySkipped(store, result)) {
        exit = exits.failed;
        call.note('Most of its lines cannot be read. Is it of another format? --format <name>');
      }
    }
  } finally {
    progress.clear();
  }
  if (call.json) call.emit(schema, { store: storeFolder(call), imported: results });
  if (signal.aborted) return interrupted(call);
  call.note(...endLines(results, settings));
  if (passed.length > 0 && !isAgain) call.note(passedText(passed));
  return passed.length === files.length ? exits.nothing : exit;
}

/** A failure with the file that it is of, where it does not name it. */
function ofFile(failure: Failure, file: string): Failure {
  const { message, detail } = failure;
  if ('source' in detail) return failure;
  return { ...failure, message: `"${file}": ${message}`, detail: { ...detail, source: file } };
}

async function importOne(
  store: Store,
  file: string | Uint8Array,
  context: { options: ImportCommandOptions; call: CommandCall; progress: ProgressLine },
): Promise<ImportResult> {
  const { options, call, progress } = context;
  const { id, format } = options;
  const window = options.window ?? (await freshWindow(store, file, { options, call }));
  const all: ImportOptions = {
    signal: call.io.signal,
    ...(id === undefined ? {} : { id }),
    ...(window === undefined ? {} : { window }),
    ...(format === undefined ? {} : { format }),
    ...(progress.isShown ? { onProgress: progress.update } : {}),
  };
  return store.import(file, all);
}

/** An id that no session has: that of a session with a number. */
async function freeId(store: Store, id: string): Promise<string> {
  const begun = id.slice(0, longestBegun);
  const taken = new Set<string>();
  for await (const session of store.sessions({ prefix: begun })) taken.add(session.id);
  for (let n = 2; ; n += 1) if (!taken.has(`${begun}-${n}`)) return `${begun}-${n}`;
}

/** Letters of an id that leave room for a number: an id has 64. */
const longestBegun = 56;

/** Whether a file is no session, and not one that is damaged. */
const isNoSession = (error: unknown): boolean =>
  isEngineError(error, 'IMPORT_FORMAT_UNKNOWN') || isEngineError(error, 'IMPORT_EMPTY');

/** The window that a file of settings tells for a session that is new; undefined where none does, or the store has it. */
async function freshWindow(
  store: Store,
  file: string | Uint8Array,
  { options: { id, format }, call }: { options: ImportCommandOptions; call: CommandCall },
): Promise<number | undefined> {
  const envWindow = toldWindow(call.io.env);
  if (envWindow === undefined) return undefined;
  const formatOption = format === undefined ? {} : { format };
  const isKnown =
    id === undefined
      ? await hasSessionOf(store, file, formatOption)
      : (await windowsOf(store)).has(id);
  return isKnown ? undefined : envWindow;
}

/** The window that a session had and the one it has now, where they differ; keeps `windows` as they are now. */
function changeOf(
  windows: Map<string, number>,
  id: string,
  window: number | undefined,
): WindowChange | null {
  if (window === undefined) return null;
  const before = windows.get(id);
  windows.set(id, window);
  return before === undefined || before === window ? null : { before, window };
}

/** Whether more lines of a file were skipped than its session has entries. */
async function isMostlySkipped(store: Store, { id, skipped }: ImportResult): Promise<boolean> {
  if (skipped.length === 0) return false;
  await using session = await store.open(id);
  return skipped.length > session.state.entries;
}

function interrupted(call: CommandCall): number {
  call.note('Stopped. What was taken in is kept; the same command goes on from there.');
  return call.io.signal.reason as number;
}
