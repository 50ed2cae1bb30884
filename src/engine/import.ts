import { fail, isEngineError, type EngineError } from '../core/error.ts';
import { importerOf } from '../import/formats.ts';
import { toSource, type Input as SourceInput } from '../import/source.ts';
import type { Source, Step } from '../import/step.ts';
import type { Session } from './session.ts';
import type { SessionOptions } from './configure.ts';

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

/** How many steps may be under way before the import waits for the disk. */
const ahead = 256;

/** Opens a session; `fresh` counts only where it is new. */
export type OpenFor = (
  id: string,
  options: SessionOptions,
  fresh: SessionOptions,
) => Promise<Session>;

/** Plays a session file into a store, step by step, as it happened. */
export async function importSession(
  open: OpenFor,
  from: SourceInput,
  options: ImportOptions,
): Promise<ImportResult> {
  const { id, format, signal, onProgress, ...given } = options;
  const source = await toSource(from);
  const importer = await importerOf(source, format, signal);
  const skipped: { line: number; reason: string }[] = [];
  const plans = new Map<string, string>();
  let bytes = 0;
  let session: Session | null = null;
  let opening: (() => Promise<void>) | null = null;
  let before = 0;
  let pending: Promise<unknown>[] = [];
  const read = importer.read(source, {
    ...(signal === undefined ? {} : { signal }),
    onBytes: (done) => (bytes = done),
  });
  const tell = async (step: Step['type'], line: number): Promise<void> => {
    const appended = session!.state.entries - before;
    await onProgress?.({ session: session!, step, line, appended, bytes, size: source.size });
  };
  try {
    for await (const step of read) {
      if (step.type === 'session') {
        opening = async () => {
          session = await open(id ?? step.id, given, { window: importWindow, ...headOf(step) });
          before = session.state.entries;
          await tell(step.type, 0);
        };
        continue;
      }
      if (step.type === 'skip') {
        skipped.push({ line: step.line, reason: step.reason });
        continue;
      }
      await opening?.();
      opening = null;
      if (step.type !== 'append') await Promise.all(pending);
      const done = play(session!, step, plans).catch((error: unknown) => {
        if (!isEngineError(error) || !forgivable.has(error.code)) throw error;
        skipped.push({ line: step.line, reason: error.message });
      });
      pending.push(done);
      if (onProgress !== undefined) {
        await done;
        pending = [];
        await tell(step.type, step.line);
      } else if (pending.length >= ahead) {
        await Promise.all(pending);
        pending = [];
      }
    }
    await Promise.all(pending);
    if (session === null) throw nothingRead(source, importer.format, skipped);
    await (session as Session).settled();
    const { state } = session as Session;
    return { id: state.id, format: importer.format, appended: state.entries - before, skipped };
  } finally {
    await Promise.allSettled(pending);
    await (session as Session | null)?.close();
  }
}

function headOf(step: Extract<Step, { type: 'session' }>): SessionOptions {
  const { system, title } = step;
  return {
    ...(system === undefined ? {} : { system }),
    ...(title === undefined ? {} : { title }),
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

/** What is wrong with a single step of a file and need not end its import. */
const forgivable: ReadonlySet<string> = new Set([
  'FRAME_CHILDREN_LEFT',
  'FRAME_CLOSED',
  'FRAME_NOT_FOUND',
  'FRAME_STATUS',
  'FRAME_TITLE_TOO_LONG',
  'GOAL_TOO_LARGE',
  'MESSAGE_INVALID',
  'SESSION_COMPLETED',
]);

/** A title of this many characters is within its tokens in any script but a few. */
const shortTitle = 15;

/** Takes one step of a file into the session. */
async function play(
  session: Session,
  step: Exclude<Step, { type: 'session' | 'skip' }>,
  plans: Map<string, string>,
): Promise<unknown> {
  const key = { key: `import ${step.key}` };
  switch (step.type) {
    case 'append':
      return session.append(step.message, {
        ...key,
        ...(step.at === undefined ? {} : { at: step.at }),
      });
    case 'push':
      return session.push(step, key).catch((error: unknown) => {
        if (!isEngineError(error, 'FRAME_TITLE_TOO_LONG')) throw error;
        return session.push(
          { ...step, title: Array.from(step.title).slice(0, shortTitle).join('') },
          key,
        );
      });
    case 'plan':
      return session.frames.plan(step, key).then(({ id }) => plans.set(step.name, id));
    case 'start':
      return session.frames.start(plans.get(step.name) ?? step.name, key);
    case 'pop':
      return session.pop(step, key);
    case 'invalidate': {
      const frame =
        step.name === undefined ? session.state.active : (plans.get(step.name) ?? step.name);
      return session.frames.invalidate(frame, step.reason, key);
    }
    case 'goal':
      return session.goal.set(step.description, key);
  }
}
