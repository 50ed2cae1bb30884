import type { Outcome } from './tests.ts';

/** The share of mutants that was found, and a line that says it, with the interval that holds it in 95 of 100 samples (Wilson). */
export function scoreOf(outcomes: readonly Outcome[]): { share: number; line: string } {
  const n = outcomes.length;
  const times = (outcome: Outcome): number => outcomes.filter((one) => one === outcome).length;
  const share = (times('killed') + times('timed out')) / n;
  const z = 1.96;
  const middle = (share + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((share * (1 - share)) / n + (z / n / 2) ** 2);
  const percent = (part: number): string => (part * 100).toFixed(1);
  const kinds: readonly Outcome[] = ['killed', 'timed out', 'survived', 'not reached'];
  const parts = kinds.map((outcome) => `${times(outcome)} ${outcome}`).join(', ');
  const range = `${percent(middle - half)}–${percent(middle + half)}`;
  return { share, line: `${n} tried, ${parts}; ${percent(share)} % found (${range})` };
}
