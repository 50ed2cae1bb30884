import { stat, writeFile } from 'node:fs/promises';
import { EngineError } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { checkFree, type OutOptions } from '../call/out-file.ts';
import { putFile } from '../call/put-file.ts';

/** Where an export goes: a file of this name, or stdout. */
export interface Destination {
  /** Writes it, and gives its size in bytes. */
  write(pieces: AsyncIterable<string>): Promise<number>;
  /** The file; null for stdout. */
  readonly file: string | null;
}

/** The place that `--out` names; `-` is stdout, and so is none, but for a terminal: throws `OPTION_INVALID` there. */
export function destinationOf({ out, force }: OutOptions, call: CommandCall): Destination {
  const { stdout } = call.io;
  if (out !== undefined && out !== '-')
    return {
      file: out,
      async write(pieces) {
        await checkFree(out, force);
        return put(out, pieces);
      },
    };
  if (out === undefined && stdout.isTTY === true) {
    const message = 'An export is no text for a terminal';
    throw new EngineError('OPTION_INVALID', message, { detail: { option: 'out' } });
  }
  return {
    file: null,
    async write(pieces) {
      let size = 0;
      for await (const piece of pieces) {
        stdout.write(piece);
        size += Buffer.byteLength(piece);
      }
      return size;
    },
  };
}

/** What is no file and takes an export; another pipe may have no reader, and opening it would wait for ever. */
const devices: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr']);

const refused = (path: string, message: string): EngineError =>
  new EngineError('OPTION_INVALID', message, { detail: { option: 'out', value: path } });

/** Writes a file that is there whole or as it was, and is its owner's alone; a link gives way to it, and what that leads to stays. Throws `OPTION_INVALID` where it cannot be written. */
async function put(path: string, pieces: AsyncIterable<string>): Promise<number> {
  const stats = await stat(path).catch(() => null);
  // These are written to, and nothing takes their place.
  const isInPlace = stats?.isFile() === false && devices.has(path);
  if (path === '') throw refused(path, '"" names no file');
  if (stats?.isFile() === false && !isInPlace)
    throw refused(path, `"${path}" is ${stats.isDirectory() ? 'a folder' : 'no regular file'}`);
  let size = 0;
  const counted = async function* (): AsyncGenerator<string> {
    for await (const piece of pieces) {
      size += Buffer.byteLength(piece);
      yield piece;
    }
  };
  try {
    await (isInPlace ? writeFile(path, counted()) : putFile(path, counted(), { mode: 0o600 }));
  } catch (error) {
    const { syscall, code = '', path: opened = '' } = error as NodeJS.ErrnoException;
    if (syscall === 'write') throw Object.assign(error as Error, { path });
    if (syscall !== 'open' || !opened.startsWith(path)) throw error;
    throw refused(path, `"${path}" cannot be written (${code})`);
  }
  return size;
}
