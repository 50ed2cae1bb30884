import {
  encodeBreadcrumbs,
  readBreadcrumbs,
  joinRefs,
  manyBreadcrumbs,
  mergeBreadcrumbs,
  mostTexts,
  type BreadcrumbRefs,
} from '../../core/breadcrumbs/breadcrumb.ts';
import type { Checkpoint } from '../../core/checkpoints/checkpoint.ts';
import { entryId, ordinal, type EntryId, type FrameId } from '../../core/values/id.ts';
import { breadcrumbsLost } from '../../core/breadcrumbs/extract-breadcrumbs.ts';
import type { Draft } from '../step/draft.ts';

/**
 * The trail of checkpoints, oldest first, that `text` now stands for: theirs, and what their own
 * texts held and it does not. Undefined where there is none.
 */
export function agedTrail(
  draft: Draft,
  sources: readonly Checkpoint[],
  text: string,
): BreadcrumbRefs | undefined {
  const read = draft.bodies.text.bind(draft.bodies);
  const trail = joinRefs(
    sources.map(({ breadcrumbs }) => breadcrumbs),
    read,
  );
  const known = readBreadcrumbs(trail, read);
  const crumbs = sources.flatMap((source) =>
    breadcrumbsLost({
      before: read(source.text),
      after: text,
      known,
      entriesOf: finder(draft, source),
    }),
  );
  if (crumbs.length === 0) return trail;
  const texts = trail?.texts ?? [];
  const all = mergeBreadcrumbs([known, crumbs]);
  if (texts.length < mostTexts) {
    const own = draft.write(encodeBreadcrumbs(mergeBreadcrumbs([crumbs])));
    return { texts: [...texts, own], count: all.length };
  }
  return { texts: [draft.write(encodeBreadcrumbs(all))], count: all.length };
}

/** Where a name stands that a checkpoint held: the entry that the ledger has for it, else the ends of its range. */
function finder({ state }: Draft, { from, to }: Checkpoint): (name: string) => readonly EntryId[] {
  const [first, last] = [ordinal(from), ordinal(to)];
  const entries = new Map(state.ledger.names.map(({ name, entry }) => [name, entry]));
  return (name) => {
    const entry = entries.get(name);
    if (entry !== undefined && entry >= first && entry <= last) return [entryId(entry)];
    return from === to ? [from] : [from, to];
  };
}

/** Tells of a checkpoint that it has many breadcrumbs, unless one of those that it comes from had. */
export function warnOfMany(
  draft: Draft,
  frame: FrameId,
  { now, before = [] }: { readonly now: Checkpoint; readonly before?: readonly Checkpoint[] },
): void {
  if (!isMany(now) || before.some(isMany)) return;
  const { count } = now.breadcrumbs!;
  draft.record({ type: 'breadcrumbs.many', frame, checkpoint: now.id, count });
}

const isMany = ({ breadcrumbs }: Checkpoint): boolean =>
  breadcrumbs !== undefined && breadcrumbs.count > manyBreadcrumbs;
