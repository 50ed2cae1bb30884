import { signal } from '@preact/signals';
import type { Lane } from '../lane/lane.ts';
import { ask } from '../lane/source.ts';
import type { WholeEntry } from '../told/wire.ts';

/** What somebody asked for: entries of a lane. */
export interface Look {
  readonly lane: Lane;
  readonly title: string;
  /** Null until they were read. */
  readonly entries: readonly WholeEntry[] | null;
  /** What is marked in them. */
  readonly words: readonly string[];
}

/** Entries that somebody asked for; null where nobody did. */
export const looked = signal<Look | null>(null);

/** Shows what a lane answers, with some words marked. */
export async function look(
  lane: Lane,
  given: {
    readonly title: string;
    readonly route: string;
    readonly asked: Readonly<Record<string, string | number>>;
    readonly words?: readonly string[];
  },
): Promise<void> {
  const { title, route, asked, words = [] } = given;
  const wanted: Look = { lane, title, entries: null, words };
  looked.value = wanted;
  const entries = await ask<readonly WholeEntry[]>(lane.path(route, asked)).catch(() => []);
  if (looked.value === wanted) looked.value = { ...wanted, entries };
}

/** Shows the entries of an id or a range, or the log of a frame. */
export function lookAt(lane: Lane, ref: string): void {
  const route = ref.startsWith('f') ? 'frame' : 'entries';
  void look(lane, { title: ref, route, asked: { of: ref } });
}
