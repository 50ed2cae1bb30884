import { checkpointAt } from '../../core/assembly/in-view.ts';
import { allowance } from '../../core/assembly/select-entries.ts';
import type { CompressionRange } from '../../core/checkpoints/compression-state.ts';
import { keptLines, readLines, type KeptLine } from '../../core/chronicle/chronicle.ts';
import { splitCitations } from '../../core/lines/citations.ts';
import { correctionsIn, type Correction } from '../../core/lines/corrections.ts';
import { lineMaker } from '../../core/lines/line.ts';
import { isOpen, worthWritten } from '../../core/chronicle/summary-lines.ts';
import { entitiesIn } from '../../core/entities/entities.ts';
import { ordinal, type FrameId } from '../../core/values/id.ts';
import type { Draft } from '../step/draft.ts';
import { ageTo } from './age-checkpoints.ts';

// A model that summarizes is shown what was written of the time before. The line whose number
// it names leaves the chronicle and the checkpoints; the correction stands in its place.

/** Takes the corrections out of a summary and into the chronicle; gives the other lines. */
export function takeCorrections(draft: Draft, range: CompressionRange, summary: string): string {
  const { corrections, rest } = correctionsIn(summary);
  const untaken = corrections.filter((one) => !correct(draft, range, one));
  // What corrects none of the lines before may say something all the same.
  const own = untaken.flatMap(({ text }) => (text === '' ? [] : [`- ${text}`]));
  return [rest, ...own].join('\n');
}

/** Puts a correction in place of the line that it names; says whether there is that line, before the range. */
function correct(draft: Draft, { frame, from }: CompressionRange, correction: Correction): boolean {
  const { chronicle, compressions } = draft.state;
  const known = chronicle.lines.find(({ id }) => id === correction.line);
  if (known?.frame !== frame || known.kind !== 'said' || known.to >= ordinal(from)) return false;
  const [before] = readLines([known], (id) => draft.bodies.text(id));
  if (correction.of === 'open' && !isOpen(before!.text)) return false;
  const { text: said } = splitCitations(correction.text);
  const text = correction.of === 'open' && said !== '' ? `Done: ${said}` : said;
  const { n, to, turn } = known;
  const worth = Math.max(worthWritten(text), known.worth);
  const line = lineMaker(draft.count)({ n, to, turn, kind: 'said', text, worth });
  const source = draft.write(text);
  const lines = keptLines(text === '' ? [] : [line], {
    frame,
    source,
    after: chronicle.made,
    made: compressions,
    names: [namesTaken(draft, [known], text)],
  });
  const { root } = chronicle;
  const gone = [known.id];
  draft.record({ type: 'chronicle.written', frame, root, source, lines, events: [], gone });
  reprint(draft, frame, new Set(gone));
  return true;
}

/** How many of the names that lines were the first to tell a text tells again, at most. */
export function namesTaken(draft: Draft, gone: readonly KeptLine[], text: string): number {
  const told = readLines(gone, (source) => draft.bodies.text(source));
  const names = entitiesIn(told.map((line) => line.text).join('\n'));
  const again = [...entitiesIn(text).keys()].filter((name) => names.has(name));
  return Math.min(
    again.length,
    gone.reduce((sum, line) => sum + line.names, 0),
  );
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
