import { checkpointAt, checkpointInView } from '../../core/assembly/in-view.ts';
import type { Age } from '../../core/checkpoints/checkpoint.ts';
import { entitiesIn, containsWord } from '../../core/text/entities.ts';
import type { CheckpointId, FrameId, TextId } from '../../core/values/id.ts';
import { embedded } from '../../core/budget/options.ts';
import { agedTrail, warnOfMany } from './aged-breadcrumbs.ts';
import type { Draft } from '../step/draft.ts';
import { isDegenerate } from './summary-check.ts';
import type { Effect } from '../../core/state/effect.ts';

// Aging shortens by dropping lines, at once. Where a model writes summaries, it is
// asked meanwhile to say the same in as few tokens; its version waits beside the
// one that is shown and takes its place when the next epoch begins. Nothing waits
// for it, it is asked once, and it is dropped where the checkpoint has aged again.

/** Asks the summarizer for a better version of a checkpoint that was just shortened; `texts` are what it was made of. */
export function askToRewrite(
  draft: Draft,
  given: { frame: FrameId; checkpoint: CheckpointId; texts: readonly TextId[] },
): void {
  const { frame, checkpoint: id, texts } = given;
  const { options } = draft.state;
  endRewrite(draft, id);
  const checkpoint = checkpointInView(draft.state, id)?.checkpoint;
  if (options.summarizer === embedded || options.aging === 'lines') return;
  if (checkpoint === undefined || checkpoint.tokens < leastTarget) return;
  const { from, to, tokens } = checkpoint;
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

/** What is asked for a checkpoint that has not come yet: its effect, to build on. */
export function pendingRewrite(draft: Draft, id: CheckpointId): Effect | undefined {
  return [...draft.state.outbox.values()].find(({ checkpoint }) => checkpoint === id);
}

/** Gives up what was asked for a checkpoint. */
export function endRewrite(draft: Draft, id: CheckpointId): void {
  for (const [key, { checkpoint }] of draft.state.outbox)
    if (checkpoint === id) draft.record({ type: 'effect.ended', key });
}

/** Gives up what was asked for the checkpoints of a frame. */
export function endRewrites(draft: Draft, frame: FrameId): void {
  for (const [key, effect] of draft.state.outbox)
    if (effect.frame === frame && effect.checkpoint !== undefined)
      draft.record({ type: 'effect.ended', key });
}

/** Gives up what was asked for any checkpoint. */
export function endAllRewrites(draft: Draft): void {
  for (const [key, { checkpoint }] of draft.state.outbox)
    if (checkpoint !== undefined) draft.record({ type: 'effect.ended', key });
}

/** Puts a model's version beside the one that is shown, if it may stand for it: not empty or degenerate, and no longer. */
export function takeRewrite(
  draft: Draft,
  effect: Effect,
  given: { text: string; by: string },
): void {
  const checkpoint = checkpointInView(draft.state, effect.checkpoint!)?.checkpoint;
  const text = given.text.trim();
  if (checkpoint === undefined || text === '' || isDegenerate(text)) return;
  const tokens = draft.count(text);
  if (tokens > checkpoint.tokens) return;
  const before = effect.texts!.map((id) => draft.bodies.text(id)).join('\n');
  const facts = [...entitiesIn(before).keys()];
  const kept = facts.filter((fact) => containsWord(text, fact)).length;
  draft.record({
    type: 'checkpoint.rewritten',
    frame: effect.frame,
    checkpoint: checkpoint.id,
    rewrite: { age: checkpoint.age, text: draft.write(text), tokens, by: given.by },
    facts: facts.length,
    kept,
  });
}

/** Shows what models wrote since the last epoch; it takes the place of what has the same age, and leaves breadcrumbs to what that held and it does not. */
export function showRewrites(draft: Draft): void {
  for (const [frame, { checkpoints }] of draft.state.views)
    for (const checkpoint of checkpoints) {
      const { id, age, rewrite } = checkpoint;
      if (rewrite === undefined || !isFor(rewrite, age)) continue;
      const { text, tokens, by } = rewrite;
      const trail = agedTrail(draft, [checkpoint], draft.bodies.text(text));
      const breadcrumbs = trail === undefined ? {} : { breadcrumbs: trail };
      draft.record({
        type: 'checkpoint.aged',
        frame,
        checkpoint: id,
        age,
        text,
        tokens,
        by,
        ...breadcrumbs,
      });
      warnOfMany(draft, frame, {
        now: checkpointAt(draft.state, id).checkpoint,
        before: [checkpoint],
      });
    }
}

const isFor = (rewrite: { readonly age: Age }, age: Age): boolean => rewrite.age === age;
