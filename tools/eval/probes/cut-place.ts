import { basename } from 'node:path';
import type { Entry, History } from '../history.ts';
import { callText } from '../said.ts';
import type { Cut, Probes } from './probe.ts';

/**
 * The place of the first message after the cut. Another form of the session may have more or fewer
 * messages, so where the message is given it is looked for, the nearest to its number. Throws where it is not there.
 */
export function cutPlace({ entries, file }: History, { cut, file: probes }: Probes): number {
  const { messages, next } = cut;
  const found =
    next === undefined
      ? messages < entries.length && messages
      : nearest(
          messages,
          entries.flatMap((entry) => (isNext(entry, next) ? [entry.place] : [])),
        );
  if (typeof found === 'number') return found;
  throw new Error(
    `"${basename(file)}" does not have the message after the cut of "${basename(probes)}"`,
  );
}

function nearest(wanted: number, places: readonly number[]): number | undefined {
  const [first] = [...places].sort(
    (one, other) => Math.abs(one - wanted) - Math.abs(other - wanted),
  );
  return first;
}

/** Whether an entry has what the message has; other forms of a session make one message of several. */
function isNext({ role, content, calls }: Entry, next: NonNullable<Cut['next']>): boolean {
  return (
    role === next.role &&
    content.includes(next.text) &&
    next.calls.every((start) => calls.some((call) => callText(call).startsWith(start)))
  );
}
