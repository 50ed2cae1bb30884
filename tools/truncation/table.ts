import { markdownTable } from '../table.ts';
import { detectors } from './requests/detector.ts';
import type { HistoryRow } from './history.ts';
import type { Share } from './lives/life.ts';
import type { LifeRow } from './lives/lives.ts';
import type { RequestRow } from './requests/requests.ts';
import { suspicionsOf, type TokenizerRow } from './tokenizers/measure.ts';

/** A share in per cent, to a tenth; a dash where there is nothing to have a share of. */
function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${(Math.floor((1_000 * part) / whole) / 10).toFixed(1)} %`;
}

/** Cut prompts found on the very call, by server and detector, with false alarms in brackets. */
export function requestTable(rows: readonly RequestRow[]): string {
  const head = ['server', 'cut', 'whole', ...detectors.map(({ name }) => name)];
  return markdownTable([head, ...rows.map(requestCells)]);
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
  return markdownTable([head, ...rows.filter(isCut).map(kindCells)]);
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

/** False alarms by the vocabulary that a server counts with. */
export function tokenizerTable(rows: readonly TokenizerRow[]): string {
  const head = ['vocabulary', 'requests', 'interruptions', 'suspicions', 'in 200 requests'];
  const cells = rows.map((row): readonly string[] => {
    const suspicions = suspicionsOf(row);
    const rate = ((200 * suspicions) / row.requests).toFixed(1);
    return [
      row.tokenizer,
      String(row.requests),
      String(row.interruptions),
      String(suspicions),
      rate,
    ];
  });
  return markdownTable([head, ...cells]);
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
  return markdownTable([head, ...rows.map(historyCells)]);
}

function historyCells(row: HistoryRow): readonly string[] {
  const { event, isLoss, trials, messages, size, sync, relation, named } = row;
  const shares = [messages, size, sync, relation, named].map((count) => percent(count, trials));
  return [event, isLoss ? 'yes' : 'no', ...shares];
}

/** What sessions know after a blow, and the far references of the next answers beside a run without it. */
export function lifeTable(rows: readonly LifeRow[]): string {
  const head = ['', ...rows.map(({ blow }) => blows[blow])];
  const row = (name: string, cell: (row: LifeRow) => string): readonly string[] => [
    name,
    ...rows.map(cell),
  ];
  return markdownTable([
    head,
    row('blows', ({ outcomes }) => String(outcomes.length)),
    row('noticed once', ({ outcomes }) => share(outcomes.map(({ noticed }) => noticed === 1))),
    row('next assembly within the limit', ({ outcomes }) =>
      share(outcomes.map(({ fits }) => fits)),
    ),
    row('… holds the last checkpoint', ({ outcomes }) =>
      share(outcomes.flatMap(({ checkpoint }) => (checkpoint === null ? [] : [checkpoint]))),
    ),
    row('… the newest human entry', ({ outcomes }) => share(outcomes.map(({ human }) => human))),
    row('… open items', ({ outcomes }) => sum(outcomes.map(({ open }) => open))),
    row('… files changed', ({ outcomes }) => sum(outcomes.map(({ files }) => files))),
    row('`recall` finds a lost sentence', ({ outcomes }) =>
      share(outcomes.flatMap(({ recalled }) => (recalled === null ? [] : [recalled]))),
    ),
    row('log whole, nothing twice', ({ outcomes }) =>
      share(outcomes.map(({ isWhole }) => isWhole)),
    ),
    row('far references kept, next 20 answers', ({ outcomes }) =>
      sum(outcomes.map(({ struck }) => struck)),
    ),
    row('the same without the cut', ({ outcomes }) => sum(outcomes.map(({ spared }) => spared))),
  ]);
}

const blows = { server: 'server cuts', host: 'host drops', killed: 'killed, begun anew' } as const;

const share = (list: readonly boolean[]): string => {
  const kept = list.filter(Boolean).length;
  return `${kept} of ${list.length}`;
};

function sum(shares: readonly Share[]): string {
  const kept = shares.reduce((total, one) => total + one.kept, 0);
  const of = shares.reduce((total, one) => total + one.of, 0);
  return `${percent(kept, of)} of ${of}`;
}
