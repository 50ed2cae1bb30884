import { checkpointAt, checkpointInView } from '../../core/assembly/in-view.ts';
import type { CheckpointId, FrameId } from '../../core/values/id.ts';
import { embedded } from '../../core/budget/options.ts';
import { agedBreadcrumbs, reportMany } from './aged-breadcrumbs.ts';
import type { Draft } from '../step/draft.ts';
import { isDegenerate } from './summary-check.ts';
import type { Effect } from '../../core/state/effect.ts';

// Aging shortens by dropping lines, at once. With `aging: 'model'` the summarizer is
// then asked to summarize the entries of the checkpoint again, in as few tokens. Its
// version is kept beside the one that is shown and replaces it when the next epoch
// begins. Nothing waits for it, it is asked once, and it is dropped if the checkpoint
// ages again before. What is merged is made of its sources, by lines.

/** Asks the summarizer for its own version of a checkpoint that was just shortened. */
export function requestRewrite(draft: Draft, frame: FrameId, id: CheckpointId): void {
  const { options } = draft.state;
  endRewrite(draft, id);
  if (options.summarizer === embedded || options.aging === 'lines') return;
  const { from, to, tokens } = checkpointAt(draft.state, id).checkpoint;
  if (tokens < leastTarget) return;
  draft.record({
    type: 'effect.requested',
    key: `${draft.state.seq + 1}/${id}`,
    effect: {
      purpose: 'age',
      frame,
      from,
      to,
      target: tokens,
      strict: false,
      attempt: 0,
      focus: '',
      checkpoint: id,
    },
  });
}

/** A version shorter than this many tokens is not worth asking for. */
const leastTarget = 20;

/** Gives up the rewrite that was asked for a checkpoint. */
export function endRewrite(draft: Draft, id: CheckpointId): void {
  endWhere(draft, ({ checkpoint }) => checkpoint === id);
}

/** Gives up the rewrites that were asked for the checkpoints of a frame; of all frames unless told. */
export function endRewrites(draft: Draft, frame?: FrameId): void {
  endWhere(
    draft,
    (effect) => effect.checkpoint !== undefined && (frame === undefined || effect.frame === frame),
  );
}

function endWhere(draft: Draft, isOver: (effect: Effect) => boolean): void {
  for (const [key, effect] of draft.state.outbox)
    if (isOver(effect)) draft.record({ type: 'effect.ended', key });
}

/** Keeps a model's version beside the one that is shown, unless it is empty or degenerate. */
export function storeRewrite(
  draft: Draft,
  effect: Effect,
  result: { text: string; by: string },
): void {
  const checkpoint = checkpointInView(draft.state, effect.checkpoint!)?.checkpoint;
  const text = result.text.trim();
  if (checkpoint === undefined || text === '' || isDegenerate(text)) return;
  const tokens = draft.count(text);
  draft.record({
    type: 'checkpoint.rewritten',
    frame: effect.frame,
    checkpoint: checkpoint.id,
    rewrite: { age: checkpoint.age, text: draft.write(text), tokens, lines: [], by: result.by },
  });
}

/** Shows the versions that models wrote since the last epoch, each with breadcrumbs to what it leaves out. */
export function showRewrites(draft: Draft): void {
  for (const [frame, { checkpoints }] of draft.state.views)
    for (const checkpoint of checkpoints) {
      const { id, age, rewrite } = checkpoint;
      if (rewrite === undefined || rewrite.age !== age) continue;
      const { text, tokens, lines, by } = rewrite;
      draft.record({
        type: 'checkpoint.aged',
        frame,
        checkpoint: id,
        age,
        text,
        tokens,
        lines,
        by,
        ...agedBreadcrumbs(draft, [checkpoint], draft.bodies.text(text)),
      });
      reportMany(draft, frame, {
        now: checkpointAt(draft.state, id).checkpoint,
        before: [checkpoint],
      });
    }
}
