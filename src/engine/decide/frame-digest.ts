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
import { quotesFrom } from '../compression/begin-epoch.ts';
import { isDegenerate } from '../compression/summary-check.ts';

// What stands for a frame while its entries are not shown: a partial result
// while a child is active, results once it is left. Both are harvested at once;
// where a model writes summaries, its text takes their place when it comes.

/** Lengths in tokens: a brief made from longer text, a partial result, harvested results. */
export const digestLengths = { brief: 60, partial: 300, results: 600 } as const;

/** Sets the working part of the active frame aside behind a harvested partial result. */
export function parkFrame(draft: Draft): Digest | null {
  const frame = frameOf(draft.state.frames, draft.state.active);
  const view = draft.state.views.get(frame.id);
  const first = frame.span?.[0];
  const last = frame.span?.[1];
  if (view === undefined || first === undefined || last === undefined) return null;
  draft.record(...feedOf(draft, view));
  const text = harvestFrame(draft, frame, { purpose: 'partial', target: digestLengths.partial });
  return {
    text: draft.write(text),
    tokens: draft.count(text),
    from: entryId(first),
    to: entryId(last),
    by: embedded,
  };
}

/** What stands for a frame's working part and checkpoints, harvested from them. */
export function harvestFrame(
  draft: Draft,
  frame: Frame,
  given: { purpose: 'partial' | 'results'; target: number },
): string {
  const view = draft.state.views.get(frame.id);
  if (view === undefined) return '';
  return harvest({
    ...given,
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

/** What the items of a view name, for the ledger. */
export function feedOf(draft: Draft, view: FrameView | undefined): readonly Fact[] {
  if (view === undefined) return [];
  const entries = messagesOf(draft, view).filter(({ message }) => entitiesOf(message).size > 0);
  return entries.length === 0 ? [] : [{ type: 'ledger.fed', sightings: mentionsOf(entries) }];
}

/** What people said in a frame that goes on to bind its parent. */
export function directivesIn(draft: Draft, view: FrameView): readonly Quote[] {
  const human = [
    ...view.human.map(({ n }) => n),
    ...view.items.filter((item) => item.human).map(({ n }) => n),
  ];
  return [...view.quotes, ...human.flatMap((n) => quotesFrom(draft, n))];
}

/** One line of a text, short enough for the tree. */
export function shortOf(draft: Draft, text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const short = cutTo(line, digestLengths.brief, draft.count);
  return short === line ? line : `${cutTo(line, digestLengths.brief - 2, draft.count).trimEnd()}…`;
}

/** Asks for a better partial result of a frame that was just set aside. */
export function describePartial(draft: Draft, id: FrameId): void {
  const frame = frameOf(draft.state.frames, id);
  if (frame.partial !== null && path(draft.state.frames, draft.state.active).includes(frame))
    ask(draft, frame, 'partial');
}

/** Gives up what was asked of the summarizer about a frame: its answer would stand for less than there is by now. */
export function endAsked(draft: Draft, frame: FrameId, part: 'partial' | 'results'): void {
  for (const [key, effect] of draft.state.outbox)
    if (effect.frame === frame && effect.purpose === part)
      draft.record({ type: 'effect.ended', key });
}

/** Asks the summarizer for a better text than the harvested one. */
export function ask(draft: Draft, frame: Frame, part: 'partial' | 'results'): void {
  endAsked(draft, frame.id, part);
  const first = frame.span?.[0];
  const last = frame.span?.[1];
  if (draft.state.options.summarizer === embedded || first === undefined || last === undefined)
    return;
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

/** Takes a model's text in place of a harvested one, if it still has a place. */
export function describe(
  draft: Draft,
  given: { frame: FrameId; part: 'partial' | 'results'; text: string; by: string },
): void {
  const frame = frameOf(draft.state.frames, given.frame);
  if (given.part === 'partial' ? frame.partial === null : frame.results === null) return;
  const text = cutTo(given.text.trim(), digestLengths[given.part], draft.count);
  if (text === '' || isDegenerate(text)) return;
  draft.record({
    type: 'frame.described',
    frame: frame.id,
    part: given.part,
    text: draft.write(text),
    brief: shortOf(draft, text),
    tokens: draft.count(text),
    by: given.by,
  });
}
