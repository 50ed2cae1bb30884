import { stripVTControlCharacters } from 'node:util';
import type { Io, Pager } from '../io.ts';
import { widthOf } from '../paper/width.ts';

/** Thrown where a person left the pager: nobody reads what would still come. */
export class PagerLeft extends Error {}

/** What a command prints, which goes to a pager where it is longer than the screen. */
export interface PagedOutput {
  print(text: string): void;
  /** What goes to stderr behind the results so far. */
  note(text: string): void;
  /** Resolves when all is shown, and a pager is left. */
  close(): Promise<void>;
}

/** The command of the pager; null for none. */
export function pagerCommand(env: Io['env']): string | null {
  const command = env['FLAMESTACK_PAGER'] ?? env['PAGER'] ?? '';
  if (command === 'off' || command === 'cat') return null;
  return command.trim() === '' ? 'less -FRX' : command;
}

/** Output for a terminal of so many `rows` and `columns`, with `command` as its pager. */
export function pagedOutput(
  { stdout, stderr, startPager }: Io,
  command: string,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): PagedOutput {
  const held: (readonly [to: 'out' | 'err', text: string])[] = [];
  let taken = 0;
  let pager: Pager | null = null;
  return {
    print(text) {
      if (pager === null) {
        held.push(['out', text]);
        taken += rowsOf(text, { columns, most: rows - taken });
        if (taken < rows) return;
        pager = startPager!(command);
        for (const [to, one] of held) if (to === 'out') pager.write(one);
      } else {
        if (pager.isLeft) throw new PagerLeft();
        held.push(['out', text]);
        pager.write(text);
      }
    },
    note: (text) => void held.push(['err', text]),
    async close() {
      const isShown = pager !== null && (await pager.end());
      for (const [to, text] of held.splice(0))
        if (to === 'err') stderr.write(text);
        else if (!isShown) stdout.write(text);
    },
  };
}

/** Rows that a text takes on a screen; `most` for one that takes more. */
function rowsOf(
  text: string,
  { columns, most }: { readonly columns: number; readonly most: number },
): number {
  let rows = 0;
  for (let at = 0; at < text.length && rows < most;) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end);
    rows += Math.max(1, Math.ceil(widthOf(stripVTControlCharacters(line)) / columns));
    at += line.length + 1;
  }
  return Math.max(1, rows);
}
