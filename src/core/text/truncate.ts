import type { Count } from '../messages/token-count.ts';

/**
 * The head and tail of a text with the marker for the tokens left out between
 * them, on a line of its own; at most `target` tokens in all. Cuts at line ends
 * where one is near, else between code points. A text within its target comes
 * back unchanged; where not even the marker fits, the marker alone is cut to fit.
 */
export function headAndTail(
  text: string,
  options: { target: number; count: Count; marker: (omitted: number) => string },
): string {
  const { target, count, marker } = options;
  const total = count(text);
  if (total <= target) return text;
  let room = target - count(marker(total)) - 2;
  for (let attempt = 0; attempt < 6 && room > 0; attempt += 1) {
    const head = headOf(text, Math.ceil(room * 0.6), count);
    const headTokens = count(head);
    const tail = tailOf(text.slice(head.length), room - headTokens, count);
    const omitted = Math.max(1, total - headTokens - count(tail));
    const whole = [head, marker(omitted), tail].filter((part) => part !== '').join('\n');
    const over = count(whole) - target;
    if (over <= 0) return whole;
    room -= over + 1;
  }
  return cutTo(marker(total), target, count);
}

/** The longest head of `text`, cut between code points, of at most `target` tokens. */
export const cutTo = (text: string, target: number, count: Count): string =>
  longest(headsOf(text), { most: text.length, target, count, grain: 1 });

function headOf(text: string, target: number, count: Count): string {
  const grain = Math.max(1, target >> 4);
  const head = longest(headsOf(text), { most: text.length, target, count, grain });
  const end = head.lastIndexOf('\n');
  return end > head.length * 0.6 ? head.slice(0, end) : head;
}

function tailOf(text: string, target: number, count: Count): string {
  const grain = Math.max(1, target >> 4);
  const tail = longest(tailsOf(text), { most: text.length, target, count, grain });
  const start = tail.indexOf('\n') + 1;
  return start > 0 && start < tail.length * 0.4 ? tail.slice(start) : tail;
}

/** The parts of a text by their size, cut between code points. */
type Parts = (size: number) => string;

const headsOf = (text: string): Parts => {
  return (size) => text.slice(0, splitsPair(text, size) ? size - 1 : size);
};

const tailsOf = (text: string): Parts => {
  return (size) => {
    const at = text.length - size;
    return text.slice(splitsPair(text, at) ? at + 1 : at);
  };
};

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

/** A part has no more UTF-16 units for each token: only runs of one character have, which say nothing and take long to count. */
const densest = 32;

/**
 * The longest part, of a size up to `most`, that counts at most `target` tokens, to within
 * `grain`; '' if none does. Searches by interpolation and bisection in turn, so that few
 * parts are counted.
 */
function longest(
  partOf: Parts,
  search: { most: number; target: number; count: Count; grain: number },
): string {
  const { target, count, grain } = search;
  const most = Math.min(search.most, densest * Math.max(1, target));
  let low = { size: 0, tokens: 0 };
  let high = { size: most + 1, tokens: Number.POSITIVE_INFINITY };
  let next = Math.max(1, Math.floor(target * 4));
  for (let step = 0; high.size - low.size > grain && low.size < most; step += 1) {
    const size = Math.min(Math.max(next, low.size + 1), high.size - 1);
    const tokens = count(partOf(size));
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
  return partOf(low.size);
}
