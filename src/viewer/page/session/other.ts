import { computed, signal } from '@preact/signals';
import { readLines } from '../lines.ts';
import { alignedSteps } from './told/aligned.ts';
import { addStep, emptyHistory } from './told/history.ts';
import { connection, count, cursor, follow, head, history, step } from './store.ts';
import type { Change, Head, Prompt, Step } from './told/wire.ts';

// The same session in another window, beside its own: one playhead, by entries.

/** All that was told of it. */
export const other = emptyHistory();

/** Its window, in tokens; null until all of it was told. */
export const otherWindow = signal<number | null>(null);

/** For each step of the session that of the other window. */
export const aligned = computed(() => {
  const isThere = count.value > 0 && otherWindow.value !== null;
  return isThere ? alignedSteps(history, other) : null;
});

/** Its step at the playhead. */
export const otherStep = computed<Step | null>(() => {
  const at = aligned.value?.[cursor.value];
  return at === undefined ? null : (other.steps[at] ?? null);
});

/** Its prompt at the playhead, as soon as it was read. */
export const otherPrompt = signal<Prompt | null>(null);

/** What it holds at the playhead that the session's own does not. */
export const more = signal<Change | null>(null);

/** Reads what is told of it. */
export async function loadOther(): Promise<void> {
  for await (const told of readLines<Head | Step>('/api/otherSteps'))
    for (const one of told) if ('sizes' in one) addStep(other, one);
  otherWindow.value = head.value?.other ?? null;
}

follow(() => {
  const seq = otherStep.value?.seq;
  return seq === undefined ? null : `/api/otherPrompt?seq=${seq}`;
}, otherPrompt);

follow(() => {
  const [seq, than] = [otherStep.value?.seq, step.value?.seq];
  return seq === undefined || than === undefined || connection.value === 'loading'
    ? null
    : `/api/more?seq=${than}&other=${seq}`;
}, more);
