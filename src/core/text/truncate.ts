import type { Count } from '../messages/token-count.ts';

/**
 * The head and tail of a text with the marker for the tokens left out between
 * them, on a line of its own; at most `target` tokens in all. Cuts at line ends
 * where one is near, else between code points. A text within its target comes
 * back unchanged; where not even the marker fits, the marker alone is cut to fit.
 */
export function headAndTail(
  text: string,
  options: { target: number; count: Count; marker: (left: number) => string },
): string {
  const { target, count, marker } = options;
  const total = count(text);
  if (total <= target) return text;
  let room = target - count(marker(total)) - 2;
  for (let attempt = 0; attempt < 6 && room > 0; attempt += 1) {
    const head = headOf(text, Math.ceil(room * 0.6), count);
    const headTokens = count(head);
    const tail = tailOf(text.slice(head.length), room - headTokens, count);
    const left = Math.max(1, total - headTokens - count(tail));
    const whole = [head, marker(left), tail].filter((part) => part !== '').join('\n');
    const over = count(whole) - target;
    if (over <= 0) return whole;
    room -= over + 1;
  }
  return cutTo(marker(total), target, count);
}

/** The longest head of `text`, cut between code points, of at most `target` tokens. */
export function cutTo(text: string, target: number, count: Count): string {
  const size = largestSize((n) => count(text.slice(0, floor(text, n))), {
    most: text.length,
    target,
    guess: target * 4,
  });
  return text.slice(0, floor(text, size));
}

function headOf(text: string, target: number, count: Count): string {
  const size = largestSize((n) => count(text.slice(0, floor(text, n))), {
    most: text.length,
    target,
    guess: target * 4,
    grain: Math.max(1, target >> 4),
  });
  const head = text.slice(0, floor(text, size));
  const end = head.lastIndexOf('\n');
  return end > head.length * 0.6 ? head.slice(0, end) : head;
}

function tailOf(text: string, target: number, count: Count): string {
  const size = largestSize((n) => count(text.slice(ceiling(text, text.length - n))), {
    most: text.length,
    target,
    guess: target * 4,
    grain: Math.max(1, target >> 4),
  });
  const tail = text.slice(ceiling(text, text.length - size));
  const start = tail.indexOf('\n') + 1;
  return start > 0 && start < tail.length * 0.4 ? tail.slice(start) : tail;
}

/** `at`, or one less where it would split a surrogate pair. */
const floor = (text: string, at: number): number => (splitsPair(text, at) ? at - 1 : at);

/** `at`, or one more where it would split a surrogate pair. */
const ceiling = (text: string, at: number): number => (splitsPair(text, at) ? at + 1 : at);

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

/**
 * The largest size up to `most` that measures at most `target`, to within
 * `grain`; 0 if none does. `measure` must not fall as the size grows. Searches
 * by interpolation and bisection in turn, so that few sizes are measured.
 */
function largestSize(
  measure: (size: number) => number,
  search: { most: number; target: number; guess: number; grain?: number },
): number {
  const { most, target, guess, grain = 1 } = search;
  let low = { size: 0, tokens: 0 };
  let high = { size: most + 1, tokens: Number.POSITIVE_INFINITY };
  let next = Math.max(1, Math.floor(guess));
  for (let step = 0; high.size - low.size > grain && low.size < most; step += 1) {
    const size = Math.min(Math.max(next, low.size + 1), high.size - 1);
    const tokens = measure(size);
    if (tokens <= target) low = { size, tokens };
    else high = { size, tokens };
    const middle = (low.size + high.size) >> 1;
    if (high.size > most) next = low.size * 2 + 1;
    else if (step % 2 === 0)
      next =
        low.size +
        Math.floor(
          ((high.size - low.size) * (target + 1 - low.tokens)) / (high.tokens - low.tokens),
        );
    else next = middle;
  }
  return low.size;
}
