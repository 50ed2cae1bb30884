import type { Browsing, Overlay, Reading } from '../browsing.ts';
import { pageOf, viewOf } from '../frame.ts';
import { clamped, type Deed } from '../panes/rows.ts';

/** The place of the chosen row after a key that moves it; null for another key. */
export function moved(browsing: Browsing, key: string): number | null {
  const by: Readonly<Record<string, number>> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    ' ': pageOf(browsing),
    b: -pageOf(browsing),
  };
  const step = Object.hasOwn(by, key) ? by[key] : undefined;
  if (step === undefined) return null;
  const { rows, at } = viewOf(browsing);
  return clamped(clamped(at, rows.length) + step, rows.length);
}

/** What Enter does on the chosen row; undefined for nothing. */
export function chosenDeed(browsing: Browsing): Deed | undefined {
  const { rows, at } = viewOf(browsing);
  return rows.length === 0 ? undefined : rows.row(clamped(at, rows.length)).deed;
}

/** With something over it. */
export const over = (browsing: Browsing, overlay: Overlay): Browsing => ({
  ...browsing,
  over: [...browsing.over, overlay],
});

/** With the answer to a question over it, once it is read. */
export const reading = (
  browsing: Browsing,
  { title, question }: Pick<Reading, 'title' | 'question'>,
): Browsing => over(browsing, { type: 'reading', title, question, entries: null, at: 0 });
