/** A min-heap of numbers. */
export interface Heap {
  push(key: number): void;
  /** Takes the least key; `Infinity` where there is none. */
  pop(): number;
}

/** An empty heap with room for `capacity` keys at one time; more are lost. */
export function toHeap(capacity: number): Heap {
  const keys = new Float64Array(capacity);
  let size = 0;

  function push(key: number): void {
    let at = size;
    size += 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent]! <= key) break;
      keys[at] = keys[parent]!;
      at = parent;
    }
    keys[at] = key;
  }

  function pop(): number {
    if (size === 0) return Infinity;
    const least = keys[0]!;
    size -= 1;
    const last = keys[size]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && keys[child + 1]! < keys[child]!) child += 1;
      if (keys[child]! >= last) break;
      keys[at] = keys[child]!;
      at = child;
    }
    keys[at] = last;
    return least;
  }

  return { push, pop };
}
