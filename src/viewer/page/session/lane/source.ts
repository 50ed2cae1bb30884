import { readLines, readOne, Refused, Unauthorized } from '../../lines.ts';
import { grouped } from '../model/grouped.ts';
import { keptSession, type KeptLine, type KeptSession } from '../model/kept.ts';
import type { StreamItem } from '../model/wire.ts';
import type { Unread } from '../model/words/unread.ts';

/** The session that this page holds itself; null where it is served. */
const kept = readKept();

/** Whether this page is a file, which has no other sessions. */
export const isKept = kept !== null;

/** Another session of the store that the address asks for in place of the page's own; '' for none. */
export const addressedSession =
  kept === null ? (new URLSearchParams(location.hash.slice(1)).get('session') ?? '') : '';

function readKept(): KeptSession | null {
  const lines = document.getElementById('kept')?.textContent;
  if (lines === undefined) return null;
  return keptSession(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as KeptLine),
  );
}

/** What a lane is told, step by step, those that came together at once. */
export async function* readSteps(
  lane: string,
  signal?: AbortSignal,
): AsyncGenerator<readonly StreamItem[]> {
  if (kept === null) yield* grouped(readLines<StreamItem>(pathOf('steps', { lane }), signal));
  else yield kept.itemsOf(lane);
}

/** The answer to what is asked beside the steps. */
export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  return kept === null ? readOne<T>(path, signal) : (kept.ask(path) as T);
}

/** Why {@link ask} rejected. */
export function whyUnread(error: unknown): Unread {
  if (kept !== null) return 'file';
  if (error instanceof Refused && error.status === 404) return 'nothing';
  return error instanceof Refused || error instanceof Unauthorized ? 'refused' : 'ended';
}

/** Where something is asked; without what is empty. */
export function pathOf(route: string, params: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(params).filter(([, value]) => value !== '');
  const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `/api/${route}${query === '' ? '' : `?${query}`}`;
}
