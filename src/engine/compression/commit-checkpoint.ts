import {
  encodeBreadcrumbs,
  type Breadcrumb,
  type BreadcrumbRefs,
} from '../../core/breadcrumbs/breadcrumb.ts';
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
import { warnOfMany } from './aged-breadcrumbs.ts';
import { boundHuman } from './human-limit.ts';
import { measure } from '../step/measure.ts';
import { beginEpoch } from './begin-epoch.ts';
import { clearResults, shortenGiants } from './shrink-entries.ts';
import { entriesOf } from './summary-check.ts';

// A compression is committed in one step: the checkpoints before it are aged,
// the new one takes the place of its entries, their names go into the ledger,
// and a new epoch shows it.

/** Puts the accepted summary in place of its entries and begins a new epoch. */
export function commitCheckpoint(draft: Draft, memory: CompressionMemory): void {
  const stretch = memory.stretch!;
  const { frame } = stretch;
  boundHuman(draft);
  const before = measure(draft.state).total;
  const entries = entriesOf(draft, stretch);
  const items = itemsIn(draft.state.views.get(frame)!, stretch);
  const text = memory.summary.trim();
  const { facts, lost } = factCheck(
    entries.map(({ message }) => entitiesOf(message)),
    text,
  );
  const kept = facts - lost.length;
  const sections = sectionsOf(text);
  const checkpoint: Checkpoint = {
    id: checkpointId(draft.state.checkpoints + 1),
    age: 'recent',
    text: draft.write(text),
    tokens: draft.count(text),
    from: stretch.from,
    to: stretch.to,
    entries: new Set(entries.map(({ n }) => n)).size,
    before: sum(items.filter(({ human }) => !human).map(({ tokens }) => tokens)),
    at: draft.at,
    by: memory.by === 'fallback' ? embedded : draft.state.options.summarizer,
    hash: items.findLast(({ hash }) => hash !== '')?.hash ?? '',
    kept: facts === 0 ? 1 : kept / facts,
    sources: [],
    ...sections,
    ...leave(draft, breadcrumbsFor(entries, new Set(lost))),
  };
  draft.record(
    { type: 'checkpoint.created', frame, checkpoint },
    { type: 'ledger.fed', sightings: mentionsOf(entries) },
  );
  warnOfMany(draft, frame, { now: checkpoint });
  fitAfterCommit(draft, frame, before);
  draft.record({
    type: 'compression.finished',
    frame,
    checkpoint: checkpoint.id,
    before,
    after: measure(draft.state).total,
    facts,
    kept,
    held: kept + inLedger(draft, lost),
    by: memory.by,
  });
}

/**
 * Clears what results stay beyond the newest entries and begins the new epoch,
 * below what there was before, with giants shortened where the working part is
 * above its rest. What a frame that is set aside became is not seen before it is
 * active again.
 */
function fitAfterCommit(draft: Draft, frame: FrameId, before: number): void {
  clearResults(draft, { frame, keep: allowance(draft.state, frame).whole });
  if (frame !== draft.state.active) {
    beginEpoch(draft, 1, before + 1);
    return;
  }
  const share = workingTarget(draft.state.options);
  shortenBeyond(draft, share);
  beginEpoch(draft, share, before);
  if (shortenBeyond(draft, share)) beginEpoch(draft, share, before);
}

/** Shortens giants if the working part is above a share of what is available; says whether any became shorter. */
function shortenBeyond(draft: Draft, share: number): boolean {
  const { human, working, available } = measure(draft.state);
  if (human + working <= share * available) return false;
  return shortenGiants(draft, Math.max(1, Math.floor(share * available - human)));
}

/** The facts of some entries, and those that a summary no longer holds. */
function factCheck(
  entries: readonly ReadonlyMap<string, unknown>[],
  summary: string,
): { readonly facts: number; readonly lost: readonly string[] } {
  const standing = entitiesIn(summary);
  const all = new Set(entries.flatMap((facts) => [...facts.keys()]));
  const lost = [...all].filter((fact) => !standing.has(fact) && !containsWord(summary, fact));
  return { facts: all.size, lost };
}

/** How many of these names the ledger now shows. */
function inLedger(draft: Draft, names: readonly string[]): number {
  const blocks = draft.state.shown.plan.ledger.map(({ text }) => draft.bodies.text(text));
  const ledger = blocks.join('\n');
  const words = new Set(ledger.split(/[\s*;]+/));
  const isShown = (name: string): boolean =>
    words.has(name) || (name.includes(' ') && containsWord(ledger, name));
  return names.filter(isShown).length;
}

/** Stores breadcrumbs beside a checkpoint's text, if there are any. */
function leave(
  draft: Draft,
  crumbs: readonly Breadcrumb[],
): { breadcrumbs: BreadcrumbRefs } | Record<string, never> {
  if (crumbs.length === 0) return {};
  return {
    breadcrumbs: { texts: [draft.write(encodeBreadcrumbs(crumbs))], count: crumbs.length },
  };
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
