import { markdownTable } from '../table.ts';
import { median, quantile } from './cost.ts';
import type { Goal, Row, Unit } from './row.ts';

const headings = ['', 'median', 'middle half', 'by the clock', 'goal', ''] as const;

/** A row as it is kept and as `--json` prints it. */
export interface Measured extends Row {
  readonly bench: string;
  readonly median: number;
  readonly met: boolean | null;
}

/** Judges a row. */
export function toMeasured(bench: string, row: Row): Measured {
  const middle = median(row.samples);
  return {
    bench,
    ...row,
    median: middle,
    met: row.goal === undefined ? null : meets(middle, row.goal),
  };
}

function meets(value: number, goal: Goal): boolean {
  return 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
}

/** Rows under the titles of their benches, as a table in Markdown. */
export function toTable(parts: readonly { title: string; rows: readonly Measured[] }[]): string {
  const lines = parts.flatMap(({ title, rows }) => [[`**${title}**`], ...rows.map(cellsOf)]);
  return markdownTable([headings, ...lines], { numbers: false });
}

function cellsOf({
  work,
  note,
  unit,
  samples,
  wall,
  goal,
  met,
  median: middle,
}: Measured): string[] {
  const spread =
    samples.length < 3
      ? ''
      : `${toText(quantile(samples, 0.25))} – ${toText(quantile(samples, 0.75))}`;
  return [
    note === undefined ? work : `${work} (${note})`,
    withUnit(middle, unit),
    spread,
    wall === undefined ? '' : withUnit(median(wall), unit),
    goal === undefined ? '' : 'atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`,
    met === null ? '' : met ? 'met' : '**missed**',
  ];
}

function withUnit(value: number, unit: Unit): string {
  return `${toText(value)} ${unit}`.trimEnd();
}

/** Three digits that count. */
function toText(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return Number(value.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 4 });
}
