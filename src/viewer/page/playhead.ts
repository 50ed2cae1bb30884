import { signal, type Signal } from '@preact/signals';

/** A place among many in a row; everything else on a page follows it. At the end it follows what comes. */
export interface Playhead {
  /** How many places there are. */
  readonly count: Signal<number>;
  /** The one that is looked at, from 0. */
  readonly cursor: Signal<number>;
  /** Whether it stays at the end. */
  readonly follows: Signal<boolean>;
  /** Whether it moves by itself. */
  readonly plays: Signal<boolean>;
  readonly connection: Signal<Connected>;
  /** What is wrong, in words for a person; '' for nothing. */
  readonly trouble: Signal<string>;
  /** Puts it somewhere; at the end it follows. */
  readonly goTo: (place: number) => void;
  /** Says how many places there are now. */
  readonly grow: (count: number) => void;
}

/** How the connection is: `follows` is told what comes, `live` that somebody is writing it, too. */
export type Connected = 'loading' | 'follows' | 'live' | 'stored' | 'lost';

/** A playhead, before anything was told. */
export function newPlayhead(): Playhead {
  const [count, cursor] = [signal(0), signal(0)];
  const follows = signal(true);
  return {
    count,
    cursor,
    follows,
    plays: signal(false),
    connection: signal<Connected>('loading'),
    trouble: signal(''),
    goTo(place) {
      const last = Math.max(0, count.value - 1);
      cursor.value = Math.min(Math.max(0, Math.round(place)), last);
      follows.value = cursor.value === last;
    },
    grow(length) {
      count.value = length;
      if (follows.value) cursor.value = Math.max(0, length - 1);
    },
  };
}
