import { whereaboutsOf } from '../../core/budget/options.ts';
import { toSessionId } from '../../core/values/id.ts';
import {
  anything,
  callable,
  checkArgument,
  objectOf,
  signal,
  text,
  type Schema,
} from '../../core/values/validation.ts';
import type { Step } from '../../import/source/step.ts';
import { optionFields, type SessionOptions } from '../commands/configure.ts';
import type { Session } from '../session/session.ts';
import type { LateEntry } from './late.ts';

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
  /** Entries that came to the log behind others which follow them in the file, as where a line was mended; left out for none. */
  readonly late?: readonly LateEntry[];
  /** How many files of subagents were read with it, each as a frame; left out for none. */
  readonly subagents?: number;
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

/** The options that a file gives a new session; its sizes only where no other window is given. */
export function freshOptions(
  head: Extract<Step, { type: 'session' }>,
  options: SessionOptions,
): SessionOptions {
  const { system, title, window, reserve, markers, model, provider } = head;
  const isSized = window !== undefined && options.window === undefined;
  return {
    ...(system === undefined ? {} : { system }),
    ...(title === undefined ? {} : { title }),
    ...(isSized ? { window } : {}),
    ...(isSized && reserve !== undefined ? { reserve } : {}),
    ...(markers === undefined ? {} : { markers }),
    ...(model === undefined ? {} : { model }),
    ...(provider === undefined ? {} : { provider }),
    ...whereaboutsOf(head),
  };
}
