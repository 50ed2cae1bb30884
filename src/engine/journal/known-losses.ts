import type { KnownLosses } from '../../core/state/fact.ts';
import { ordinal } from '../../core/values/id.ts';
import { joinedSpans, sharedSpans, type PositionSpan } from '../../core/values/span.ts';
import type { LostEntries, LostRows } from './whole-rows.ts';

// What a salvage could not read is gone, and no later one will find it. It notes the numbers in the session, so
// that a check tells what is lost since from what is known to be.

/** Rows of a session that are gone for good. */
export interface KnownRows {
  readonly entries: readonly LostEntries[];
  readonly journal: readonly LostRows[];
  readonly texts: readonly LostEntries[];
}

/** The losses of a session of which nobody noted any. */
export const nothingNoted: KnownLosses = { entries: [], journal: [], texts: [] };

/** Rows that are lost, those that were noted apart from the others. */
export function apart(
  lost: readonly LostRows[],
  noted: readonly PositionSpan[],
): { readonly lost: readonly LostRows[]; readonly known: readonly LostRows[] } {
  const split = lost.map((rows) => {
    const isGone = rows.reason === 'missing';
    const known = isGone ? sharedSpans([[rows.from, rows.to]], noted) : [];
    return { lost: between(rows, known), known: known.map(toRows) };
  });
  return {
    lost: split.flatMap((one) => one.lost),
    known: split.flatMap((one) => one.known),
  };
}

/** What of some rows lies outside of spans, which are ascending and within. */
function between(
  { from, to, reason }: LostRows,
  spans: readonly PositionSpan[],
): readonly LostRows[] {
  const begins = [from, ...spans.map(([, last]) => last + 1)];
  const ends = [...spans.map(([first]) => first - 1), to];
  const rows = begins.map((begin, at) => ({ from: begin, to: ends[at]!, reason }));
  return rows.filter((one) => one.from <= one.to);
}

const toRows = ([from, to]: PositionSpan): LostRows => ({ from, to, reason: 'missing' });

/** Rows by the ids of what they hold. */
export const named = (
  rows: readonly LostRows[],
  idOf: (n: number) => string,
): readonly LostEntries[] =>
  rows.map(({ from, to, reason }) => ({ from: idOf(from), to: idOf(to), reason }));

/** What a check found missing, and what of it was noted. */
interface Found {
  readonly entries: { readonly lost: readonly LostEntries[] };
  readonly journal: { readonly lost: readonly LostRows[] };
  readonly texts: { readonly lost: readonly LostEntries[] };
  readonly known?: KnownRows;
}

/** What a check found missing, with what was noted before; null where nothing is to be noted. */
export function lossesToNote({ entries, journal, texts, known }: Found): KnownLosses | null {
  if (entries.lost.length + journal.lost.length + texts.lost.length === 0) return null;
  return {
    entries: spansOf(entries.lost, known?.entries),
    journal: joinedSpans([...journal.lost, ...(known?.journal ?? [])].map(toSpan)),
    texts: spansOf(texts.lost, known?.texts),
  };
}

const spansOf = (
  lost: readonly LostEntries[],
  known: readonly LostEntries[] = [],
): readonly PositionSpan[] =>
  joinedSpans([...lost, ...known].map(({ from, to }) => [ordinal(from), ordinal(to)]));

const toSpan = ({ from, to }: LostRows): PositionSpan => [from, to];
