import { readLines, readOne } from '../lines.ts';
import { keptSession, type KeptLine, type KeptSession } from './told/kept.ts';
import type { Told } from './told/wire.ts';

/** The session that this page holds itself; null where it is served. */
const kept = readKept();

function readKept(): KeptSession | null {
  const lines = document.getElementById('kept')?.textContent;
  if (lines === undefined) return null;
  return keptSession(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as KeptLine),
  );
}

/** The session, step by step, those that came together at once. */
export async function* readSteps(): AsyncGenerator<readonly Told[]> {
  if (kept === null) yield* readLines<Told>('/api/steps');
  else yield kept.told;
}

/** The answer to what is asked beside the steps. */
export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  return kept === null ? readOne<T>(path, signal) : (kept.ask(path) as T);
}
