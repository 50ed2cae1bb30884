import {
  encodeBreadcrumbs,
  readBreadcrumbs,
  manyBreadcrumbs,
  mergeBreadcrumbs,
  mostTexts,
} from '../../core/breadcrumbs/breadcrumb.ts';
import type { Checkpoint } from '../../core/checkpoints/checkpoint.ts';
import { readLines } from '../../core/chronicle/chronicle.ts';
import { containsWord } from '../../core/entities/entities.ts';
import type { Line } from '../../core/lines/line.ts';
import { entryId, type EntryId, type FrameId } from '../../core/values/id.ts';
import { breadcrumbsLost } from '../../core/breadcrumbs/extract-breadcrumbs.ts';
import type { Draft } from '../step/draft.ts';

/**
 * The breadcrumbs that a shorter `text` needs in place of `sources` (oldest first):
 * all that these had, and new ones to what their texts named and it does not.
 */
export function agedBreadcrumbs(
  draft: Draft,
  sources: readonly Checkpoint[],
  text: string,
): Pick<Checkpoint, 'breadcrumbs'> {
  const read = draft.bodies.text.bind(draft.bodies);
  const texts = sources.flatMap(({ breadcrumbs }) => breadcrumbs?.texts ?? []).slice(-mostTexts);
  const known = draft.part(() => readBreadcrumbs({ texts }, read));
  const added = sources.flatMap((source) =>
    draft.part(() =>
      breadcrumbsLost({
        before: read(source.text),
        after: text,
        known,
        entriesOf: entryFinder(draft, source),
      }),
    ),
  );
  if (added.length === 0)
    return texts.length === 0 ? {} : { breadcrumbs: { texts, count: known.length } };
  const all = draft.part(() => mergeBreadcrumbs([known, added]));
  const isRoom = texts.length < mostTexts;
  const newText = draft.write(
    draft.part(() => encodeBreadcrumbs(isRoom ? mergeBreadcrumbs([added]) : all)),
  );
  return { breadcrumbs: { texts: isRoom ? [...texts, newText] : [newText], count: all.length } };
}

/** Finds the entries behind a name in a checkpoint: that of the line which tells it, else the ends of its range. */
function entryFinder(
  { state, bodies }: Draft,
  { from, to, lines }: Checkpoint,
): (name: string) => readonly EntryId[] {
  let cachedLines: readonly Line[] | undefined;
  const readOwnLines = (): readonly Line[] => {
    const own = new Set(lines);
    const kept = state.chronicle.lines.filter(({ id }) => own.has(id));
    return readLines(kept, (source) => bodies.text(source));
  };
  return (name) => {
    const line = (cachedLines ??= readOwnLines()).find(({ text }) => containsWord(text, name));
    if (line !== undefined)
      return line.n === line.to ? [entryId(line.n)] : [entryId(line.n), entryId(line.to)];
    return from === to ? [from] : [from, to];
  };
}

/** Records that a checkpoint has many breadcrumbs, unless one of those it was made of (`before`) had. */
export function reportMany(
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
