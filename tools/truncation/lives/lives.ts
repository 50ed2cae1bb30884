import { between, pick, randomOf } from '../../random.ts';
import { flatSubject, playKilled } from './kill.ts';
import {
  sparedAfter,
  keptUndisturbed,
  playDisrupted,
  disruptionPoints,
  type Disruption,
  type Outcome,
} from './life.ts';
import { firstLines } from './first-lines.ts';
import { subjectOf } from './subject.ts';

// The third part: what a session knows after a cut, over the session files that are given.

/** What is played. */
export interface LifeExtent {
  readonly files: readonly string[];
  readonly window: number;
  /** Blows of each kind for each file. */
  readonly blows: number;
  readonly seed: number;
  /** The program that is killed; none is where it is not told. */
  readonly victim?: string;
  readonly onFile?: (file: string, blow: Disruption) => void;
}

/** What came of all blows of one kind. */
export interface LifeRow {
  readonly blow: Disruption;
  readonly outcomes: readonly Outcome[];
}

/** Strikes each file several times in each way, at random answers. */
export async function measureLives(extent: LifeExtent): Promise<readonly LifeRow[]> {
  const rows: Record<Disruption, Outcome[]> = { server: [], host: [], killed: [] };
  for (const file of extent.files) {
    await fillDisrupted(file, rows, extent);
    if (extent.victim !== undefined)
      rows.killed.push(...(await killedOutcomes(file, { ...extent, victim: extent.victim })));
  }
  const blows: readonly Disruption[] = ['server', 'host', 'killed'];
  return blows
    .map((blow) => ({ blow, outcomes: rows[blow] }))
    .filter(({ outcomes }) => outcomes.length > 0);
}

async function fillDisrupted(
  file: string,
  rows: Record<Disruption, Outcome[]>,
  { window, blows, seed, onFile }: LifeExtent,
): Promise<void> {
  const subject = await subjectOf(file, window);
  const places = disruptionPoints(subject);
  if (places.length === 0) return;
  const kept = await keptUndisturbed(subject);
  for (const blow of ['server', 'host'] as const) {
    onFile?.(file, blow);
    for (let n = 0; n < blows; n += 1) {
      const random = randomOf(seed + n);
      const at = pick(random, places);
      const outcome = await playDisrupted(subject, { at, blow, random });
      const spared = sparedAfter(subject, at + (blow === 'server' ? 1 : 0), kept);
      rows[blow].push({ ...outcome, spared });
    }
  }
}

async function killedOutcomes(
  file: string,
  { window, blows, seed, victim, onFile }: LifeExtent & { readonly victim: string },
): Promise<readonly Outcome[]> {
  onFile?.(file, 'killed');
  const subject = await flatSubject(file, window);
  let summaries = 0;
  const kept = await keptUndisturbed(subject, { summarizer: firstLines(() => (summaries += 1)) });
  if (summaries === 0) return [];
  const outcomes: Outcome[] = [];
  for (let n = 0; n < blows; n += 1) {
    const random = randomOf(seed + n);
    const killing = { file, window, summary: between(random, 1, summaries + 1) };
    const struck = await playKilled(subject, { killing, victim, random });
    if (struck === null) continue;
    outcomes.push({ ...struck.outcome, spared: sparedAfter(subject, struck.from, kept) });
  }
  return outcomes;
}
