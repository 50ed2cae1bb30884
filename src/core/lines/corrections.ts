// A model that summarizes is shown the earlier lines of the chronicle, each under its number. Where
// the record proves one of them wrong, or what stands there as open is done, it says so in a line of
// its own:
//
//   - CORRECT #17: the race was in Pool.acquire, not in the test (e61)
//   - DONE #21: the port is 4310 (e61)
//   - DROP #23, #24

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
  const lines = summary.split('\n').map((line) => ({ line, corrections: correctionsOf(line) }));
  return {
    corrections: lines.flatMap(({ corrections }) => corrections),
    rest: lines.flatMap(({ line, corrections }) => (corrections.length > 0 ? [] : line)).join('\n'),
  };
}

const number = '#[1-9]\\d{0,11}';

const form = new RegExp(
  `^[-*+•\\s]{0,8}(?:\\*\\*)?(?:CORRECT(?:ED|ION|S)?|(?<done>DONE|CLOSED?)|(?<dropped>DROP(?:PED)?))(?:\\*\\*)?:?\\s+[(["]?(?<numbers>${number}(?:,? (?:and )?${number}){0,24})[)\\]"]?(?:\\*\\*)?\\s*(?:[:–—-](?:\\*\\*)?\\s*(?<text>\\S.*))?$`,
  'i',
);

/** What a line corrects: one that names several earlier lines takes the place of all of them. */
function correctionsOf(line: string): readonly Correction[] {
  const { numbers, done, dropped, text = '' } = form.exec(line)?.groups ?? {};
  if (numbers === undefined) return [];
  const named = Array.from(numbers.matchAll(/\d+/g), ([one]) => Number(one));
  if (dropped !== undefined) return named.map((one) => ({ of: 'void', line: one, text: '' }));
  if (text === '' && done === undefined) return [];
  return named.map((one, index) => {
    if (index > 0) return { of: done === undefined ? 'void' : 'open', line: one, text: '' };
    return { of: done === undefined ? 'wrong' : 'open', line: one, text: text.trim() };
  });
}
