import { longestBrief, type Digest, type Frame, type Results } from '../../core/frames/frame.ts';
import { readLines } from '../../core/chronicle/chronicle.ts';
import { fitLines, numbered, printLines, type Line } from '../../core/lines/line.ts';
import { entryId, ordinal, type FrameId } from '../../core/values/id.ts';
import type { PositionSpan } from '../../core/values/span.ts';
import { embedded } from '../../core/budget/options.ts';
import { curedBelow } from '../../core/outcomes/cures.ts';
import { frameAt } from '../../core/frames/frame-ranges.ts';
import { cutTo } from '../../core/text/truncate.ts';
import { childrenOf, frameOf, path } from '../../core/frames/tree.ts';
import { saidIn, type Quote, type FrameView, type WorkingItem } from '../../core/state/view.ts';
import type { Draft } from '../step/draft.ts';
import { quotesOfEntry } from '../compression/human-text.ts';
import { entriesOf, linesOfItems } from '../compression/lines/leaving-lines.ts';
import { isDegenerate } from '../compression/summary-check.ts';

// The digest of a frame stands for its entries where these are not shown: a
// partial result while a child is active, results once the frame is left. Both
// are extracted at once; where a model writes summaries, its text replaces them
// when it comes.

/** Most tokens of a partial result, and of extracted results. */
export const digestLengths = { partial: 300, results: 600 } as const;

/** Parks the active frame, because a child becomes active: gives its partial result. */
export function parkFrame(draft: Draft): Digest | null {
  const frame = frameOf(draft.state.frames, draft.state.active);
  const view = draft.state.views.get(frame.id);
  if (view === undefined || frame.span === null) return null;
  const text = extractDigest(draft, frame, { purpose: 'partial', target: digestLengths.partial });
  return toPartial(draft, frame.span, text);
}

/** The partial result with this text over the entries of a frame. */
export function toPartial(draft: Draft, [first, last]: PositionSpan, text: string): Digest {
  return {
    text: draft.write(text),
    tokens: draft.count(text),
    brief: briefOf(draft, text),
    from: entryId(first),
    to: entryId(last),
    by: embedded,
  };
}

/**
 * The deterministic digest of a frame: its lines of the most worth. Of a partial result they are
 * those of the entries in view, for the chronicle goes on showing the others.
 */
export function extractDigest(
  draft: Pick<Draft, 'state' | 'bodies' | 'count'>,
  frame: Frame,
  { purpose, target }: { purpose: 'partial' | 'results'; target: number },
): string {
  const view = draft.state.views.get(frame.id);
  if (view === undefined) return '';
  const lines =
    purpose === 'results' ? linesOfFrame(draft, frame) : linesOfItems(draft, view.items);
  return printLines(fitLines(numbered(lines), target));
}

/** All lines of a frame, those of the entries in view last; none of one that is closed. */
export function linesOfFrame(
  draft: Pick<Draft, 'state' | 'bodies' | 'count'>,
  { id }: Frame,
): readonly Line[] {
  const view = draft.state.views.get(id);
  if (view === undefined) return [];
  const earlier = draft.state.chronicle.lines.filter(({ frame }) => frame === id);
  return [
    ...readLines(earlier, (source) => draft.bodies.text(source)),
    ...linesOfItems(draft, view.items),
  ];
}

/** What failed in frames above a frame and worked in it, in an earlier part of it, or in a frame below. */
export function curesOf(draft: Draft, frame: Frame): Pick<Results, 'cures'> {
  const { frames, views, frameRanges } = draft.state;
  const itemsOf = (id: FrameId): readonly WorkingItem[] => views.get(id)?.items ?? [];
  const own = draft.part(() => entriesOf(draft, itemsOf(frame.id)));
  const above = path(frames, frame.id).slice(0, -1);
  const pairs = above.flatMap(({ id }) => {
    const entries = draft.part(() => entriesOf(draft, itemsOf(id)));
    return [...draft.part(() => curedBelow(entries, own))];
  });
  const known = [frame, ...childrenOf(frames, frame)].flatMap(({ results }) =>
    Object.entries(results?.cures ?? {}),
  );
  const cures = [
    ...known.filter(([failed]) => frameAt(frameRanges, ordinal(failed)) !== frame.id),
    ...pairs.map(([failed, cured]) => [entryId(failed), entryId(cured)] as const),
  ];
  return cures.length === 0 ? {} : { cures: Object.fromEntries(cures) };
}

/** Most quotes of one entry that bind the parent of its frame. */
const mostBinding = 4;

/** What people said in a frame, in quotes, which bind its parent when the frame is left; but for what they said in children that it drops. */
export function humanQuotes(
  draft: Draft,
  view: FrameView,
  dropped: readonly FrameId[],
): readonly Quote[] {
  const gone = new Set(dropped.flatMap((id) => saidIn(draft.state.views.get(id))));
  const human = [
    ...view.human.map(({ n }) => n),
    ...view.items.filter((item) => item.human).map(({ n }) => n),
  ];
  const said = human.flatMap((n) => quotesOfEntry(draft, n));
  return [...view.quotes, ...said]
    .filter(({ n, rank }) => rank < mostBinding && !gone.has(n))
    .map((quote) => (quote.isAll === true ? { ...quote, isBound: true } : quote));
}

/** A text as one line, short enough for the tree. */
export function briefOf(draft: Draft, text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const short = cutTo(line, longestBrief, draft.count);
  return short === line ? line : `${cutTo(line, longestBrief - 2, draft.count).trimEnd()}…`;
}

/** Asks the summarizer for a better partial result of a frame that was just parked. */
export function requestPartial(draft: Draft, id: FrameId): void {
  const frame = frameOf(draft.state.frames, id);
  if (frame.partial !== null && path(draft.state.frames, draft.state.active).includes(frame))
    requestDigest(draft, frame, 'partial');
}

/** Ends what was asked of the summarizer about a frame: its text would stand for less than there is by now. */
export function endDigestRequests(draft: Draft, frame: FrameId, part: 'partial' | 'results'): void {
  for (const [key, effect] of draft.state.outbox)
    if (effect.frame === frame && effect.purpose === part)
      draft.record({ type: 'effect.ended', key });
}

/** Asks the summarizer for a better text than the extracted one. */
export function requestDigest(draft: Draft, frame: Frame, part: 'partial' | 'results'): void {
  endDigestRequests(draft, frame.id, part);
  if (draft.state.options.summarizer === embedded || frame.span === null) return;
  const [first, last] = frame.span;
  draft.record({
    type: 'effect.requested',
    key: `${draft.state.seq + 1}/${frame.id}/${part}`,
    effect: {
      purpose: part,
      frame: frame.id,
      from: entryId(first),
      to: entryId(last),
      target: digestLengths[part],
      strict: false,
      attempt: 0,
      focus: '',
    },
  });
}

/** Puts a model's text in place of the extracted one, if the frame still has such a digest. */
export function takeDigest(
  draft: Draft,
  digest: { frame: FrameId; part: 'partial' | 'results'; text: string; by: string },
): void {
  const frame = frameOf(draft.state.frames, digest.frame);
  if (digest.part === 'partial' ? frame.partial === null : frame.results === null) return;
  const text = digest.text.trim();
  if (text === '' || isDegenerate(text)) return;
  draft.record({
    type: 'frame.described',
    frame: frame.id,
    part: digest.part,
    text: draft.write(text),
    brief: briefOf(draft, text),
    tokens: draft.count(text),
    by: digest.by,
  });
}
