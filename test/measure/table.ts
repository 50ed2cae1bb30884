import { detectors } from './detector.ts';
import type { HistoryRow } from './history.ts';
import type { RequestRow } from './requests.ts';

/** Rows as a table in Markdown; the first row is its head, and all columns but the first are numbers. */
function markdown(rows: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(' | ')} |`;
  const rule = widths.map((width, at) =>
    at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rest.map(line)].join('\n');
}

/** A share in per cent, to a tenth; a dash where there is nothing to have a share of. */
function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${(Math.floor((1_000 * part) / whole) / 10).toFixed(1)} %`;
}

/** Cut prompts found on the very call, by server and detector, with false alarms in brackets. */
export function requestTable(rows: readonly RequestRow[]): string {
  const head = ['server', 'cut', 'whole', ...detectors.map(({ name }) => name)];
  return markdown([head, ...rows.map(requestCells)]);
}

function requestCells({ server, requests, scores }: RequestRow): readonly string[] {
  const cut = requests.dropped + requests.middle + requests.refused;
  const cells = scores.map(({ found, alarms }) => {
    const share = percent(found.dropped + found.middle + found.refused, cut);
    return cut === 0 ? `(${alarms})` : alarms === 0 ? share : `${share} (${alarms})`;
  });
  return [server, String(cut), String(requests.whole), ...cells];
}

/** What flamestack says of each kind of cut. */
export function kindTable(rows: readonly RequestRow[]): string {
  const head = ['server', 'messages dropped', 'found', 'middle cut out', 'found', 'certain'];
  return markdown([head, ...rows.filter(isCut).map(kindCells)]);
}

const isCut = ({ requests }: RequestRow): boolean => requests.dropped + requests.middle > 0;

function kindCells({ server, requests, scores, middle }: RequestRow): readonly string[] {
  const { found } = scores.at(-1)!;
  return [
    server,
    String(requests.dropped),
    percent(found.dropped, requests.dropped),
    String(requests.middle),
    percent(found.middle, requests.middle),
    percent(middle.certain, middle.told),
  ];
}

/** Host-side events, and how often each way to look at them was right. */
export function historyTable(rows: readonly HistoryRow[]): string {
  const head = [
    'event',
    'lost?',
    'message count fell',
    'size fell',
    '`sync`: loss or none',
    'relation',
    'exact ids',
  ];
  return markdown([head, ...rows.map(historyCells)]);
}

function historyCells(row: HistoryRow): readonly string[] {
  const { event, isLoss, trials, messages, size, sync, relation, named } = row;
  const shares = [messages, size, sync, relation, named].map((count) => percent(count, trials));
  return [event, isLoss ? 'yes' : 'no', ...shares];
}
