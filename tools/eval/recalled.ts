import type { Entry } from './history.ts';
import type { Exam } from './measure.ts';
import type { Method } from './method.ts';
import type { Reference } from './needs.ts';
import type { Share, Tally } from './tally.ts';

// Whether what a plain window has lost is found again: by somebody who knows no
// more than the newest messages, and by somebody who knows the name.

/** Hits that are looked at. */
const limit = 10;

/** Newest messages that a query is made of. */
const newest = 3;

/** How many of the far references of an entry a method's search finds, before the entry is said. */
export async function recalledOf(
  exam: Exam,
  { place }: Entry,
  { recall }: Method,
): Promise<Pick<Tally, 'recalled' | 'recalledAnywhere' | 'recalledByName'> | null> {
  const { names, before } = exam.far[place]!;
  if (recall === undefined || names.length === 0) return null;
  const { entries } = exam.history;
  const said = entries.slice(Math.max(0, place - newest), place);
  const query = said.map(({ text }) => text).toReversed();
  const found = await recall(query.join('\n'), { before, limit });
  const isFound = await Promise.all(
    names.map(async ({ trace }) => {
      const sought = exam.needs.traces[trace]!;
      if (sought.type !== 'name') return false;
      return isMentioned(exam, trace, await recall(sought.name, { before, limit }));
    }),
  );
  const share = (isKept: (reference: Reference, index: number) => boolean): Share => ({
    kept: names.filter(isKept).length,
    of: names.length,
  });
  return {
    recalled: share(({ last }) => found.includes(last)),
    recalledAnywhere: share(({ trace }) => isMentioned(exam, trace, found)),
    recalledByName: share((_, index) => isFound[index]!),
  };
}

/** Whether an entry at one of these places mentions a name. */
function isMentioned({ reader, history }: Exam, trace: number, places: readonly number[]): boolean {
  return places.some((place) => reader.read(history.entries[place]!.text, true).includes(trace));
}
