import type { SourceLine } from './step.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

/** Most bytes of one line that are read as text; the rest is dropped, and the line then is broken JSON. */
const longestLine = 2 ** 28;

/**
 * The lines of a byte stream, however it is cut into chunks. Line breaks are
 * `\n` and `\r\n`; a byte order mark is no part of the first line; a break at
 * the very end begins no further line.
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  signal?: AbortSignal,
): AsyncIterable<SourceLine> {
  let held: Buffer[] = [];
  let line = 0;
  let end = 0;
  const flush = (last: Buffer, breaks: number): SourceLine => {
    const bytes = held.length === 0 ? last : Buffer.concat([...held, last]);
    held = [];
    line += 1;
    end += bytes.length + breaks;
    return { text: toText(bytes, line === 1), line, end };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      signal?.throwIfAborted();
      yield flush(chunk.subarray(from, at), 1);
      from = at + 1;
    }
    if (from < chunk.length) held.push(chunk.subarray(from));
    signal?.throwIfAborted();
  }
  if (held.length > 0) yield flush(Buffer.alloc(0), 0);
}

/** The text of a line's bytes, without its break and, in the first line, without the byte order mark. */
export function toText(bytes: Buffer, first: boolean): string {
  let start = 0;
  let end = bytes.length;
  if (first && byteOrderMark.every((byte, at) => bytes[at] === byte)) start = byteOrderMark.length;
  if (end > start && bytes[end - 1] === lineFeed) end -= 1;
  if (end > start && bytes[end - 1] === carriageReturn) end -= 1;
  return bytes.toString('utf8', start, Math.min(end, start + longestLine));
}

/** The bytes of chunks; a surrogate pair that two strings share stays one character. */
export async function* toBytes(
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): AsyncIterable<Buffer> {
  let half = '';
  for await (const chunk of chunks) {
    if (typeof chunk !== 'string') {
      if (half !== '') yield Buffer.from(half);
      half = '';
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      continue;
    }
    const text = half + chunk;
    const last = text.charCodeAt(text.length - 1);
    half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : '';
    yield Buffer.from(half === '' ? text : text.slice(0, -1));
  }
  if (half !== '') yield Buffer.from(half);
}
