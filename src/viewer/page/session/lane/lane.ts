import { computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Playhead } from '../../playhead.ts';
import { addStep, emptyHistory, type History, type Loss } from '../model/history.ts';
import type { Change, Head, MachineMove, Prompt, Step, StreamItem } from '../model/wire.ts';
import type { Unread } from '../model/words/unread.ts';
import { ask, pathOf, whyUnread } from './source.ts';

/** A session on the axis, or the same session in another window, and what the page shows of it at the playhead. */
export interface Lane {
  /** What it is called where something of it is asked; '' for the session of the page. */
  readonly name: string;
  /** All that was told; `count` changes with it. */
  readonly history: History;
  readonly count: Signal<number>;
  /** Whose session it is. */
  readonly head: Signal<Head | null>;
  readonly connection: Playhead['connection'];
  /** Its step at the playhead, by its index. */
  readonly cursor: ReadonlySignal<number>;
  /** The step that is looked at. */
  readonly step: ReadonlySignal<Step | null>;
  /** Where each step stands, from 0 to 1. */
  readonly places: ReadonlySignal<Float64Array>;
  /** The last step at the playhead that took words out of the prompt; null for none. */
  readonly loss: ReadonlySignal<Loss | null>;
  /** The prompt at the playhead, as soon as it was read. */
  readonly prompt: Signal<Prompt | null>;
  /** What the last loss at the playhead changed. */
  readonly change: Signal<Change | null>;
  /** Where the machines stood at the playhead, and went in its step. */
  readonly moves: Signal<readonly MachineMove[] | null>;
  /** Why the prompt, the change or the moves at the playhead were not read; null as long as they may come. */
  readonly unread: Readonly<Record<'prompt' | 'change' | 'moves', Signal<Unread | null>>>;
  /** The place of the playhead at a step. */
  readonly placeOf: (at: number) => number;
  /** Puts the playhead at a step. */
  readonly goTo: (at: number) => void;
  /** Where something of it is asked. */
  readonly path: (route: string, params: Readonly<Record<string, string | number>>) => string;
  /** Takes in what was told. */
  readonly take: (items: readonly StreamItem[]) => void;
  /** Reads nothing any more. */
  readonly close: () => void;
}

/** Whether the machines are shown. */
export const showsMachines = signal(false);

/** A lane, before anything was told. */
export function newLane(options: {
  readonly name: string;
  readonly connection: Playhead['connection'];
  readonly playhead: Playhead;
  readonly cursor: () => number;
  readonly places: () => Float64Array;
  readonly placeOf: (at: number) => number;
}): Lane {
  const { name, connection, playhead, placeOf } = options;
  const history = emptyHistory();
  const count = signal(0);
  const cursor = computed(options.cursor);
  const step = computed(() => (count.value === 0 ? null : (history.steps[cursor.value] ?? null)));
  const loss = computed(() =>
    count.value === 0 ? null : (history.losses.findLast(({ at }) => at <= cursor.value) ?? null),
  );
  const lane: Omit<Lane, 'close'> = {
    name,
    history,
    count,
    head: signal<Head | null>(null),
    connection,
    cursor,
    step,
    places: computed(() => (count.value, options.places())),
    loss,
    prompt: signal<Prompt | null>(null),
    change: signal<Change | null>(null),
    moves: signal<readonly MachineMove[] | null>(null),
    unread: { prompt: signal(null), change: signal(null), moves: signal(null) },
    placeOf,
    goTo: (at) => playhead.goTo(placeOf(at)),
    path: (route, params) => pathOf(route, { ...params, lane: name }),
    take(items) {
      for (const one of items)
        if ('session' in one) lane.head.value = one;
        else if ('sizes' in one) addStep(history, one);
        else connection.value = one.written ? 'live' : 'follows';
      count.value = history.steps.length;
    },
  };
  const isRead = (): boolean => connection.value !== 'loading';
  const { unread } = lane;
  const stops = [
    follow(
      () => {
        // The newest prompt is there long before all the steps of a long session.
        const early = playhead.follows.value ? lane.head.value?.last : undefined;
        const seq = isRead() ? step.value?.seq : early;
        return seq === undefined ? null : lane.path('prompt', { seq });
      },
      lane.prompt,
      unread.prompt,
    ),
    follow(
      () => {
        const at = isRead() ? loss.value?.at : undefined;
        return at === undefined ? null : lane.path('change', { seq: history.steps[at]!.seq });
      },
      lane.change,
      unread.change,
    ),
    follow(
      () => {
        const seq = showsMachines.value && isRead() ? step.value?.seq : undefined;
        return seq === undefined ? null : lane.path('moves', { seq });
      },
      lane.moves,
      unread.moves,
    ),
  ];
  return { ...lane, close: () => stops.forEach((stop) => stop()) };
}

/** Answers that were read, the newest ones. */
const answers = new Map<string, unknown>();

/**
 * Reads what is at a path; what was read before is there at once. One answer is on its way at a time: it is
 * shown though the path has changed meanwhile, and then the newest one is asked for. So what is shown goes
 * along with a playhead that moves faster than answers come. What could not be read is `unread` until the
 * path changes. Gives what stops it.
 */
export function follow(
  path: () => string | null,
  into: { value: unknown },
  unread: { value: Unread | null },
): () => void {
  const gone = new AbortController();
  let wanted: string | null = null;
  let isAsking = false;
  const read = async (): Promise<void> => {
    isAsking = true;
    while (wanted !== null) {
      const target: string = wanted;
      try {
        const answer = await ask(target, gone.signal);
        keep(target, answer);
        // What is wanted by now may be there already.
        if (wanted !== null) into.value = answer;
      } catch (error) {
        if (wanted === target) unread.value = whyUnread(error);
      }
      if (wanted === target) wanted = null;
    }
    isAsking = false;
  };
  const stop = effect(() => {
    const target = path();
    unread.value = null;
    wanted = target === null || answers.has(target) ? null : target;
    if (wanted === null) into.value = target === null ? null : answers.get(target);
    else if (!isAsking) void read();
  });
  return () => {
    stop();
    wanted = null;
    gone.abort();
  };
}

function keep(path: string, answer: unknown): void {
  if (answers.size > 50) answers.delete(answers.keys().next().value!);
  answers.set(path, answer);
}
