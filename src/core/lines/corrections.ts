// A model that summarizes is shown the earlier lines of the chronicle, each under its number. Where
// the record proves one of them wrong, or what stands there as open is done, it says so in a line of
// its own:
//
//   - CORRECT #17: the race was in Pool.acquire, not in the test (e61)
//   - DONE #21: the port is 4310 (e61)
//   - DROP #23

/** What is right where an earlier line was wrong, said that something is open, or is void. */
export interface Correction {
  readonly of: 'wrong' | 'open' | 'void';
  /** Number of the line. */
  readonly line: number;
  /** May be '' of what was open; '' of what is void. */
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
  /^[-*+•\s]{0,8}(?:\*\*)?(?:CORRECT(?:ED|ION|S)?|(?<done>DONE|CLOSED?)|(?<dropped>DROP(?:PED)?))(?:\*\*)?:?\s+[(["]?#(?<line>[1-9]\d{0,11})[)\]"]?(?:\*\*)?\s*(?:[:–—-](?:\*\*)?\s*(?<text>\S.*))?$/i;

function correctionIn(line: string): Correction | null {
  const { line: number, done, dropped, text = '' } = form.exec(line)?.groups ?? {};
  if (number === undefined) return null;
  if (dropped !== undefined) return { of: 'void', line: Number(number), text: '' };
  if (text === '' && done === undefined) return null;
  return { of: done === undefined ? 'wrong' : 'open', line: Number(number), text: text.trim() };
}
