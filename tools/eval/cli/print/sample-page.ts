import { basename } from 'node:path';
import type { Sample } from '../../index.ts';
import { cleanLine } from '../../../../src/cli/paper/clean.ts';
import type { Paper } from '../../../../src/cli/paper/paper.ts';
import { rule } from '../../../../src/cli/paper/rule.ts';
import { many, number } from '../../../../src/cli/paper/size.ts';
import { wrap } from '../../../../src/cli/paper/width.ts';

/** Each line that was drawn, and under it what it came from. */
export function sampleLines(
  samples: readonly Sample[],
  seed: number,
  paper: Paper,
): readonly string[] {
  return [
    `seed ${seed}`,
    ...samples.flatMap((sample) => {
      const { session, method, budget, section, lines, of } = sample;
      const name = cleanLine(basename(session));
      return [
        '',
        rule(paper, `${section}, ${name}, ${method} within ${number(budget)} tokens`),
        `${number(lines.length)} of ${many(of, 'line')}`,
        ...lines.flatMap((line, index) => drawnLines(line, index + 1, paper)),
      ];
    }),
  ];
}

function drawnLines(
  { text, under, place, sources }: Sample['lines'][number],
  count: number,
  { width, paint }: Paper,
): readonly string[] {
  const inset = (lines: readonly string[]): readonly string[] => lines.map((line) => `    ${line}`);
  return [
    '',
    paint(
      `${count}. before message ${place}${under === '' ? '' : `, under "${cleanLine(under)}"`}`,
      'bold',
    ),
    ...wrap(cleanLine(text), width),
    ...(sources.length === 0 ? inset(['no entry has any of its words']) : []),
    ...sources.flatMap((source) =>
      inset([
        paint(`message ${source.place}, ${source.role}`, 'gray'),
        ...source.excerpt.split('\n').flatMap((line) => wrap(cleanLine(line), width - 4)),
      ]),
    ),
  ];
}
