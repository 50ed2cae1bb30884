import { entryId, ordinal, type EntryId } from '../values/id.ts';

// A model that summarizes is shown the earlier lines of the chronicle. Where the record
// proves one of them wrong, or what stands there as open is done, it says so in a line of
// its own:
//
//   - CORRECT e12–e30: the race was in Pool.acquire, not in the test (e61)
//   - DONE e12: the port is 4310 (e61)

/** What is right about some entries, where an earlier line about them was wrong or said that something is open. */
export interface Correction {
  readonly of: 'wrong' | 'open';
  readonly from: EntryId;
  readonly to: EntryId;
  /** May be '' of what was open. */
  readonly text: string;
}

/** The corrections in a summary, in order, and its other lines. */
export function correctionsIn(summary: string): {
  readonly corrections: readonly Correction[];
  readonly rest: string;
} {
  const lines = summary.split('\n').map((line) => ({ line, correction: correctionIn(line) }));
  return {
    corrections: lines.flatMap(({ correction }) => correction ?? []),
    rest: lines.flatMap(({ line, correction }) => (correction === null ? line : [])).join('\n'),
  };
}

const form =
  /^[-*+•\s]{0,8}(?:\*\*)?(?:CORRECT(?:ED|ION|S)?|(?<done>DONE|CLOSED?))(?:\*\*)?:?\s+[(["]?\s*(?<from>e[1-9]\d{0,11})(?:\s*(?:[-–—]|\.\.\.?|to)\s*(?<to>e[1-9]\d{0,11}))?\s*[)\]"]?(?:\*\*)?\s*(?:[:–—-](?:\*\*)?\s*(?<text>\S.*))?$/i;

function correctionIn(line: string): Correction | null {
  const { from, to = from, done, text = '' } = form.exec(line)?.groups ?? {};
  if (from === undefined || to === undefined) return null;
  if (text === '' && done === undefined) return null;
  const ends = [ordinal(from), ordinal(to)].toSorted((a, b) => a - b);
  return {
    of: done === undefined ? 'wrong' : 'open',
    from: entryId(ends[0]!),
    to: entryId(ends[1]!),
    text: text.trim(),
  };
}
