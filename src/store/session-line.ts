import { crc32 } from 'node:zlib';
import type { Head } from './store.ts';

// The row of a session as text that is kept beside a store, with a stamp that is another once the row is, or
// anything was written behind it.

/** A session's row on its line. */
export interface SessionLine {
  readonly json: string;
  readonly said: number | null;
  readonly updated: number;
  readonly stamp: number;
  readonly parent?: string | undefined;
}

/** The line of a row, in ASCII: text of one byte a sign is read in half the time. It rests where it says so, and nothing came behind that. */
export function toLine(value: unknown, [seq, entry]: Head = [0, 0]): SessionLine {
  const { rest, parent } = value as { readonly rest?: Rest; readonly parent?: string };
  const json = toAscii(JSON.stringify(value));
  const isResting = rest !== undefined && seq <= rest.seq;
  const said = isResting ? rest.said : null;
  const stamp = crc32(`${json}${seq}/${entry}`);
  return { json, said, updated: rest?.updated ?? 0, stamp, parent };
}

/** Where a session rests, as far as it is listed by that. */
interface Rest {
  readonly seq: number;
  readonly said: number;
  readonly updated: number;
}

/** JSON of ASCII alone, of the same value. */
export const toAscii = (json: string): string =>
  json.replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
