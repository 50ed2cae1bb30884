import type { Store } from '../../index.ts';
import { number } from '../paper/size.ts';

/** The windows of the sessions of a store by id, in tokens. */
export async function windowsOf(store: Store): Promise<ReadonlyMap<string, number>> {
  const windows = new Map<string, number>();
  for await (const { id, window } of store.sessions()) windows.set(id, window);
  return windows;
}

/** Another window for a session that had one; in tokens. */
export interface WindowChange {
  readonly before: number;
  readonly window: number;
}

/** The change in words, `to` between the two: `window 8,192 → 32,768`. */
export function windowText({ before, window }: WindowChange, to: string): string {
  return `window ${number(before)} ${to} ${number(window)}`;
}
