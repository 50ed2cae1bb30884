import { detectors, scoresOf } from './detector.ts';
import { playCut, playWhole, type Play } from './play.ts';
import type { Turn } from '../real.ts';
import type { CutKind, Request } from './request.ts';
import type { Setup } from './server.ts';

// The first half of the table of truncation: what a server's numbers tell of a cut,
// and who reads it out of them.

const plain: Setup = {
  release: '0.33.2',
  mode: 'rendered',
  silent: 0,
  looks: false,
  heeded: false,
  late: false,
};

/** Servers that cut, by name. */
const setups: readonly { readonly name: string; readonly setup: Setup }[] = [
  { name: '0.12.3, rendered', setup: { ...plain, release: '0.12.3' } },
  { name: '0.15.4, rendered', setup: { ...plain, release: '0.15.4' } },
  { name: '0.30.10, rendered', setup: { ...plain, release: '0.30.10' } },
  { name: '0.33.2, rendered', setup: plain },
  { name: '0.33.2, native', setup: { ...plain, mode: 'native' } },
  { name: 'every fourth count missing', setup: { ...plain, silent: 0.25 } },
  {
    name: 'no count ever; the window, which shrinks, looked up',
    setup: { ...plain, silent: 1, looks: true, late: true },
  },
  { name: '`truncate: false` heeded', setup: { ...plain, heeded: true } },
];

/** One server, all its requests, and how often each detector was right. */
export interface RequestRow {
  readonly server: string;
  readonly requests: Readonly<Record<CutKind, number>>;
  readonly scores: readonly ScoreRow[];
  /** Prompts cut in the middle, with a count, that flamestack calls certain or suspects. */
  readonly middle: { readonly certain: number; readonly suspected: number; readonly told: number };
  /** Sessions with a false alarm of flamestack. */
  readonly troubled: number;
  readonly sessions: number;
}

/** How often one detector was right on one server. */
interface ScoreRow {
  readonly detector: string;
  readonly found: { readonly dropped: number; readonly middle: number; readonly refused: number };
  readonly alarms: number;
}

/** How much is played. */
export interface Extent {
  /** Sessions for each server that cuts. */
  readonly cut: number;
  /** Sessions that are never cut. */
  readonly whole: number;
  readonly seed: number;
  /** Real sessions, which are played in place of made ones. */
  readonly real?: readonly (readonly Turn[])[];
  readonly onSession?: (server: string, n: number, of: number) => void;
}

/** Plays sessions against each server, each with a seed of its own. */
export async function measureRequests(extent: Extent): Promise<readonly RequestRow[]> {
  const rows: RequestRow[] = [];
  for (const [index, { name, setup }] of setups.entries()) {
    const plays = playsOf(extent, { setup, first: extent.seed + 100_000 * (index + 1) });
    rows.push(await rowOf(name, { plays, play: playCut, extent }));
  }
  const whole = playsOf({ ...extent, cut: extent.whole }, { setup: plain, first: extent.seed });
  rows.push(await rowOf('never cut', { plays: whole, play: playWhole, extent }));
  return rows;
}

function playsOf(
  { cut, real = [] }: Extent,
  { setup, first }: { setup: Setup; first: number },
): readonly Play[] {
  if (real.length > 0) return real.map((turns, n) => ({ setup, seed: first + n, turns }));
  return Array.from({ length: cut }, (_, n) => ({ setup, seed: first + n }));
}

async function rowOf(
  server: string,
  given: {
    plays: readonly Play[];
    play: (play: Play) => Promise<readonly Request[]>;
    extent: Extent;
  },
): Promise<RequestRow> {
  const all: (readonly Request[])[] = [];
  for (const [n, play] of given.plays.entries()) {
    given.extent.onSession?.(server, n, given.plays.length);
    all.push(await given.play(play));
  }
  return { server, ...tallied(all) };
}

function tallied(all: readonly (readonly Request[])[]): Omit<RequestRow, 'server'> {
  const flat = all.flat();
  const count = (fate: CutKind): number => flat.filter((one) => one.fate === fate).length;
  const scores = all.map(scoresOf);
  const told = flat.filter(({ fate, counted }) => fate === 'middle' && counted !== null);
  const isAlarm = ({ fate, verdict }: Request): boolean => fate === 'whole' && verdict !== 'none';
  return {
    requests: {
      whole: count('whole'),
      dropped: count('dropped'),
      middle: count('middle'),
      refused: count('refused'),
    },
    scores: detectors.map(({ name }, index) => {
      const own = scores.map((score) => score[index]!);
      const sum = (of: (score: (typeof own)[number]) => number): number =>
        own.reduce((total, score) => total + of(score), 0);
      return {
        detector: name,
        found: {
          dropped: sum(({ found }) => found.dropped),
          middle: sum(({ found }) => found.middle),
          refused: sum(({ found }) => found.refused),
        },
        alarms: sum(({ alarms }) => alarms),
      };
    }),
    middle: {
      certain: told.filter(({ verdict }) => verdict === 'certain').length,
      suspected: told.filter(({ verdict }) => verdict === 'suspected').length,
      told: told.length,
    },
    troubled: all.filter((requests) => requests.some(isAlarm)).length,
    sessions: all.length,
  };
}
