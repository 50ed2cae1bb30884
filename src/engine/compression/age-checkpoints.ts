import { checkpointAt } from '../../core/assembly/in-view.ts';
import { wholeIn } from '../../core/state/limit.ts';
import { planAging, targetOf } from '../../core/checkpoints/aging.ts';
import { firstLines } from '../../core/checkpoints/first-lines.ts';
import type { Age, Checkpoint } from '../../core/checkpoints/checkpoint.ts';
import { checkpointId, type CheckpointId, type FrameId } from '../../core/values/id.ts';
import { allowance } from '../../core/assembly/select-entries.ts';
import { readLines } from '../../core/chronicle/chronicle.ts';
import { mostListed } from '../../core/chronicle/lists.ts';
import { fitLines, printLines } from '../../core/lines/line.ts';
import type { Draft } from '../step/draft.ts';
import { agedBreadcrumbs, reportMany } from './aged-breadcrumbs.ts';
import { endRewrite, requestRewrite, showRewrites } from './model-rewrites.ts';

// When a new checkpoint is committed, each older one of its frame goes one age
// further: recent, old, ancient, merged; all that are merged become one. Each is
// shortened at once, by dropping lines down to the length of its new age, and
// gets breadcrumbs to what those lines held. With `aging: 'model'` a model is then
// asked for a version of the same length (`model-rewrites.ts`).

/** Brings the checkpoints of a frame one age further, to make room for a new one. */
export function ageCheckpoints(draft: Draft, frame: FrameId): void {
  const view = draft.state.views.get(frame);
  if (view === undefined) return;
  const { factor } = draft.part(() => allowance(draft.state, frame));
  const plan = planAging(view.checkpoints);
  for (const { checkpoint, age } of plan.steps) ageTo(draft, { frame, checkpoint, age, factor });
  if (plan.merge.length > 0) mergeCheckpoints(draft, { frame, merge: plan.merge });
}

/** Shortens one checkpoint to an age. */
export function ageTo(
  draft: Draft,
  step: { frame: FrameId; checkpoint: CheckpointId; age: Age; factor: number },
): void {
  const { frame, checkpoint: id, age, factor } = step;
  showRewrites(draft);
  const { checkpoint } = checkpointAt(draft.state, id);
  const target = age === 'merged' ? 0 : targetOf(age, { limit: wholeIn(draft.state), factor });
  const { text, tokens, lines } = draft.part(() => shortened(draft, checkpoint, target));
  const breadcrumbs = agedBreadcrumbs(draft, [checkpoint], text);
  draft.record({
    type: 'checkpoint.aged',
    frame,
    checkpoint: id,
    age,
    text: draft.write(text),
    tokens,
    lines,
    ...breadcrumbs,
  });
  reportMany(draft, frame, {
    now: checkpointAt(draft.state, id).checkpoint,
    before: [checkpoint],
  });
  if (tokens >= checkpoint.tokens) return;
  requestRewrite(draft, frame, id);
}

/** Makes one `merged` checkpoint of several, oldest first. */
export function mergeCheckpoints(
  draft: Draft,
  step: { frame: FrameId; merge: readonly CheckpointId[] },
): void {
  const { frame, merge } = step;
  showRewrites(draft);
  const sources = merge.map((id) => checkpointAt(draft.state, id).checkpoint);
  const into = mergedCheckpoint(draft, sources);
  for (const { id } of sources) endRewrite(draft, id);
  draft.record({ type: 'checkpoint.merged', frame, into, merged: merge });
  reportMany(draft, frame, { now: into, before: sources });
}

/** One checkpoint over the ranges of several. Its lines stand in the chronicle, where they are in the order of what happened. */
function mergedCheckpoint(draft: Draft, sources: readonly Checkpoint[]): Checkpoint {
  const total = (of: (source: Checkpoint) => number): number =>
    sources.reduce((sum, source) => sum + of(source), 0);
  const listed = (of: (source: Checkpoint) => readonly string[]): readonly string[] =>
    [...new Set(sources.flatMap(of))].slice(-mostListed);
  const entries = total(({ entries }) => entries);
  const last = sources.at(-1)!;
  const breadcrumbs = agedBreadcrumbs(draft, sources, '');
  return {
    id: checkpointId(draft.state.checkpointCount + 1),
    age: 'merged',
    text: draft.write(''),
    tokens: 0,
    lines: [],
    from: sources[0]!.from,
    to: last.to,
    entries,
    before: total(({ before }) => before),
    at: draft.at,
    by: last.by,
    hash: last.hash,
    names: total(({ names }) => names),
    sources: sources.map((source) => source.text),
    decisions: listed(({ decisions }) => decisions),
    files: listed(({ files }) => files),
    next: last.next,
    questions: last.questions,
    ...breadcrumbs,
  };
}

/** The lines of a checkpoint that fit a target, those of the most worth; of a model's version of it, the first. */
function shortened(
  draft: Draft,
  { text, tokens, lines }: Checkpoint,
  target: number,
): { readonly text: string; readonly tokens: number; readonly lines: readonly number[] } {
  const most = Math.min(target, tokens);
  const own = new Set(lines);
  const kept = fitLines(
    draft.state.chronicle.lines.filter(({ id }) => own.has(id)),
    most,
  );
  const isWritten = lines.length === 0 && most > 0;
  const short = isWritten
    ? firstLines(draft.bodies.text(text), most, draft.count)
    : printLines(readLines(kept, (id) => draft.bodies.text(id)));
  return { text: short, tokens: draft.count(short), lines: kept.map(({ id }) => id) };
}
