import type { ImportOptions, ImportResult, Store } from '../../index.ts';
import { quote, storeArgument, storeFolder, type CommandCall } from '../call/call.ts';
import { exits, toFailure } from '../call/exit.ts';
import { reportFailure } from '../call/report.ts';
import { cleanLine } from '../paper/clean.ts';
import { many } from '../paper/size.ts';
import { skippedText } from '../play/summary.ts';
import { exists } from '../sessions/exists.ts';
import { withMadeStore } from '../sessions/made-store.ts';
import { windowsOf, windowText, type WindowChange } from '../sessions/window-change.ts';
import { progressLine, type ProgressLine } from './import-progress.ts';

/** Options of `import` alone. */
export interface ImportCommandOptions {
  readonly id?: string | undefined;
  readonly window?: number | undefined;
  readonly format?: string | undefined;
}

const schema = 'flamestack.import/1';

/** Takes session files into the store, one after the other; a bad one does not stop the rest. Gives the exit code. */
export async function importFiles(
  files: readonly string[],
  options: ImportCommandOptions,
  call: CommandCall,
): Promise<number> {
  const isAny = (await Promise.all(files.map(exists))).includes(true);
  const folder = isAny ? storeFolder(call) : ':memory:';
  return withMadeStore(folder, call, (store) => importInto(store, files, { options, call }));
}

async function importInto(
  store: Store,
  files: readonly string[],
  { options, call }: { readonly options: ImportCommandOptions; readonly call: CommandCall },
): Promise<number> {
  const { signal } = call.io;
  const results: ({ readonly file: string } & ImportResult)[] = [];
  let exit: number = exits.done;
  const progress = progressLine(call);
  const windows = new Map(options.window === undefined ? [] : await windowsOf(store));
  try {
    for (const file of files) {
      const result = await importOne(store, file, { options, call, progress }).catch(
        (error: unknown) => {
          if (signal.aborted) return null;
          reportFailure(toFailure(error, call), call);
          exit = exits.failed;
          return null;
        },
      );
      progress.clear();
      if (signal.aborted) break;
      if (result === null) continue;
      results.push({ file, ...result });
      const change = changeOf(windows, result.id, options.window);
      if (!call.json) call.print(...resultLines(file, result, { change, call }));
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
  if (results.length > 0) call.note(lookAt(results.at(-1)!.id, call));
  return exit;
}

async function importOne(
  store: Store,
  file: string,
  given: { options: ImportCommandOptions; call: CommandCall; progress: ProgressLine },
): Promise<ImportResult> {
  const { options, call, progress } = given;
  const { id, window, format } = options;
  progress.begin(file);
  const all: ImportOptions = {
    signal: call.io.signal,
    ...(id === undefined ? {} : { id }),
    ...(window === undefined ? {} : { window }),
    ...(format === undefined ? {} : { format }),
    ...(progress.isShown ? { onProgress: progress.update } : {}),
  };
  return store.import(file, all);
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

function resultLines(
  file: string,
  result: ImportResult,
  { change, call }: { change: WindowChange | null; call: CommandCall },
): readonly string[] {
  const { id, format, appended, skipped, subagents = 0 } = result;
  const added = appended === 0 ? 'nothing new' : `${many(appended, 'entry', 'entries')} added`;
  const news = change === null ? added : `${added}, ${windowText(change, call.paper().glyphs.to)}`;
  const first = `${cleanLine(id)}  ${format}  ${news}  (${cleanLine(file)})`;
  return [
    first,
    ...(subagents === 0 ? [] : [`  with ${many(subagents, 'file')} of subagents, each as a frame`]),
    ...(skipped.length === 0 ? [] : [`  skipped ${skippedText(skipped)}`]),
  ];
}

function lookAt(id: string, call: CommandCall): string {
  return `Look at it: flamestack show ${quote(cleanLine(id))}${storeArgument(call)}`;
}

function interrupted(call: CommandCall): number {
  call.note('Stopped. What was taken in is kept; the same command goes on from there.');
  return call.io.signal.reason as number;
}
