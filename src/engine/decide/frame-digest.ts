import type { Digest, Frame } from '../../core/frames/frame.ts';
import { entitiesOf } from '../../core/text/entities.ts';
import { harvest } from '../../core/checkpoints/extractive-summary.ts';
import { entryId, type FrameId } from '../../core/values/id.ts';
import type { Fact } from '../../core/state/fact.ts';
import { mentionsOf } from '../../core/breadcrumbs/ledger.ts';
import { embedded } from '../../core/budget/options.ts';
import { cutTo } from '../../core/text/truncate.ts';
import { frameOf, path } from '../../core/frames/tree.ts';
import type { Quote, FrameView } from '../../core/state/view.ts';
import type { Draft } from '../step/draft.ts';
import { directivesOfEntry } from '../compression/begin-epoch.ts';
import { isDegenerate } from '../compression/summary-check.ts';

// The digest of a frame stands for its entries where these are not shown: a
// partial result while a child is active, results once the frame is left. Both
// are extracted at once; where a model writes summaries, its text replaces them
// when it comes.

/** Most tokens of a brief made from longer text, of a partial result, of extracted results. */
export const digestLengths = { brief: 60, partial: 300, results: 600 } as const;

/** Parks the active frame, because a child becomes active: gives its partial result, and its names to the ledger. */
export function parkFrame(draft: Draft): Digest | null {
  const frame = frameOf(draft.state.frames, draft.state.active);
  const view = draft.state.views.get(frame.id);
  if (view === undefined || frame.span === null) return null;
  const [first, last] = frame.span;
  draft.record(...ledgerFacts(draft, view));
  const text = extractDigest(draft, frame, { purpose: 'partial', target: digestLengths.partial });
  return {
    text: draft.write(text),
    tokens: draft.count(text),
    from: entryId(first),
    to: entryId(last),
    by: embedded,
  };
}

/** The deterministic digest of a frame, from its entries and checkpoints. */
export function extractDigest(
  draft: Draft,
  frame: Frame,
  kind: { purpose: 'partial' | 'results'; target: number },
): string {
  const view = draft.state.views.get(frame.id);
  if (view === undefined) return '';
  return harvest({
    ...kind,
    entries: messagesOf(draft, view).map(({ n, message }) => ({ id: entryId(n), message })),
    text: view.checkpoints
      .map(({ text }) => draft.bodies.text(text))
      .filter((text) => text !== '')
      .join('\n'),
    count: draft.count,
  });
}

function messagesOf(draft: Draft, view: FrameView) {
  return view.items
    .filter(({ form }) => form !== 'closing')
    .map(({ n }) => ({ n, message: draft.bodies.message(n) }));
}

/** The fact that puts the names in a view's entries into the ledger; none where there are none. */
export function ledgerFacts(draft: Draft, view: FrameView | undefined): readonly Fact[] {
  if (view === undefined) return [];
  const entries = messagesOf(draft, view).filter(({ message }) => entitiesOf(message).size > 0);
  return entries.length === 0 ? [] : [{ type: 'ledger.fed', sightings: mentionsOf(entries) }];
}

/** The directives of people in a frame, which bind its parent when the frame is left. */
export function quotesIn(draft: Draft, view: FrameView): readonly Quote[] {
  const human = [
    ...view.human.map(({ n }) => n),
    ...view.items.filter((item) => item.human).map(({ n }) => n),
  ];
  return [...view.quotes, ...human.flatMap((n) => directivesOfEntry(draft, n))];
}

/** A text as one line, short enough for the tree. */
export function briefOf(draft: Draft, text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const short = cutTo(line, digestLengths.brief, draft.count);
  return short === line ? line : `${cutTo(line, digestLengths.brief - 2, draft.count).trimEnd()}…`;
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
  const text = cutTo(digest.text.trim(), digestLengths[digest.part], draft.count);
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
