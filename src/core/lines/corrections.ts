// A model that summarizes is shown the earlier lines of the chronicle, each under its number. Where
// the record proves one of them wrong, or what stands there as open is done, it says so in a line of
// its own:
//
//   - CORRECT #17: the race was in Pool.acquire, not in the test (e61)
//   - DONE #21: the port is 4310 (e61)

/** What is right where an earlier line was wrong or said that something is open. */
export interface Correction {
  readonly of: 'wrong' | 'open';
  /** Number of the line. */
  readonly line: number;
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
  /^[-*+•\s]{0,8}(?:\*\*)?(?:CORRECT(?:ED|ION|S)?|(?<done>DONE|CLOSED?))(?:\*\*)?:?\s+[(["]?#(?<line>[1-9]\d{0,11})[)\]"]?(?:\*\*)?\s*(?:[:–—-](?:\*\*)?\s*(?<text>\S.*))?$/i;

function correctionIn(line: string): Correction | null {
  const { line: number, done, text = '' } = form.exec(line)?.groups ?? {};
  if (number === undefined || (text === '' && done === undefined)) return null;
  return { of: done === undefined ? 'wrong' : 'open', line: Number(number), text: text.trim() };
}
