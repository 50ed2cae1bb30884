import { checkpointAt } from '../../core/assembly/in-view.ts';
import { limitIn } from '../../core/state/limit.ts';
import { planAging, targetOf } from '../../core/checkpoints/aging.ts';
import type { Age, Checkpoint } from '../../core/checkpoints/checkpoint.ts';
import { checkpointId, type CheckpointId, type FrameId } from '../../core/values/id.ts';
import { allowance } from '../../core/assembly/select-entries.ts';
import { dropLines } from '../../core/text/truncate.ts';
import type { Draft } from '../step/draft.ts';
import { agedTrail, warnOfMany } from './aged-breadcrumbs.ts';
import { askToRewrite, endRewrite, pendingRewrite, showRewrites } from './model-rewrites.ts';
import { sum } from './commit-checkpoint.ts';

/** Brings the checkpoints of a frame one step further, for the one that follows. */
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
  const checkpoint = checkpointAt(draft.state, id).checkpoint;
  const target = targetOf(age, { limit: limitIn(draft.state), factor });
  const text = shortened(
    draft,
    draft.bodies.text(checkpoint.text),
    Math.min(target, checkpoint.tokens),
  );
  const tokens = draft.count(text);
  const trail = agedTrail(draft, [checkpoint], text);
  draft.record({
    type: 'checkpoint.aged',
    frame,
    checkpoint: id,
    age,
    text: draft.write(text),
    tokens,
    ...(trail === undefined ? {} : { breadcrumbs: trail }),
  });
  warnOfMany(draft, frame, { now: checkpointAt(draft.state, id).checkpoint, before: [checkpoint] });
  if (tokens >= checkpoint.tokens) return;
  const texts = pendingRewrite(draft, id)?.texts ?? [checkpoint.text];
  askToRewrite(draft, { frame, checkpoint: id, texts });
}

/** Makes one `merged` checkpoint of several, oldest first. */
export function mergeCheckpoints(
  draft: Draft,
  given: { frame: FrameId; merge: readonly CheckpointId[]; factor: number },
): void {
  const { frame, merge, factor } = given;
  showRewrites(draft);
  const sources = merge.map((id) => checkpointAt(draft.state, id).checkpoint);
  const limit = limitIn(draft.state);
  const target = targetOf('merged', { limit, factor });
  const joined = sources.map(({ text }) => draft.bodies.text(text)).join('\n');
  const text = shortened(draft, joined, Math.min(target, sum(sources.map((s) => s.tokens))));
  const first = sources[0]!;
  const last = sources.at(-1)!;
  const unique = (lists: readonly (readonly string[])[]): readonly string[] =>
    [...new Set(lists.flat())].slice(-mostListed);
  const trail = agedTrail(draft, sources, text);
  const into: Checkpoint = {
    id: checkpointId(draft.state.checkpoints + 1),
    age: 'merged',
    text: draft.write(text),
    tokens: draft.count(text),
    from: first.from,
    to: last.to,
    entries: sum(sources.map(({ entries }) => entries)),
    before: sum(sources.map(({ before }) => before)),
    at: draft.at,
    by: last.by,
    hash: last.hash,
    kept:
      sum(sources.map(({ kept, entries }) => kept * entries)) /
      sum(sources.map(({ entries }) => entries)),
    sources: sources.map((source) => source.text),
    decisions: unique(sources.map(({ decisions }) => decisions)),
    files: unique(sources.map(({ files }) => files)),
    next: last.next,
    questions: last.questions,
    ...(trail === undefined ? {} : { breadcrumbs: trail }),
  };
  const finer = sources.flatMap(({ id, text }) => pendingRewrite(draft, id)?.texts ?? [text]);
  for (const { id } of sources) endRewrite(draft, id);
  draft.record({ type: 'checkpoint.merged', frame, into, merged: merge });
  warnOfMany(draft, frame, { now: into, before: sources });
  askToRewrite(draft, { frame, checkpoint: into.id, texts: finer });
}

/** Most decisions and files that a merged checkpoint lists. */
const mostListed = 24;

function shortened(draft: Draft, text: string, target: number): string {
  return target <= 0 ? '' : dropLines(text, target, draft.count);
}
