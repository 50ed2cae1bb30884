import { checkpointAt } from '../../core/assembly/in-view.ts';
import { allowance } from '../../core/assembly/select-entries.ts';
import type { CompressionRange } from '../../core/checkpoints/compression-state.ts';
import { readLines, type KeptLine } from '../../core/chronicle/chronicle.ts';
import { correctionsIn, type Correction } from '../../core/lines/corrections.ts';
import { splitCitations } from '../../core/lines/citations.ts';
import { isUnsettled } from '../../core/chronicle/summary-lines.ts';
import { ordinal, type FrameId } from '../../core/values/id.ts';
import type { Draft } from '../step/draft.ts';
import { ageTo } from './age-checkpoints.ts';

// A model that summarizes is shown what was written of the time before. The line whose number it
// names leaves the chronicle and the checkpoints; what is right stands among the lines of the
// entries that show it.

/** Takes the lines that a summary corrects out of the chronicle; gives the summary with what is right in their place, at its beginning. */
export function takeCorrections(draft: Draft, range: CompressionRange, summary: string): string {
  const { corrections, rest } = correctionsIn(summary);
  const meant = corrections.map((correction) => meantBy(draft, range, correction));
  const gone = meant.flatMap((line) => line?.id ?? []);
  if (gone.length > 0) {
    const { frame } = range;
    const { root } = draft.state.chronicle;
    const source = draft.write('');
    draft.record({ type: 'chronicle.written', frame, root, source, lines: [], events: [], gone });
    reprint(draft, frame, new Set(gone));
  }
  const right = corrections.flatMap(({ of, text }, index) => {
    const isDone = of === 'open' && meant[index] !== undefined;
    if (text === '' || (isDone && tellsNothing(text))) return [];
    return [isDone ? `- Done: ${text}` : `- ${text}`];
  });
  return [...right, rest].join('\n');
}

/** Shortest text without a name that tells alone what came of something, in UTF-16 units. */
const leastPlain = 36;

/** Whether what came of an open line tells nothing without that line: “Part of D10 (e259)”; words of scripts that say more in less always tell. */
function tellsNothing(text: string): boolean {
  const said = splitCitations(text).text.replace(/\be\d+\b/g, '');
  return said.length < leastPlain && !/[`“"\u3040-\ud7ff]|\d{3}|[a-z][A-Z]|\w[._/]\w/.test(said);
}

/** The line that a correction names, if it stands before the range. */
function meantBy(
  draft: Draft,
  { frame, from }: CompressionRange,
  { of, line }: Correction,
): KeptLine | undefined {
  const known = draft.state.chronicle.lines.find(({ id }) => id === line);
  if (known?.frame !== frame || known.kind !== 'said' || known.to >= ordinal(from))
    return undefined;
  const [before] = readLines([known], (id) => draft.bodies.text(id));
  return of === 'open' && !isUnsettled(before!.text) ? undefined : known;
}

/** Prints the checkpoints of a frame anew that held lines which are gone. */
function reprint(draft: Draft, frame: FrameId, gone: ReadonlySet<number>): void {
  const { factor } = allowance(draft.state, frame);
  for (const { id, lines } of draft.state.views.get(frame)?.checkpoints ?? []) {
    if (!lines.some((line) => gone.has(line))) continue;
    const { age } = checkpointAt(draft.state, id).checkpoint;
    ageTo(draft, { frame, checkpoint: id, age, factor });
  }
}
