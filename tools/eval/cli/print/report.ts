import { basename } from 'node:path';
import type { Evaluation, MethodKind, Total } from '../../index.ts';
import { cleanLine } from '../../../../src/cli/paper/clean.ts';
import type { Paper } from '../../../../src/cli/paper/paper.ts';
import { many, number } from '../../../../src/cli/paper/size.ts';
import { cut, widthOf } from '../../../../src/cli/paper/width.ts';

/** What an evaluation found, as it is shown. */
export interface Report {
  readonly evaluations: readonly Evaluation[];
  readonly totals: readonly Total[];
  readonly methods: readonly MethodKind[];
  /** Whether frames of the files were played. */
  readonly frames: boolean;
}

/** A file that was measured, with what is known of it; `isPlayed` is whether its frames were. */
export function subjectFacts({ subject }: Evaluation, isPlayed: boolean): string {
  const { format, entries, tokens, frames, skipped } = subject;
  return [
    format,
    many(entries, 'message'),
    `${number(tokens)} tokens`,
    ...(frames === 0 ? [] : [`${many(frames, 'frame')}${isPlayed ? '' : ' left out'}`]),
    ...(skipped === 0 ? [] : [`${many(skipped, 'line')} skipped`]),
  ].join(', ');
}

/** Each file that was measured on a line. */
export const subjectLines = (
  { evaluations, frames }: Report,
  { width, glyphs, paint }: Paper,
): readonly string[] =>
  evaluations.map((evaluation) => {
    const facts = subjectFacts(evaluation, frames);
    const name = cleanLine(basename(evaluation.subject.file));
    return `${paint(cut(name, width - widthOf(facts) - 2, glyphs.more), 'bold')}  ${facts}`;
  });
