import { sanitize } from '../../core/checkpoints/sanitize.ts';
import { fallback, moveCompression } from '../compression/compress.ts';
import { describe } from './frame-digest.ts';
import type { Draft } from '../step/draft.ts';
import { takeRewrite } from '../compression/model-rewrites.ts';

// What comes back of work that was asked for: a text, a failure, or the end of
// a wait.

/** Takes in the text that an effect brought. */
export function takeSummary(draft: Draft, key: string, given: { text: string; by: string }): void {
  const effect = draft.state.outbox.get(key)!;
  const result = { ...given, text: sanitize(given.text) };
  if (effect.purpose === 'checkpoint') {
    moveCompression(draft, effect.frame, {
      type: 'answer',
      port: 'summarize',
      output: result.text,
    });
    return;
  }
  draft.record({ type: 'effect.ended', key });
  if (effect.purpose === 'partial' || effect.purpose === 'results')
    describe(draft, { frame: effect.frame, part: effect.purpose, ...result });
  else takeRewrite(draft, effect, result);
}

/** Takes in that an effect brought none. */
export function giveUp(
  draft: Draft,
  key: string,
  { reason, wait = 0 }: { readonly reason: string; readonly wait?: number },
): void {
  const effect = draft.state.outbox.get(key)!;
  if (effect.purpose === 'checkpoint')
    moveCompression(draft, effect.frame, { type: 'error', port: 'summarize', reason, wait });
  else draft.record({ type: 'effect.ended', key });
}

/** Takes in that a wait is over. */
export function fire(draft: Draft, key: string): void {
  const { frame } = draft.state.timers.get(key)!;
  moveCompression(draft, frame, { type: 'elapsed', delay: 'backoff' });
}

/** Ends what was asked of a summarizer that the session no longer has. */
export function waitNoLonger(draft: Draft): void {
  for (const [frame, { compression }] of draft.state.views)
    if (compression !== null) moveCompression(draft, frame, fallback);
  for (const key of draft.state.outbox.keys()) draft.record({ type: 'effect.ended', key });
}
