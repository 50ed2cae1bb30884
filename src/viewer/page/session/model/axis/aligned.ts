import type { History } from '../history.ts';

/**
 * For each step of a session the step of the same session in another window: after the same entry, and as
 * many steps behind it, as far as there are before the next entry.
 */
export function alignedSteps(history: History, other: History): Int32Array {
  const aligned = new Int32Array(history.steps.length);
  let [entry, since] = [0, 0];
  for (const index of aligned.keys()) {
    while (entry + 1 < history.entries.length && (history.entries[entry + 1] ?? -1) <= index) {
      entry += 1;
      since = history.entries[entry] ?? since;
    }
    const from = other.entries[entry] ?? 0;
    const to = (other.entries[entry + 1] ?? other.steps.length) - 1;
    aligned[index] = Math.max(from, Math.min(from + index - since, to));
  }
  return aligned;
}
