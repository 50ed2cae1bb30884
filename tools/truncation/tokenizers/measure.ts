import { habits, playTokenizer, type WholeTally } from './play.ts';
import { tokenizers } from './tokenizer.ts';

/** False alarms with one vocabulary: sessions that were never cut, by what their server does besides. */
export interface TokenizerRow {
  readonly tokenizer: string;
  readonly requests: number;
  readonly interruptions: number;
  /** Suspicions by the rule that raised them. */
  readonly suspicions: Readonly<Record<string, number>>;
  /** The same by the server's habit. */
  readonly byHabit: Readonly<Record<string, number>>;
}

/** Number of suspicions in a row. */
export const suspicionsOf = ({ suspicions }: TokenizerRow): number =>
  Object.values(suspicions).reduce((sum, count) => sum + count, 0);

/** Whether there was a recovery for nothing, or more than one suspicion in 200 requests. */
export const isTooLoud = (row: TokenizerRow): boolean =>
  row.interruptions > 0 || 200 * suspicionsOf(row) > row.requests;

/** Plays `sessions` sessions with each vocabulary and habit, each with a seed of its own. */
export async function measureTokenizers(given: {
  readonly sessions: number;
  readonly seed: number;
  readonly only?: readonly string[];
  readonly onTokenizer?: (name: string) => void;
}): Promise<readonly TokenizerRow[]> {
  const rows: TokenizerRow[] = [];
  const { only } = given;
  for (const tokenizer of tokenizers) {
    if (only?.includes(tokenizer.name) === false) continue;
    given.onTokenizer?.(tokenizer.name);
    const tallies: (readonly [habit: string, WholeTally])[] = [];
    for (const habit of habits)
      for (let n = 0; n < given.sessions; n += 1) {
        const seed = given.seed + 1_000 * tallies.length;
        tallies.push([habit.name, await playTokenizer({ tokenizer, habit, seed })]);
      }
    rows.push(rowOf(tokenizer.name, tallies));
  }
  return rows;
}

function rowOf(
  tokenizer: string,
  tallies: readonly (readonly [habit: string, WholeTally])[],
): TokenizerRow {
  const sum = (of: (tally: WholeTally) => number): number =>
    tallies.reduce((total, [, tally]) => total + of(tally), 0);
  return {
    tokenizer,
    requests: sum(({ requests }) => requests),
    interruptions: sum(({ interruptions }) => interruptions),
    suspicions: counted(tallies.flatMap(([, { suspicions }]) => suspicions)),
    byHabit: counted(tallies.flatMap(([habit, { suspicions }]) => suspicions.map(() => habit))),
  };
}

function counted(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
