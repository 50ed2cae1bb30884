import { encodeBreadcrumbs, type Breadcrumb } from '../../core/breadcrumbs/breadcrumb.ts';
import { workingTarget } from '../../core/budget/budget.ts';
import type { Checkpoint } from '../../core/checkpoints/checkpoint.ts';
import type { CompressionMemory } from '../../core/checkpoints/compression-state.ts';
import { entitiesIn, entitiesOf, containsWord } from '../../core/text/entities.ts';
import { sectionsOf } from '../../core/checkpoints/extractive-summary.ts';
import { checkpointId, type FrameId } from '../../core/values/id.ts';
import { mentionsOf } from '../../core/breadcrumbs/ledger.ts';
import { embedded } from '../../core/budget/options.ts';
import { allowance, itemsIn } from '../../core/assembly/select-entries.ts';
import { breadcrumbsFor } from '../../core/breadcrumbs/extract-breadcrumbs.ts';
import type { Draft } from '../step/draft.ts';
import { reportMany } from './aged-breadcrumbs.ts';
import { limitHuman } from './human-limit.ts';
import { measure } from '../step/measure.ts';
import { beginEpoch } from './begin-epoch.ts';
import { clearResults, shortenGiants } from './shrink-entries.ts';
import { summarizedEntries } from './summary-check.ts';

// The last step of a compression. The new checkpoint takes the place of its
// entries and their names go into the ledger; then old tool results give way to
// markers, giants are shortened if the working part is still above its target,
// and a new epoch shows the result. Older checkpoints were aged before
// (`age-checkpoints.ts`).

type SummarizedEntries = ReturnType<typeof summarizedEntries>;

/** Puts the accepted summary in place of its entries and begins a new epoch. */
export function commitCheckpoint(draft: Draft, memory: CompressionMemory): void {
  const range = memory.stretch!;
  const { frame } = range;
  limitHuman(draft);
  const before = measure(draft.state).total;
  const entries = summarizedEntries(draft, range);
  const { entities, lost } = lostEntities(entries, memory.summary.trim());
  const kept = entities - lost.length;
  const checkpoint = newCheckpoint(draft, memory, {
    entries,
    lost,
    kept: entities === 0 ? 1 : kept / entities,
  });
  draft.record(
    { type: 'checkpoint.created', frame, checkpoint },
    { type: 'ledger.fed', sightings: mentionsOf(entries) },
  );
  reportMany(draft, frame, { now: checkpoint });
  fitAfterCommit(draft, frame, before);
  draft.record({
    type: 'compression.finished',
    frame,
    checkpoint: checkpoint.id,
    before,
    after: measure(draft.state).total,
    facts: entities,
    kept,
    held: kept + countInLedger(draft, lost),
    by: memory.by,
  });
}

/** How many entities some entries hold, and those that a summary of them does not. */
function lostEntities(
  entries: SummarizedEntries,
  summary: string,
): { readonly entities: number; readonly lost: readonly string[] } {
  const named = entitiesIn(summary);
  const all = new Set(entries.flatMap(({ message }) => [...entitiesOf(message).keys()]));
  const lost = [...all].filter((name) => !named.has(name) && !containsWord(summary, name));
  return { entities: all.size, lost };
}

/** The checkpoint that a summary becomes; `kept` is the share of entities that it holds. */
function newCheckpoint(
  draft: Draft,
  memory: CompressionMemory,
  about: {
    readonly entries: SummarizedEntries;
    readonly lost: readonly string[];
    readonly kept: number;
  },
): Checkpoint {
  const { entries, lost, kept } = about;
  const range = memory.stretch!;
  const items = itemsIn(draft.state.views.get(range.frame)!, range);
  const text = memory.summary.trim();
  return {
    id: checkpointId(draft.state.checkpoints + 1),
    age: 'recent',
    text: draft.write(text),
    tokens: draft.count(text),
    from: range.from,
    to: range.to,
    entries: new Set(entries.map(({ n }) => n)).size,
    before: items.reduce((sum, { human, tokens }) => (human ? sum : sum + tokens), 0),
    at: draft.at,
    by: memory.by === 'fallback' ? embedded : draft.state.options.summarizer,
    hash: items.findLast(({ hash }) => hash !== '')?.hash ?? '',
    kept,
    sources: [],
    ...sectionsOf(text),
    ...storeBreadcrumbs(draft, breadcrumbsFor(entries, new Set(lost))),
  };
}

/** Stores breadcrumbs beside a checkpoint's text, if there are any. */
function storeBreadcrumbs(
  draft: Draft,
  breadcrumbs: readonly Breadcrumb[],
): Pick<Checkpoint, 'breadcrumbs'> {
  if (breadcrumbs.length === 0) return {};
  const texts = [draft.write(encodeBreadcrumbs(breadcrumbs))];
  return { breadcrumbs: { texts, count: breadcrumbs.length } };
}

/**
 * Clears tool results older than the newest entries and begins the new epoch,
 * smaller than `before` tokens, with giants shortened where the working part is
 * above its target. Of a parked frame only the clearing matters: what became of
 * it is not shown before it is active again.
 */
function fitAfterCommit(draft: Draft, frame: FrameId, before: number): void {
  clearResults(draft, { frame, keep: allowance(draft.state, frame).whole });
  if (frame !== draft.state.active) {
    beginEpoch(draft, 1, before + 1);
    return;
  }
  const share = workingTarget(draft.state.options);
  shortenAbove(draft, share);
  beginEpoch(draft, share, before);
  if (shortenAbove(draft, share)) beginEpoch(draft, share, before);
}

/** Shortens giants if the working part is above a share of what is available; says whether any became shorter. */
function shortenAbove(draft: Draft, share: number): boolean {
  const { human, working, available } = measure(draft.state);
  if (human + working <= share * available) return false;
  return shortenGiants(draft, Math.max(1, Math.floor(share * available - human)));
}

/** How many of these names the ledger now shows. */
function countInLedger(draft: Draft, names: readonly string[]): number {
  const blocks = draft.state.shown.plan.ledger.map(({ text }) => draft.bodies.text(text));
  const ledger = blocks.join('\n');
  const words = new Set(ledger.split(/[\s*;]+/));
  const isShown = (name: string): boolean =>
    words.has(name) || (name.includes(' ') && containsWord(ledger, name));
  return names.filter(isShown).length;
}
