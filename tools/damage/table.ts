import { markdownTable } from '../table.ts';
import type { Harm } from './harm.ts';
import type { Verdict } from './judge.ts';

/** One damaged store. */
export interface Trial {
  readonly n: number;
  readonly original: string;
  readonly harms: readonly Harm[];
  readonly verdict: Verdict;
}

const head = [
  'done to a file',
  'stores',
  'refused',
  'loss told',
  'nothing lost',
  'end lost',
  'wrong',
  'silent',
  'ended',
  'other faults',
  'sound entries',
  'back',
];

/** Counts of all trials by the first harm, as a table in Markdown. */
export function table(trials: readonly Trial[]): string {
  const kinds = [...new Set(trials.map(({ harms }) => harms[0]!.kind))];
  const rows = kinds.map((kind) =>
    cells(
      kind,
      trials.filter(({ harms }) => harms[0]!.kind === kind),
    ),
  );
  return markdownTable([head, ...rows, cells('all', trials)]);
}

function cells(name: string, trials: readonly Trial[]): readonly string[] {
  const verdicts = trials.map(({ verdict }) => verdict);
  const opened = (how: string): number => verdicts.filter((one) => one.opened === how).length;
  const faults = verdicts.flatMap((one) => one.faults);
  const count = (kind: RegExp): number => faults.filter((fault) => kind.test(fault)).length;
  const sum = (of: 'sound' | 'back'): number => verdicts.reduce((all, one) => all + one[of], 0);
  const told = [/^wrong/, /^silent/, /^(abort|hang)/].map(count);
  const numbers = [
    trials.length,
    opened('refused'),
    opened('told'),
    opened('whole'),
    opened('end lost'),
    ...told,
    faults.length - told.reduce((all, one) => all + one, 0),
    sum('sound'),
    sum('back'),
  ];
  return [name, ...numbers.map((n) => n.toLocaleString('en-US'))];
}
