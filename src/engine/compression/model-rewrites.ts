import { checkpointAt, checkpointInView } from '../../core/assembly/in-view.ts';
import { entitiesIn, containsWord } from '../../core/text/entities.ts';
import type { CheckpointId, FrameId, TextId } from '../../core/values/id.ts';
import { embedded } from '../../core/budget/options.ts';
import { agedBreadcrumbs, reportMany } from './aged-breadcrumbs.ts';
import type { Draft } from '../step/draft.ts';
import { isDegenerate } from './summary-check.ts';
import type { Effect } from '../../core/state/effect.ts';

// Aging shortens by dropping lines, at once. Where a model writes summaries, it is
// then asked to say the same in as few tokens. Its version is kept beside the one
// that is shown and replaces it when the next epoch begins. Nothing waits for it,
// it is asked once, and it is dropped if the checkpoint ages again before.

/** Asks the summarizer for a better version of a checkpoint that was just shortened; `texts` are those it was made of. */
export function requestRewrite(
  draft: Draft,
  request: { frame: FrameId; checkpoint: CheckpointId; texts: readonly TextId[] },
): void {
  const { frame, checkpoint: id, texts } = request;
  const { options } = draft.state;
  endRewrite(draft, id);
  if (options.summarizer === embedded || options.aging === 'lines') return;
  const { from, to, tokens } = checkpointAt(draft.state, id).checkpoint;
  if (tokens < leastTarget) return;
  draft.record({
    type: 'effect.requested',
    key: `${draft.state.seq + 1}/${id}`,
    effect: {
      purpose: texts.length > 1 ? 'merge' : 'age',
      frame,
      from,
      to,
      target: tokens,
      strict: false,
      attempt: 0,
      focus: '',
      checkpoint: id,
      texts,
    },
  });
}

/** A version shorter than this many tokens is not worth asking for. */
const leastTarget = 20;

/** The rewrite of a checkpoint that was asked for and has not come yet. */
export function pendingRewrite(draft: Draft, id: CheckpointId): Effect | undefined {
  return [...draft.state.outbox.values()].find(({ checkpoint }) => checkpoint === id);
}

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

/** Keeps a model's version beside the one that is shown, unless it is empty, degenerate or longer. */
export function storeRewrite(
  draft: Draft,
  effect: Effect,
  result: { text: string; by: string },
): void {
  const checkpoint = checkpointInView(draft.state, effect.checkpoint!)?.checkpoint;
  const text = result.text.trim();
  if (checkpoint === undefined || text === '' || isDegenerate(text)) return;
  const tokens = draft.count(text);
  if (tokens > checkpoint.tokens) return;
  const before = effect.texts!.map((id) => draft.bodies.text(id)).join('\n');
  const entities = [...entitiesIn(before).keys()];
  const kept = entities.filter((name) => containsWord(text, name)).length;
  draft.record({
    type: 'checkpoint.rewritten',
    frame: effect.frame,
    checkpoint: checkpoint.id,
    rewrite: { age: checkpoint.age, text: draft.write(text), tokens, by: result.by },
    facts: entities.length,
    kept,
  });
}

/** Shows the versions that models wrote since the last epoch, each with breadcrumbs to what it leaves out. */
export function showRewrites(draft: Draft): void {
  for (const [frame, { checkpoints }] of draft.state.views)
    for (const checkpoint of checkpoints) {
      const { id, age, rewrite } = checkpoint;
      if (rewrite === undefined || rewrite.age !== age) continue;
      const { text, tokens, by } = rewrite;
      draft.record({
        type: 'checkpoint.aged',
        frame,
        checkpoint: id,
        age,
        text,
        tokens,
        by,
        ...agedBreadcrumbs(draft, [checkpoint], draft.bodies.text(text)),
      });
      reportMany(draft, frame, {
        now: checkpointAt(draft.state, id).checkpoint,
        before: [checkpoint],
      });
    }
}
