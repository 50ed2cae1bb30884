// A server that counts prompts of different sizes the same counts what is left of a cut one, or nothing at
// all. Taken for a ratio, such a count would make a prompt seem as large as any other.

/** A prompt in our tokens, and what a server counted of it. */
interface Seen {
  readonly estimate: number;
  readonly epoch: number;
  readonly reported: number;
}

/** The last report that was believed, and those that were doubted since. */
interface CountReports {
  readonly last: Seen | null;
  readonly doubts: readonly Seen[];
}

/** Difference of prompts, in our tokens, that every count shows. */
const tellingDifference = 16;

/** Whether a prompt was counted as another one was that is clearly longer or shorter: then neither count tells how long it is. */
function isSameOfOther(one: Seen | null, seen: Seen): boolean {
  return (
    one?.reported === seen.reported && Math.abs(one.estimate - seen.estimate) >= tellingDifference
  );
}

/** Whether a report only repeats the last one that was believed: what refutes that refutes both. */
export const isRepeated = (last: Seen | null, seen: Seen): boolean =>
  last?.reported === seen.reported && !isSameOfOther(last, seen);

/** Whether the server counted a prompt as it counted another one, the last that was believed or one that was doubted since. */
export function isCountedAlike({ last, doubts }: CountReports, seen: Seen): boolean {
  return [last, ...doubts].some((one) => isSameOfOther(one, seen));
}

/** Whether the count of the last report that was believed tells nothing: this prompt, which goes on from it, was counted the same, or this one and another. */
export function isLastRefuted({ last, doubts }: CountReports, seen: Seen): boolean {
  if (!isSameOfOther(last, seen)) return false;
  return last?.epoch === seen.epoch || doubts.some((one) => isSameOfOther(one, seen));
}
