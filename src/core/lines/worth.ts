import type { Line, LineKind } from './line.ts';
import { withoutForms } from './own-forms.ts';

/** What a line tells before it has its place. */
export type UnplacedLine = Pick<Line, 'kind' | 'text' | 'worth'>;

/** A statement of a text. */
export interface Statement {
  readonly text: string;
  /** How telling it is; above 0. */
  readonly value: number;
}

/** A value for the length that it takes: of two that tell as much, the shorter is worth more. */
export const worthOf = (value: number, text: string): number =>
  (4 * value) / Math.sqrt(8 + text.length / 4);

/** What a second statement of a text is worth beside the best one, a third beside the second, and so on. */
const nextShare = 0.94;

/** What any statement of a text is worth at least beside the best one: a long text ends with what came out of it. */
const leastShare = 0.5;

/** Statements as they are told, of a value that `share` takes part in; each is worth less the more there are of a higher value, `next` of the one before. */
export function statementLines(
  statements: readonly Statement[],
  kind: LineKind,
  weight: number | { readonly share: number; readonly next: number },
): readonly UnplacedLine[] {
  const { share, next } = typeof weight === 'number' ? { share: weight, next: nextShare } : weight;
  const worths = statements.map((one) => worthOf(one.value * share, one.text));
  const best = [...worths.keys()].sort((a, b) => worths[b]! - worths[a]!);
  const rank = new Map(best.map((index, position) => [index, position]));
  return statements.map((one, index) => ({
    kind,
    text: withoutForms(one.text),
    worth: worths[index]! * Math.max(leastShare, next ** rank.get(index)!),
  }));
}
