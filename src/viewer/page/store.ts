import { computed, signal } from '@preact/signals';
import { addMove, emptyTimeline, movesWith } from './timeline.ts';
import type { Move } from './move.ts';

// One playhead; everything else follows it. Live is the playhead at the end.

/** All that was told; `count` changes with it. */
export const timeline = emptyTimeline();

/** How many moves there are. */
export const count = signal(0);

/** The move that is looked at. */
export const cursor = signal(0);

/** Whether the playhead stays at the end. */
export const follows = signal(true);

/** Whether it moves by itself. */
export const plays = signal(false);

/** The actor that was picked; null where the one of the move is shown. */
export const picked = signal<string | null>(null);

/** Whether work that is over stays in the tree. */
export const showsEnded = signal(false);

/** The words that moves are narrowed by. */
export const filter = signal('');

/** How the connection is. */
export const connection = signal<'loading' | 'live' | 'ended' | 'lost'>('loading');

/** What is wrong, in words for a person; '' for nothing. */
export const trouble = signal('');

/** Indexes of the moves that are listed; null for all. */
export const listed = computed(() =>
  filter.value === '' || count.value === 0 ? null : movesWith(timeline, filter.value),
);

/** The move that is looked at. */
const move = computed<Move | null>(() =>
  count.value === 0 ? null : (timeline.moves[cursor.value] ?? null),
);

/** The actor that is shown. */
export const shown = computed(() => {
  const name = picked.value ?? move.value?.actor;
  return name === undefined ? null : (timeline.actors.get(name) ?? null);
});

/** Takes in what was told. */
export function take(moves: readonly Move[]): void {
  for (const one of moves) addMove(timeline, one);
  count.value = timeline.moves.length;
  if (follows.value) cursor.value = Math.max(0, count.value - 1);
}

/** Puts the playhead somewhere; at the end it follows. */
export function goTo(index: number): void {
  const last = Math.max(0, count.value - 1);
  cursor.value = Math.min(Math.max(0, index), last);
  follows.value = cursor.value === last && connection.value !== 'ended';
}

/** Goes some moves on or, below 0, back; within the picked actor and the filter where there is one. */
export function step(by: number): void {
  const among = picked.value === null ? listed.value : (shown.value?.moves ?? null);
  if (among === null) goTo(cursor.value + by);
  else {
    const next =
      by > 0
        ? among.find((index) => index > cursor.value)
        : among.findLast((index) => index < cursor.value);
    if (next !== undefined) goTo(next);
  }
}
