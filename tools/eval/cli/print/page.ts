import type { MethodKind, Result, Total } from '../../index.ts';
import type { Paper } from '../../../../src/cli/paper/paper.ts';
import { rule } from '../../../../src/cli/paper/rule.ts';
import { many, number } from '../../../../src/cli/paper/size.ts';
import { wrap } from '../../../../src/cli/paper/width.ts';
import { lossLines } from './loss.ts';
import { broken, cost, kept, used, type Group } from '../row.ts';
import { subjectLines, type Report } from './report.ts';
import { tableLines } from './table.ts';
import { wordLines } from './words.ts';

/** The whole page: what was measured, a table and the losses for each budget, and what the words mean. */
export function pageLines(report: Report, paper: Paper): readonly string[] {
  const { evaluations, totals, methods } = report;
  const results = evaluations.flatMap((evaluation) => evaluation.results);
  const groups = groupsWorthShowing(totals);
  const budgets = [...new Set(totals.map(({ budget }) => budget))];
  return [
    ...openingLines(report, paper),
    ...budgets.flatMap((budget) => {
      const of = totals.filter((total) => total.budget === budget);
      return budgetLines({ budget, totals: of, results, groups }, paper);
    }),
    '',
    rule(paper, 'what the words mean'),
    ...wordLines(wordsOf(groups), paper),
    ...wordLines(wordsFor(methods), paper),
  ];
}

/** The measures, by group, of which there is something to show. */
export const groupsWorthShowing = (totals: readonly Total[]): readonly Group[] =>
  [kept, used, cost, broken].map((group) => worthShowing(group, totals));

type Word = readonly [word: string, about: string];

/** What the measures and methods of a report mean. */
export const meanings = ({ totals, methods }: Report): readonly Word[] => [
  ...wordsOf(groupsWorthShowing(totals)),
  ...wordsFor(methods),
];

const wordsOf = (groups: readonly Group[]): readonly Word[] =>
  groups.flatMap(({ rows }) =>
    rows.flatMap(({ label, about }): readonly Word[] =>
      about === '' ? [] : [[label.trim(), about]],
    ),
  );

const wordsFor = (methods: readonly MethodKind[]): readonly Word[] =>
  methods.map(({ name, about }) => [name, about]);

function openingLines(report: Report, paper: Paper): readonly string[] {
  return [...subjectLines(report, paper), '', ...wrap(aboutOf(report.totals), paper.width)];
}

/** What was done, in a sentence. */
export function aboutOf(totals: readonly Total[]): string {
  const { contexts = 0 } = totals[0]?.tally ?? {};
  return (
    `Before each of ${many(contexts, 'assistant message')} a context was made within the budget, ` +
    'and searched for what that message takes up again from earlier in its session.'
  );
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
