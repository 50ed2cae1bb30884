import { computed, effect, signal } from '@preact/signals';
import { newPlayhead } from '../playhead.ts';
import { addStep, emptyHistory, placesOn, type Axis } from './told/history.ts';
import { ask } from './source.ts';
import type { Change, Head, MachineMove, Prompt, Step, Told, WholeEntry } from './told/wire.ts';

/** All that was told; the playhead's `count` changes with it. */
export const history = emptyHistory();

/** Stands at a step. */
export const playhead = newPlayhead();

export const { count, cursor, connection, goTo } = playhead;

/** Whose session it is. */
export const head = signal<Head | null>(null);

export const axis = signal<Axis>('turns');

/** Where each step stands, from 0 to 1. */
export const places = computed(() => (count.value, placesOn(axis.value, history.steps)));

/** The step that is looked at. */
export const step = computed<Step | null>(() =>
  count.value === 0 ? null : (history.steps[cursor.value] ?? null),
);

/** The last step at the playhead that took words out of the prompt; null for none. */
export const loss = computed(() =>
  count.value === 0 ? null : (history.losses.findLast(({ at }) => at <= cursor.value) ?? null),
);

/** The prompt at the playhead, as soon as it was read. */
export const prompt = signal<Prompt | null>(null);

/** What the last loss at the playhead changed. */
export const change = signal<Change | null>(null);

/** Whether the machines are shown. */
export const showsMachines = signal(false);

/** Where the machines stood at the playhead, and went in its step. */
export const moves = signal<readonly MachineMove[] | null>(null);

/** Entries that somebody asked for; null where nobody did. */
export const looked = signal<{
  readonly title: string;
  readonly entries: readonly WholeEntry[] | null;
  /** What is marked in them. */
  readonly words: readonly string[];
} | null>(null);

/** What is wrong with the moment that the address asks for; '' for nothing. */
export const astray = signal('');

/** Goes to the step of an entry. */
export function goToEntry(entry: string): void {
  const at = history.entries[Number(entry.slice(1))];
  if (at !== undefined) goTo(at);
}

/** Shows what stands behind a path, with some words marked. */
export async function look(
  title: string,
  path: string,
  words: readonly string[] = [],
): Promise<void> {
  looked.value = { title, entries: null, words };
  const asked = looked.value;
  const entries = await ask<readonly WholeEntry[]>(path).catch(() => []);
  if (looked.value === asked) looked.value = { title, entries, words };
}

/** Shows the entries of an id or a range, or the log of a frame. */
export function lookAt(ref: string): void {
  const route = ref.startsWith('f') ? 'frame' : 'entries';
  void look(ref, `/api/${route}?of=${encodeURIComponent(ref)}`);
}

/** Takes in what was told. */
export function take(told: readonly Told[]): void {
  for (const one of told)
    if ('session' in one) {
      head.value = one;
      document.title = `${one.title} · Flamestack`;
    } else if ('sizes' in one) addStep(history, one);
    else connection.value = 'live';
  playhead.grow(history.steps.length);
}

/** Answers that were read, the newest ones. */
const answers = new Map<string, unknown>();

/** How long the playhead rests before its prompt is read, in milliseconds. */
const rest = 150;

/** Reads what is at a path when the playhead has rested; what was read before is there at once. */
export function follow(path: () => string | null, into: { value: unknown }): void {
  effect(() => {
    const asked = path();
    if (asked === null) {
      into.value = null;
      return undefined;
    }
    if (answers.has(asked)) {
      into.value = answers.get(asked);
      return undefined;
    }
    const gone = new AbortController();
    const timer = setTimeout(() => {
      ask(asked, gone.signal).then(
        (answer) => {
          if (answers.size > 50) answers.delete(answers.keys().next().value!);
          answers.set(asked, answer);
          into.value = answer;
        },
        () => undefined,
      );
    }, rest);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  });
}

follow(() => {
  const seq = connection.value === 'loading' ? undefined : step.value?.seq;
  return seq === undefined ? null : `/api/prompt?seq=${seq}`;
}, prompt);

follow(() => {
  const at = loss.value?.at;
  return at === undefined || connection.value === 'loading'
    ? null
    : `/api/change?seq=${history.steps[at]!.seq}`;
}, change);

follow(() => {
  const seq = showsMachines.value && connection.value !== 'loading' ? step.value?.seq : undefined;
  return seq === undefined ? null : `/api/moves?seq=${seq}`;
}, moves);
