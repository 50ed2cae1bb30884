import { clip, listed, quote } from './quote.ts';

/** What an automatic checkpoint tells. */
export interface CheckpointGiven {
  /** What was done since the last one, oldest first. */
  readonly done: readonly string[];
  /** Paths that were edited. */
  readonly files: readonly string[];
  /** Turns since the last checkpoint. */
  readonly turns: number;
  /** What comes next; null where it is not known. */
  readonly next: string | null;
}

/** The comment that an automatic checkpoint leaves, of at most 1,000 bytes. What was done last is told rather than what was done first. */
export function checkpointText({ done, files, turns, next }: CheckpointGiven): string {
  const last = done.toReversed().map((step) => clip(quote(step), 200));
  const fileNames = files.map((file) => quote(file));
  return [
    'Auto-checkpoint (pre-compaction):',
    `- Done: ${last.length === 0 ? '(nothing was recorded)' : listed(last, 420)}`,
    ...(fileNames.length === 0 ? [] : [`- Files: ${listed(fileNames, 260)}`]),
    `- Turns since last checkpoint: ${turns}`,
    ...(next === null || next.trim() === '' ? [] : [`- Next: ${clip(quote(next), 180)}`]),
  ].join('\n');
}
