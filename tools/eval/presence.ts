/** Which traces stand in what is in view now; changes with what comes into view and what leaves it. */
export interface Presence {
  has(trace: number): boolean;
  add(traces: readonly number[]): void;
  remove(traces: readonly number[]): void;
  /** Replaces all that is in view; what stays costs nothing but a look. */
  show(all: readonly (readonly number[])[]): void;
}

/** Nothing in view, of so many traces. */
export function presenceOf(traces: number): Presence {
  const counts = new Int32Array(traces);
  let shown = new Map<readonly number[], number>();
  const change = (list: readonly number[], by: number): void => {
    for (const trace of list) counts[trace]! += by;
  };
  return {
    has: (trace) => counts[trace]! > 0,
    add: (list) => change(list, 1),
    remove: (list) => change(list, -1),
    show(all) {
      const next = new Map<readonly number[], number>();
      for (const list of all) next.set(list, (next.get(list) ?? 0) + 1);
      for (const [list, times] of next) {
        const by = times - (shown.get(list) ?? 0);
        if (by !== 0) change(list, by);
      }
      for (const [list, times] of shown) if (!next.has(list)) change(list, -times);
      shown = next;
    },
  };
}
