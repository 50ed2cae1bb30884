import { basename } from 'node:path';
import type { Evaluation, MethodKind, Result, Total } from '../index.ts';
import { cleanLine } from '../../../src/cli/paper/clean.ts';
import type { Paper } from '../../../src/cli/paper/paper.ts';
import { rule } from '../../../src/cli/paper/rule.ts';
import { many, number } from '../../../src/cli/paper/size.ts';
import { cut, widthOf, wrap } from '../../../src/cli/paper/width.ts';
import { lossLines } from './loss.ts';
import { broken, cost, kept, used, type Group } from './row.ts';
import { tableLines } from './table.ts';
import { wordLines } from './words.ts';

/** What is printed. */
export interface Report {
  readonly evaluations: readonly Evaluation[];
  readonly totals: readonly Total[];
  readonly methods: readonly MethodKind[];
  /** Whether frames of the files were played. */
  readonly frames: boolean;
}

/** The whole page: what was measured, a table and the losses for each budget, and what the words mean. */
export function pageLines(report: Report, paper: Paper): readonly string[] {
  const { evaluations, totals, methods } = report;
  const results = evaluations.flatMap((evaluation) => evaluation.results);
  const groups = [kept, used, cost, broken].map((group) => worthShowing(group, totals));
  const budgets = [...new Set(totals.map(({ budget }) => budget))];
  return [
    ...openingLines(report, paper),
    ...budgets.flatMap((budget) => {
      const of = totals.filter((total) => total.budget === budget);
      return budgetLines({ budget, totals: of, results, groups }, paper);
    }),
    '',
    rule(paper, 'what the words mean'),
    ...wordLines(
      groups.flatMap(({ rows }) =>
        rows.flatMap(({ label, about }) => (about === '' ? [] : [[label.trim(), about] as const])),
      ),
      paper,
    ),
    ...wordLines(
      methods.map(({ name, about }) => [name, about] as const),
      paper,
    ),
  ];
}

function openingLines({ evaluations, totals, frames }: Report, paper: Paper): readonly string[] {
  const { contexts = 0 } = totals[0]?.tally ?? {};
  const about =
    `Before each of ${many(contexts, 'assistant message')} a context was made within the budget, ` +
    'and searched for what that message takes up again from earlier in its session.';
  return [
    ...evaluations.map(({ subject }) => {
      const { file, format, entries, tokens, frames: inFile, skipped } = subject;
      const played = frames ? '' : ' left out';
      const facts = [
        format,
        many(entries, 'message'),
        `${number(tokens)} tokens`,
        ...(inFile === 0 ? [] : [`${many(inFile, 'frame')}${played}`]),
        ...(skipped === 0 ? [] : [`${many(skipped, 'line')} skipped`]),
      ].join(', ');
      const name = cut(
        cleanLine(basename(file)),
        paper.width - widthOf(facts) - 2,
        paper.glyphs.more,
      );
      return `${paper.paint(name, 'bold')}  ${facts}`;
    }),
    '',
    ...wrap(about, paper.width),
  ];
}

function budgetLines(
  {
    budget,
    totals,
    results,
    groups,
  }: {
    readonly budget: number;
    readonly totals: readonly Total[];
    readonly results: readonly Result[];
    readonly groups: readonly Group[];
  },
  paper: Paper,
): readonly string[] {
  const first = totals[0]!;
  const { far, spans, directives } = first.tally;
  const asked = `${number(far.of)} far references, ${many(spans.of, 'copied span')}, directives looked for ${many(directives.of, 'time')}.`;
  return [
    '',
    rule(paper, `within ${number(budget)} tokens`),
    ...wrap(asked, paper.width),
    '',
    ...tableLines(groups, totals, paper),
    '',
    ...lossLines(results, first, paper),
  ];
}

/** A group without the rows of which no method has a value, a cost or a fault. */
function worthShowing(group: Group, totals: readonly Total[]): Group {
  const rows = group.rows.filter(({ value }) =>
    totals.some((total) => {
      const found = value(total);
      return found !== null && (group === kept || group === used || found > 0);
    }),
  );
  return { title: rows.length === 0 ? `${group.title}: nothing` : group.title, rows };
}
