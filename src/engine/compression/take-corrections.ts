import { checkpointAt } from '../../core/assembly/in-view.ts';
import { allowance } from '../../core/assembly/select-entries.ts';
import type { CompressionRange } from '../../core/checkpoints/compression-state.ts';
import { keptLines, readLines, type KeptLine } from '../../core/chronicle/chronicle.ts';
import { splitCitations } from '../../core/lines/citations.ts';
import { correctionsIn, type Correction } from '../../core/lines/corrections.ts';
import { lineMaker } from '../../core/lines/line.ts';
import { isOpen, worthWritten } from '../../core/chronicle/summary-lines.ts';
import { termsIn } from '../../core/search/terms.ts';
import { entitiesIn } from '../../core/entities/entities.ts';
import { ordinal, type FrameId } from '../../core/values/id.ts';
import type { Draft } from '../step/draft.ts';
import { ageTo } from './age-checkpoints.ts';

// A model that summarizes is shown what was written of the time before. What stands
// there under exactly the ids that it corrects leaves the chronicle and the
// checkpoints; the correction stands at the end of these entries. Lines of single
// entries within a range stay: they were not meant. Of several lines about the same
// entries the one goes that shares most words with the correction, and what is done
// was open.

/** Takes the corrections out of a summary and into the chronicle; gives the other lines. */
export function takeCorrections(draft: Draft, range: CompressionRange, summary: string): string {
  const { corrections, rest } = correctionsIn(summary);
  const start = ordinal(range.from);
  const earlier = corrections.filter(({ to }) => ordinal(to) < start);
  for (const correction of earlier) correct(draft, range.frame, correction);
  if (earlier.length === corrections.length) return rest;
  // What it says of its own entries, or of none that there is, corrects nothing.
  const own = corrections.filter((one) => !earlier.includes(one) && one.text !== '');
  return [rest, ...own.map(({ from, to, text }) => `${from}–${to} ${text}`)].join('\n');
}

/** Puts a correction in place of what was stated of its entries. */
function correct(draft: Draft, frame: FrameId, correction: Correction): void {
  const { of } = correction;
  const [first, last] = [ordinal(correction.from), ordinal(correction.to)];
  const { chronicle, compressions } = draft.state;
  const own = chronicle.lines.filter((line) => line.frame === frame && line.kind === 'said');
  const gone = meantBy(draft, own, correction);
  const { text: said } = splitCitations(correction.text);
  if (of === 'open' && gone.length === 0 && said === '') return;
  const text = of === 'open' && said !== '' ? `Done: ${said}` : said;
  const turn = own.findLast(({ n }) => n <= first)?.turn ?? 0;
  const worth = Math.max(worthWritten(text), ...gone.map((line) => line.worth));
  const line = lineMaker(draft.count)({ n: first, to: last, turn, kind: 'said', text, worth });
  const source = draft.write(text);
  const lines = keptLines(text === '' ? [] : [line], {
    frame,
    source,
    after: chronicle.made,
    made: compressions,
    names: [namesTaken(draft, gone, text)],
  });
  const ids = gone.map(({ id }) => id);
  const { root } = chronicle;
  draft.record({ type: 'chronicle.written', frame, root, source, lines, events: [], gone: ids });
  reprint(draft, frame, new Set(ids));
}

/** The lines that a correction means. */
function meantBy(
  draft: Draft,
  own: readonly KeptLine[],
  { of, from, to, text }: Correction,
): readonly KeptLine[] {
  const [first, last] = [ordinal(from), ordinal(to)];
  const textOf = (line: KeptLine): string =>
    readLines([line], (source) => draft.bodies.text(source))[0]!.text;
  const within = own.filter(
    (line) => line.n >= first && line.to <= last && (of === 'wrong' || isOpen(textOf(line))),
  );
  const exact = within.filter(({ n, to: end }) => n === first && end === last);
  const meant = exact.length > 0 || within.length > 1 ? exact : within;
  if (meant.length < 2) return meant;
  const words = new Set(termsIn(text));
  const shared = (line: KeptLine): number =>
    termsIn(textOf(line)).filter((word) => words.has(word)).length;
  return [meant.reduce((best, line) => (shared(line) > shared(best) ? line : best))];
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
