import { rate, type Evaluation, type Total } from '../../index.ts';
import { cleanLine } from '../../../../src/cli/paper/clean.ts';
import type { Paper } from '../../../../src/cli/paper/paper.ts';
import { many, number } from '../../../../src/cli/paper/size.ts';
import { wrap } from '../../../../src/cli/paper/width.ts';
import {
  answered,
  at,
  faultsOf,
  leading,
  methodsIn,
  windowsOf,
  type Cell,
  type Measure,
} from '../measure.ts';
import { share } from '../row.ts';
import { probedLines, type ProbeReport } from './probes-page.ts';
import { subjectLines, type Report } from './report.ts';
import { tableLines } from './table.ts';

/** Most files that get a line each. */
const mostFiles = 2;

/** The few numbers that matter: the leading measures of each method within each window, and what is broken. */
export function evalHeadline(report: Report, paper: Paper): readonly string[] {
  const { evaluations, totals } = report;
  const sum = (of: (evaluation: Evaluation) => number): number =>
    evaluations.reduce((all, evaluation) => all + of(evaluation), 0);
  const files =
    evaluations.length <= mostFiles
      ? subjectLines(report, paper)
      : [
          `${many(evaluations.length, 'file')}, ${many(
            sum(({ subject }) => subject.entries),
            'message',
          )}, ${number(sum(({ subject }) => subject.tokens))} tokens`,
        ];
  return [
    ...files,
    '',
    ...measureLines(leading, totals, paper),
    ...wrap(`Broken contexts: ${brokenText(totals)}`, paper.width),
  ];
}

/** How many contexts of each method break a rule, all windows together: ours first, whatever it is. */
function brokenText(totals: readonly Total[]): string {
  const counts = methodsIn(totals).map((method) => {
    const own = totals.filter((total) => total.method === method);
    return { method, faults: own.reduce((all, total) => all + faultsOf(total), 0) };
  });
  return counts
    .filter(({ faults }, index) => index === 0 || faults > 0)
    .map(({ method, faults }) => `${method} ${number(faults)}`)
    .join(', ');
}

/** The answers of each method within each window, and by kind those of the first method. */
export function probeHeadline({ probed, totals }: ProbeReport, paper: Paper): readonly string[] {
  const [first] = totals;
  const asked = answered(`Answered, of ${many(first!.all.of, 'probe')}`, ({ all }) => all);
  const kinds = Object.keys(first!.kinds);
  const own = totals.filter(({ method }) => method === first!.method);
  const byWindow = own.map((total) => ({ method: number(total.budget), total }));
  const rows = kinds.map((kind) =>
    share<(typeof byWindow)[number]>(
      `${cleanLine(kind)} (${first!.kinds[kind]!.of})`,
      ({ total }) => rate(total.kinds[kind]!),
    ),
  );
  const title = `${first!.method} by kind, in %`;
  return [
    ...probedLines(probed, paper),
    '',
    ...measureLines([asked], totals, paper),
    '',
    ...tableLines(
      [{ title, rows: rows.map((row) => ({ ...row, isRated: false })) }],
      byWindow,
      paper,
    ),
  ];
}

/** A line for each window under each measure, and a column for each method. */
function measureLines<Total extends Cell>(
  measures: readonly Measure<Total>[],
  totals: readonly Total[],
  paper: Paper,
): readonly string[] {
  const columns = methodsIn(totals).map((method) => ({ method }));
  const groups = measures.map((measure) => ({
    title: `${measure.name}, in %`,
    rows: windowsOf(totals).map((window) =>
      share<Pick<Cell, 'method'>>(number(window), ({ method }) =>
        rate(measure.share(at(totals, method, window))),
      ),
    ),
  }));
  return tableLines(groups, columns, paper);
}
