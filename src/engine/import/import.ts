import {
  anything,
  callable,
  checkArgument,
  objectOf,
  signal,
  text,
  type Schema,
} from '../../core/values/validation.ts';
import { fail, type EngineError } from '../../core/values/error.ts';
import { toSessionId } from '../../core/values/id.ts';
import { importerOf } from '../../import/formats.ts';
import { toSource, type SourceInput } from '../../import/source/source.ts';
import type { Source, Step } from '../../import/source/step.ts';
import { optionFields, type SessionOptions } from '../commands/configure.ts';
import { knownIn, type Known } from './known-steps.ts';
import { commandKey, play, type OpenedFrames, type Playable } from './import-step.ts';
import type { Session } from '../session/session.ts';
import { newStepsAhead } from './pipeline.ts';
import type { RecordStore } from '../../store/store.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import { abandonEntries } from '../sync/switch-branch.ts';

/** How a session file is imported. */
export interface ImportOptions extends SessionOptions {
  /** The session to import into; that of the file unless told. */
  readonly id?: string;
  /** The format; told from the content unless given. */
  readonly format?: string;
  readonly signal?: AbortSignal;
  /** Called after each step, the first of which opens the session; the import waits for what it returns. */
  readonly onProgress?: (progress: ImportProgress) => void | Promise<void>;
}

const importOptions = objectOf<ImportOptions>({
  ...optionFields,
  id: anything,
  format: text,
  signal,
  onProgress: callable,
});

const sourceSchema: Schema = {
  holds: isSource,
  takes: 'a path, a file URL, bytes, chunks, or what `textSource` made',
};

function isSource(source: unknown): boolean {
  if (typeof source === 'string') return true;
  if (source instanceof URL) return source.protocol === 'file:';
  if (typeof source !== 'object' || source === null) return false;
  return 'pick' in source || Symbol.iterator in source || Symbol.asyncIterator in source;
}

/** Refuses what cannot be read as a session file, and options that an import does not take; throws `OPTION_INVALID`, `SESSION_ID_INVALID`. */
export function checkImport(source: unknown, options: ImportOptions): void {
  checkArgument('source', source, sourceSchema);
  checkArgument('options', options, importOptions);
  if (options.id !== undefined) toSessionId(options.id);
}

/** How far an import is. */
export interface ImportProgress {
  readonly session: Session;
  /** What the step was; null at the very end. */
  readonly step: Step['type'] | null;
  /** The source line of the step, from 1; 0 for the opening of the session. */
  readonly line: number;
  /** Entries appended so far. */
  readonly appended: number;
  /** Bytes read, and of how many, where that is known. */
  readonly bytes: number;
  readonly size: number | undefined;
}

/** What an import did. */
export interface ImportResult {
  readonly id: string;
  readonly format: string;
  /** Entries that were added; those that the session had already are not among them. */
  readonly appended: number;
  readonly skipped: readonly { readonly line: number; readonly reason: string }[];
}

/** The window of a session that is imported without one, in tokens. */
const importWindow = 32_768;

/** How many steps may be under way before the import waits for the disk; fewer where fewer may wait. */
const mostAhead = 256;

/** Opens a session; `fresh` counts only where it is new. */
export type OpenFor = (
  id: string,
  options: SessionOptions,
  fresh: SessionOptions,
) => Promise<Session>;

/** What an import needs of a store. */
export interface Importing {
  readonly open: OpenFor;
  /** Calls that may wait in a session. */
  readonly maxQueued: number;
  /** Leaves the newest entries for another way; nothing where they are left, or not the newest. */
  readonly leave: (session: string, run: readonly [first: string, last: string]) => Promise<void>;
  /** What a command of this key was answered with; undefined for a new one. */
  readonly answered: (session: string, key: string) => Promise<unknown>;
}

/** Plays a session file into a store, step by step, as it happened. */
export async function importSession(
  { open, maxQueued, leave, answered }: Importing,
  from: SourceInput,
  options: ImportOptions,
): Promise<ImportResult> {
  const { id, format, signal, onProgress, ...given } = options;
  const source = await toSource(from);
  const importer = await importerOf(source, format, signal);
  const skipped: { line: number; reason: string }[] = [];
  const opened: OpenedFrames = { names: new Map(), open: [], leaving: null };
  const ahead = newStepsAhead(onProgress === undefined ? Math.min(mostAhead, maxQueued) : 1);
  let bytes = 0;
  let session: Session | null = null;
  let opening: (() => Promise<void>) | null = null;
  let before = 0;
  let known = null as Known | null;
  let last: Extract<Step, { type: 'pop' }> | null = null;
  const read = importer.read(source, {
    ...(signal === undefined ? {} : { signal }),
    onBytes: (done) => (bytes = done),
  });
  const tell = async (step: Step['type'], line: number): Promise<void> => {
    if (onProgress === undefined) return;
    const appended = session!.state.entries - before;
    await onProgress({ session: session!, step, line, appended, bytes, size: source.size });
  };
  let isLeaving = false;
  const leaveRun = async (): Promise<void> => {
    await ahead.done();
    if (opened.leaving !== null) await leave(session!.id, opened.leaving);
    opened.leaving = null;
    isLeaving = false;
  };
  const start = async (step: Playable): Promise<void> => {
    if (step.type === 'left') isLeaving = true;
    else if (isLeaving) await leaveRun();
    else if (step.type !== 'append') await ahead.done();
    const done = play(session!, step, opened).then((reason) => {
      if (reason !== null) skipped.push({ line: step.line, reason });
    });
    await ahead.add(done);
  };
  const take = async (step: Playable): Promise<void> => {
    for (const one of (await known?.place(step)) ?? [step]) await start(one);
    await tell(step.type, step.line);
  };
  try {
    for await (const step of read) {
      if (step.type === 'session') {
        opening = async () => {
          session = await open(id ?? step.id, given, {
            window: importWindow,
            ...headOf(step, given),
          });
          before = session.state.entries;
          if (importer.format === 'flamestack') {
            const isAnswered = async (one: Playable): Promise<boolean> =>
              (await answered(session!.id, commandKey(one))) !== undefined;
            known = knownIn({ session, opened, isAnswered });
          }
          await tell(step.type, 0);
        };
        continue;
      }
      if (step.type === 'skip') {
        skipped.push({ line: step.line, reason: step.reason });
        if (step.opens === true) {
          await ahead.done();
          opened.open.push(null);
        }
        continue;
      }
      await opening?.();
      opening = null;
      if (step.type !== 'append' && step.type !== 'left') await ahead.done();
      if (last !== null)
        skipped.push({ line: last.line, reason: 'closes the root, and more follows' });
      const isOutermost = opened.open.length === 0 && known?.isHolding() !== true;
      last = step.type === 'pop' && step.name === undefined && isOutermost ? step : null;
      if (last === null) await take(step);
    }
    if (last !== null) await take(last);
    if (isLeaving) await leaveRun();
    // A session in which nothing was said yet has a first line and no step.
    if (importer.format === 'flamestack' && skipped.length === 0) await opening?.();
    await ahead.done();
    for (const { line } of (await known?.close()) ?? [])
      skipped.push({ line, reason: 'the session went on without it' });
    if (session === null) throw nothingRead(source, importer.format, skipped);
    await (session as Session).settled();
    const { state } = session as Session;
    return { id: state.id, format: importer.format, appended: state.entries - before, skipped };
  } finally {
    await ahead.over();
    await known?.close();
    await (session as Session | null)?.close();
  }
}

/** What a file says of its session; its sizes only where no other window is given. */
function headOf(step: Extract<Step, { type: 'session' }>, given: SessionOptions): SessionOptions {
  const { system, title, window, reserve, markers } = step;
  const isSized = window !== undefined && given.window === undefined;
  return {
    ...(system === undefined ? {} : { system }),
    ...(title === undefined ? {} : { title }),
    ...(isSized ? { window } : {}),
    ...(isSized && reserve !== undefined ? { reserve } : {}),
    ...(markers === undefined ? {} : { markers }),
  };
}

/** The refusal of a file in which nothing could be read. */
function nothingRead(
  source: Source,
  format: string,
  skipped: ImportResult['skipped'],
): EngineError {
  return fail('IMPORT_EMPTY', `Nothing in ${source.name} could be read as ${format}`, {
    source: source.name,
    format,
    skipped: skipped.length,
  });
}

/** Does `work`, and counts the sessions that it opens as being imported into until it ends. */
export async function whileImporting<T>(
  given: { readonly open: OpenFor; readonly lives: LiveSessions; readonly records: RecordStore },
  work: (importing: Omit<Importing, 'maxQueued'>) => Promise<T>,
): Promise<T> {
  const { open, lives, records } = given;
  const taking: LiveSession[] = [];
  const opening: OpenFor = async (id, options, fresh) => {
    const session = await open(id, options, fresh);
    const one = await lives.get(id);
    one.imports += 1;
    taking.push(one);
    return session;
  };
  try {
    return await work({
      open: opening,
      leave: async (id, run) => abandonEntries(await lives.get(id), records, run),
      answered: async (id, key) => (await lives.get(id)).answered(key),
    });
  } finally {
    for (const one of taking) one.imports -= 1;
  }
}
