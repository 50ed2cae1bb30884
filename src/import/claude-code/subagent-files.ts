import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { isEngineError } from '../../core/values/error.ts';
import { stringAt, toRecord } from '../source/record.ts';
import { fileSource } from '../source/source.ts';
import type { Source, SourceLine } from '../source/step.ts';

// Claude Code writes a subagent's lines to a file of its own:
//
//   project/<session>.jsonl
//   project/<session>/subagents/agent-<id>.jsonl      now
//   project/agent-<id>.jsonl                          of old, for all sessions
//
// They are read behind the lines of the session, as if they stood in its file.

/** A session file with the files of its subagents behind it. */
export interface SessionFiles extends Source {
  /** The file of a subagent that a line is of, and its number there; undefined for a line of the session file. */
  fileAt(line: number): { readonly file: string; readonly line: number } | undefined;
  /** Files of subagents that cannot be read, and why. */
  readonly unreadable: readonly string[];
}

/** The session file and the files of its subagents as one source. */
export async function sessionFiles(source: Source, signal?: AbortSignal): Promise<SessionFiles> {
  const unreadable: string[] = [];
  const sources = [source];
  for (const path of await subagentFilesOf(source, signal)) {
    try {
      sources.push(await fileSource(path));
    } catch (error) {
      if (!isEngineError(error, 'IMPORT_SOURCE_UNREADABLE')) throw error;
      unreadable.push(error.message);
    }
  }
  return { ...joined(sources), unreadable };
}

/** The sources as one; the bytes told are those of the first. */
function joined(sources: readonly Source[]): Omit<SessionFiles, 'unreadable'> {
  const [first] = sources as [Source];
  /** Lines before each source; known once all were read. */
  const starts: number[] = [];
  async function* lines(signal?: AbortSignal): AsyncIterable<SourceLine> {
    let last = 0;
    for (const [index, source] of sources.entries()) {
      const start = last;
      starts[index] = start;
      for await (const line of source.lines(signal)) {
        last = start + line.line;
        yield placed(line, start);
      }
    }
  }
  const indexOf = (line: number): number => starts.findLastIndex((start) => start < line);
  return {
    name: first.name,
    get size() {
      return first.size;
    },
    lines,
    async *pick(wanted, signal) {
      for (let at = 0; at < wanted.length;) {
        const index = indexOf(wanted[at] ?? 0);
        let end = at + 1;
        while (end < wanted.length && indexOf(wanted[end] ?? 0) === index) end += 1;
        const start = starts[index] ?? 0;
        const own = wanted.slice(at, end).map((line) => line - start);
        for await (const line of (sources[index] ?? first).pick(own, signal))
          yield placed(line, start);
        at = end;
      }
    },
    fileAt(line) {
      const index = indexOf(line);
      const source = sources[index];
      if (index < 1 || source === undefined) return undefined;
      return { file: basename(source.name), line: line - (starts[index] ?? 0) };
    },
  };
}

const placed = ({ text, line, end }: SourceLine, start: number): SourceLine =>
  start === 0 ? { text, line, end } : { text, line: start + line, end: 0 };

const isOwnFile = (name: string): boolean => /^agent-.*\.jsonl$/.test(name);

/** The files of the subagents of a session, by name; none for a source that is no file, or is such a file itself. */
async function subagentFilesOf(source: Source, signal?: AbortSignal): Promise<readonly string[]> {
  const { path } = source;
  if (path === undefined || isOwnFile(basename(path))) return [];
  const name = basename(path, '.jsonl');
  const inner = join(dirname(path), name, 'subagents');
  const isOwn = await isOwnFolder(inner, dirname(path));
  const files = isOwn ? (await namesIn(inner)).filter((file) => file.endsWith('.jsonl')) : [];
  const beside = (await namesIn(dirname(path))).filter(isOwnFile);
  const own: string[] = [];
  const session = beside.length === 0 ? undefined : await sessionOf(source, signal);
  for (const file of beside) {
    const found = await sessionOf(join(dirname(path), file), signal);
    if (found !== undefined && (found === name || found === session)) own.push(file);
  }
  return [
    ...files.map((file) => join(inner, file)),
    ...own.map((file) => join(dirname(path), file)),
  ];
}

/** The names in a folder, in order, without links, which may lead anywhere; none where it cannot be read. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => !entry.isSymbolicLink()).map(({ name }) => name);
  return names.toSorted((a, b) => (a < b ? -1 : 1));
}

/** Whether a folder lies where its path says, and no link leads elsewhere. */
async function isOwnFolder(folder: string, from: string): Promise<boolean> {
  const real = (path: string): Promise<string> => realpath(path).catch(() => '');
  return (await real(folder)) === join(await real(from), relative(from, folder));
}

/** The session that a file names first. */
async function sessionOf(file: Source | string, signal?: AbortSignal): Promise<string | undefined> {
  try {
    const source = typeof file === 'string' ? await fileSource(file) : file;
    for await (const { text } of source.lines(signal)) {
      const record = toRecord(text);
      const session = typeof record === 'string' ? undefined : stringAt(record, 'sessionId');
      if (session !== undefined) return session;
    }
  } catch (error) {
    if (!isEngineError(error, 'IMPORT_SOURCE_UNREADABLE')) throw error;
  }
  return undefined;
}
