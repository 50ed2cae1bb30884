import { createReadStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { EngineError, isEngineError } from '../../core/values/error.ts';
import { splitLines, toBytes, toText } from './lines.ts';
import type { SourceLine, Source } from './step.ts';

/** What can be read as a session file: a path, a file URL, bytes, chunks as they come, or a source. */
export type SourceInput =
  | string
  | URL
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>
  | Source;

/** Bytes read from a file at once. */
const chunkSize = 256 * 1024;

/**
 * The source behind `input`. A string is a path; text that is already at hand
 * goes to {@link memorySource}. Throws `IMPORT_SOURCE_UNREADABLE`.
 */
export async function toSource(input: SourceInput): Promise<Source> {
  if (typeof input === 'string') return fileSource(input);
  if (input instanceof URL) return fileSource(fileURLToPath(input));
  if ('pick' in input) return input;
  return memorySource(input);
}

/**
 * A file, seen at the size that it has now: what is written to it later waits
 * for the next import. `chunk` is in bytes, 256 KiB unless told. Throws
 * `IMPORT_SOURCE_UNREADABLE` for what is missing, may not be read, or is no
 * regular file: opening a pipe may wait for ever, and a device has no end.
 */
export async function fileSource(path: string, chunk: number = chunkSize): Promise<Source> {
  const found = await guard(path, async () => {
    const found = await stat(path);
    if (found.isDirectory()) throw unreadable(path, 'is a directory');
    if (!found.isFile()) throw unreadable(path, 'is no regular file');
    await (await open(path, 'r')).close();
    return found;
  });
  const file: StoredFile = { path, size: found.size, chunk };
  const bytes: Seekable = { chunks: () => chunks(file), open: () => openWindow(file) };
  const modified = Math.floor(found.mtimeMs);
  return { name: path, path, size: found.size, modified, ...linesOf(bytes) };
}

/** Text or chunks, kept in memory; chunks are drawn at the first reading. */
export function memorySource(
  input: string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  name = 'input',
): Source {
  const whole = typeof input === 'string' || input instanceof Uint8Array;
  let size = whole ? Buffer.byteLength(input) : undefined;
  let kept: Promise<Buffer> | undefined;
  const drawn = async (signal?: AbortSignal): Promise<Buffer> => {
    const pieces: Buffer[] = [];
    for await (const piece of toBytes(whole ? [input] : input)) {
      pieces.push(piece);
      signal?.throwIfAborted();
    }
    const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    size = all.length;
    return all;
  };
  const all = (signal?: AbortSignal): Promise<Buffer> =>
    (kept ??= guard(name, () => drawn(whole ? undefined : signal)));
  const bytes: Seekable = {
    async *chunks(signal) {
      const one = await all(signal);
      if (one.length > 0) yield one;
    },
    open: () => ({
      read: async (start, end) => (await all()).subarray(start, end),
      close: async () => undefined,
    }),
  };
  return {
    name,
    get size() {
      return size;
    },
    ...linesOf(bytes),
  };
}

/** Bytes that are read from their beginning, and stretches of them. */
interface Seekable {
  chunks(signal?: AbortSignal): AsyncIterable<Buffer>;
  open(): Window;
}

/** The lines of bytes: all in turn, or those that are wanted. */
function linesOf(bytes: Seekable): Pick<Source, 'lines' | 'pick'> {
  /** Byte offset after each line, its line break included. */
  const ends: number[] = [];
  async function* lines(signal?: AbortSignal): AsyncIterable<SourceLine> {
    for await (const line of splitLines(bytes.chunks(signal), signal)) {
      ends[line.line - 1] = line.end;
      yield line;
    }
  }
  async function learn(last: number, signal?: AbortSignal): Promise<void> {
    if (ends.length >= last) return;
    for await (const line of lines(signal)) if (line.line >= last) return;
  }
  async function* pick(wanted: readonly number[], signal?: AbortSignal): AsyncIterable<SourceLine> {
    await learn(
      wanted.reduce((most, line) => Math.max(most, line), 0),
      signal,
    );
    const window = bytes.open();
    try {
      for (const line of wanted) {
        signal?.throwIfAborted();
        const end = ends[line - 1];
        if (end === undefined) continue;
        const start = ends[line - 2] ?? 0;
        yield { text: toText(await window.read(start, end), line === 1), line, end };
      }
    } finally {
      await window.close();
    }
  }
  return { lines, pick };
}

interface StoredFile {
  readonly path: string;
  readonly size: number;
  readonly chunk: number;
}

async function* chunks({ path, size, chunk }: StoredFile): AsyncIterable<Buffer> {
  if (size === 0) return;
  const stream = createReadStream(path, { end: size - 1, highWaterMark: chunk });
  try {
    for await (const piece of stream) yield piece as Buffer;
  } catch (error) {
    throw unreadable(path, reasonOf(error), error);
  } finally {
    stream.destroy();
  }
}

interface Window {
  read(start: number, end: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** Reads stretches of a file; neighbors come out of one read. */
function openWindow({ path, size, chunk }: StoredFile): Window {
  let handle: FileHandle | undefined;
  let held: Buffer = Buffer.alloc(0);
  let from = 0;
  return {
    read: (start, end) =>
      guard(path, async () => {
        if (start >= from && end <= from + held.length)
          return held.subarray(start - from, end - from);
        handle ??= await open(path, 'r');
        const length = Math.min(Math.max(chunk, end - start), size - start);
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
        held = buffer.subarray(0, bytesRead);
        from = start;
        return held.subarray(0, end - start);
      }),
    close: async () => handle?.close(),
  };
}

async function guard<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isEngineError(error) || !isSystemError(error)) throw error;
    throw unreadable(name, reasonOf(error), error);
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read';
  return typeof code === 'string' ? `cannot be read (${code})` : 'cannot be read';
}

function unreadable(name: string, reason: string, cause?: unknown): EngineError {
  return new EngineError('IMPORT_SOURCE_UNREADABLE', `"${name}" ${reason}`, {
    detail: { source: name, reason },
    cause,
  });
}
