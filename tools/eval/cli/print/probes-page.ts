import { basename } from 'node:path';
import {
  rate,
  type History,
  type MethodKind,
  type Probes,
  type ProbeTotal,
  type Share,
} from '../../index.ts';
import { cleanLine } from '../../../../src/cli/paper/clean.ts';
import type { Paper } from '../../../../src/cli/paper/paper.ts';
import { rule } from '../../../../src/cli/paper/rule.ts';
import { many, number } from '../../../../src/cli/paper/size.ts';
import { wrap } from '../../../../src/cli/paper/width.ts';
import { share, tokens, type Group } from '../row.ts';
import { tableLines } from './table.ts';
import { wordLines } from './words.ts';

/** A probe file with the session that it is about. */
export interface Probed {
  readonly probes: Probes;
  readonly history: History;
}

/** What is printed of probes. */
export interface ProbeReport {
  readonly probed: readonly Probed[];
  readonly totals: readonly ProbeTotal[];
  readonly methods: readonly MethodKind[];
}

/** What was done, in a sentence or two. */
export const aboutProbes =
  'Each session was played up to its cut; a probe counts where all its keys stand in the context, ' +
  'each at most 400 characters from the first. This is fast and no reader: --context writes the contexts for one.';

/** What was asked, and a table for each budget: rows by what is asked for and by file, a column for each method. */
export function probeLines(
  { probed, totals, methods }: ProbeReport,
  paper: Paper,
): readonly string[] {
  const budgets = [...new Set(totals.map(({ budget }) => budget))];
  return [
    ...probedLines(probed, paper),
    '',
    ...wrap(aboutProbes, paper.width),
    ...budgets.flatMap((budget) => {
      const of = totals.filter((total) => total.budget === budget);
      return [
        '',
        rule(paper, `within ${number(budget)} tokens`),
        ...tableLines(groupsOf(of[0]!), of, paper),
      ];
    }),
    '',
    ...wordLines(
      methods.map(({ name, about: does }) => [name, does] as const),
      paper,
    ),
  ];
}

/** What was asked of which session, a line for each. */
export const probedLines = (probed: readonly Probed[], { paint }: Paper): readonly string[] =>
  probed.map((one) => `${paint(nameOf(one.probes.file), 'bold')}  ${probedFacts(one)}`);

/** How much was asked of what. */
export const probedFacts = ({ probes, history: { format, entries } }: Probed): string =>
  `${many(probes.probes.length, 'probe')}, ${format}, ${many(entries.length, 'message')}`;

/** The rows, as the first method has them: all have the same. */
function groupsOf({ kinds, files, all }: ProbeTotal): readonly Group<ProbeTotal>[] {
  const byFile = Object.keys(files).map((file) =>
    row(`${nameOf(file)} (${files[file]!.of})`, (total) => total.files[file]),
  );
  return [
    {
      title: 'Keys near each other, in %',
      rows: [
        ...Object.keys(kinds).map((kind) =>
          row(`${cleanLine(kind)} (${kinds[kind]!.of})`, (total) => total.kinds[kind]),
        ),
        row(`all (${all.of})`, (total) => total.all),
      ],
    },
    ...(byFile.length > 1 ? [{ title: 'By probe file, in %', rows: byFile }] : []),
    { title: 'Cost', rows: [tokens('mean context', (total) => total.tokens)] },
  ];
}

function row(
  label: string,
  of: (total: ProbeTotal) => Share | undefined,
): Group<ProbeTotal>['rows'][number] {
  return share(label, (total) => rate(of(total)!));
}

/** A probe file by its name. */
export function nameOf(file: string): string {
  return cleanLine(basename(file, '.json'));
}
