import { computed, signal } from '@preact/signals';
import type { Move } from '../move.ts';
import { newPlayhead } from '../playhead.ts';
import { addMove, emptyTimeline, movesWith } from './timeline.ts';

/** All that was told; the playhead's `count` changes with it. */
export const timeline = emptyTimeline();

/** Stands at a move. */
export const playhead = newPlayhead();

export const { count, cursor, goTo } = playhead;

/** The actor that was picked; null where the one of the move is shown. */
export const picked = signal<string | null>(null);

/** Whether work that is over stays in the tree. */
export const showsEnded = signal(false);

/** The words that moves are narrowed by. */
export const filter = signal('');

/** Indexes of the moves that are listed; null for all. */
export const listed = computed(() =>
  filter.value === '' || count.value === 0 ? null : movesWith(timeline, filter.value),
);

/** The move that is looked at. */
const move = computed<Move | null>(() =>
  count.value === 0 ? null : (timeline.moves[cursor.value] ?? null),
);

/** The actor that is shown. */
export const shownActor = computed(() => {
  const name = picked.value ?? move.value?.actor;
  return name === undefined ? null : (timeline.actors.get(name) ?? null);
});

/** What the page is told: first whether what comes is told, too, then moves. */
export type StreamItem = Move | { readonly live: boolean };

/** Takes in what was told. */
export function take(items: readonly StreamItem[]): void {
  for (const one of items)
    if (!('live' in one)) addMove(timeline, one);
    else if (one.live) playhead.connection.value = 'follows';
  playhead.grow(timeline.moves.length);
}

/** Goes some moves on or, below 0, back; within the picked actor and the filter where there is one. */
export function step(by: number): void {
  const among = picked.value === null ? listed.value : (shownActor.value?.moves ?? null);
  if (among === null) goTo(cursor.value + by);
  else {
    const next =
      by > 0
        ? among.find((index) => index > cursor.value)
        : among.findLast((index) => index < cursor.value);
    if (next !== undefined) goTo(next);
  }
}
