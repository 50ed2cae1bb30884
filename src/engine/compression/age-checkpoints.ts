import { checkpointAt } from '../../core/assembly/in-view.ts';
import { limitIn } from '../../core/state/limit.ts';
import { planAging, targetOf } from '../../core/checkpoints/aging.ts';
import type { Age, Checkpoint } from '../../core/checkpoints/checkpoint.ts';
import { checkpointId, type CheckpointId, type FrameId } from '../../core/values/id.ts';
import { allowance } from '../../core/assembly/select-entries.ts';
import { dropLines } from '../../core/text/truncate.ts';
import type { Draft } from '../step/draft.ts';
import { agedBreadcrumbs, reportMany } from './aged-breadcrumbs.ts';
import { endRewrite, pendingRewrite, requestRewrite, showRewrites } from './model-rewrites.ts';

// Before a new checkpoint is committed, each older one of its frame goes one age
// further: recent, old, ancient, merged; all that are merged become one. Each is
// shortened at once, by dropping lines down to the length of its new age, and
// gets breadcrumbs to what those lines held. Then a model is asked for a better
// version of the same length (`model-rewrites.ts`).

/** Brings the checkpoints of a frame one age further, to make room for a new one. */
export function ageCheckpoints(draft: Draft, frame: FrameId): void {
  const view = draft.state.views.get(frame);
  if (view === undefined) return;
  const { factor } = allowance(draft.state, frame);
  const plan = planAging(view.checkpoints);
  for (const { checkpoint, age } of plan.steps) ageTo(draft, { frame, checkpoint, age, factor });
  if (plan.merge.length > 0) mergeCheckpoints(draft, { frame, merge: plan.merge, factor });
}

/** Shortens one checkpoint to an age. */
export function ageTo(
  draft: Draft,
  step: { frame: FrameId; checkpoint: CheckpointId; age: Age; factor: number },
): void {
  const { frame, checkpoint: id, age, factor } = step;
  showRewrites(draft);
  const { checkpoint } = checkpointAt(draft.state, id);
  const target = targetOf(age, { limit: limitIn(draft.state), factor });
  const text = shortened(
    draft,
    draft.bodies.text(checkpoint.text),
    Math.min(target, checkpoint.tokens),
  );
  const tokens = draft.count(text);
  const breadcrumbs = agedBreadcrumbs(draft, [checkpoint], text);
  draft.record({
    type: 'checkpoint.aged',
    frame,
    checkpoint: id,
    age,
    text: draft.write(text),
    tokens,
    ...breadcrumbs,
  });
  reportMany(draft, frame, {
    now: checkpointAt(draft.state, id).checkpoint,
    before: [checkpoint],
  });
  if (tokens >= checkpoint.tokens) return;
  const texts = pendingRewrite(draft, id)?.texts ?? [checkpoint.text];
  requestRewrite(draft, { frame, checkpoint: id, texts });
}

/** Makes one `merged` checkpoint of several, oldest first. */
export function mergeCheckpoints(
  draft: Draft,
  step: { frame: FrameId; merge: readonly CheckpointId[]; factor: number },
): void {
  const { frame, merge, factor } = step;
  showRewrites(draft);
  const sources = merge.map((id) => checkpointAt(draft.state, id).checkpoint);
  const into = mergedCheckpoint(draft, sources, factor);
  const texts = sources.flatMap(({ id, text }) => pendingRewrite(draft, id)?.texts ?? [text]);
  for (const { id } of sources) endRewrite(draft, id);
  draft.record({ type: 'checkpoint.merged', frame, into, merged: merge });
  reportMany(draft, frame, { now: into, before: sources });
  requestRewrite(draft, { frame, checkpoint: into.id, texts });
}

function mergedCheckpoint(
  draft: Draft,
  sources: readonly Checkpoint[],
  factor: number,
): Checkpoint {
  const target = targetOf('merged', { limit: limitIn(draft.state), factor });
  const joined = sources.map(({ text }) => draft.bodies.text(text)).join('\n');
  const total = (of: (source: Checkpoint) => number): number =>
    sources.reduce((sum, source) => sum + of(source), 0);
  const listed = (of: (source: Checkpoint) => readonly string[]): readonly string[] =>
    [...new Set(sources.flatMap(of))].slice(-mostListed);
  const text = shortened(
    draft,
    joined,
    Math.min(
      target,
      total(({ tokens }) => tokens),
    ),
  );
  const entries = total(({ entries }) => entries);
  const last = sources.at(-1)!;
  const breadcrumbs = agedBreadcrumbs(draft, sources, text);
  return {
    id: checkpointId(draft.state.checkpoints + 1),
    age: 'merged',
    text: draft.write(text),
    tokens: draft.count(text),
    from: sources[0]!.from,
    to: last.to,
    entries,
    before: total(({ before }) => before),
    at: draft.at,
    by: last.by,
    hash: last.hash,
    kept: total((source) => source.kept * source.entries) / entries,
    sources: sources.map((source) => source.text),
    decisions: listed(({ decisions }) => decisions),
    files: listed(({ files }) => files),
    next: last.next,
    questions: last.questions,
    ...breadcrumbs,
  };
}

/** Most decisions and files that a merged checkpoint lists. */
const mostListed = 24;

function shortened(draft: Draft, text: string, target: number): string {
  return target <= 0 ? '' : dropLines(text, target, draft.count);
}
