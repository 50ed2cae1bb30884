import { firstLines } from '../../core/checkpoints/first-lines.ts';
import type { Input, InputOf } from '../../core/state/input.ts';
import { sanitize, sanitizeLine } from '../../core/text/sanitize.ts';
import { clip } from '../../core/text/sentences.ts';
import { fallbackEvent, moveCompression } from '../compression/compress.ts';
import { checkSummary } from '../compression/summary-check.ts';
import { takeDigest } from './frame-digest.ts';
import type { Draft } from '../step/draft.ts';
import { storeRewrite } from '../compression/model-rewrites.ts';

// What an effect or a timer brings back: a text, a failure, or the end of a wait.

/** What a summarizer said: an input without its key. */
type SummarySaid = Pick<Extract<Input, { readonly type: 'settle' }>, 'text' | 'by' | 'invented'>;

/** Most lines that a fact tells of as made up, and the longest, in UTF-16 units. */
const mostTold = 40;
const longestTold = 300;

/** What is taken of a checkpoint's summary beside the length asked for: lines that it has no room for stand in the chronicle. */
const longest = 2;

/** Puts the text of a summarizer where it was asked for, without the lines that are too many; tells of those that were made up. */
export function takeSummary(draft: Draft, key: string, said: SummarySaid): void {
  const effect = draft.state.outbox.get(key)!;
  const { invented = [] } = said;
  if (invented.length > 0)
    draft.record({
      type: 'summary.invented',
      frame: effect.frame,
      purpose: effect.purpose,
      lines: invented.slice(0, mostTold).map((line) => clip(sanitizeLine(line), longestTold)),
    });
  const most = effect.purpose === 'checkpoint' ? longest * effect.target : effect.target;
  const text = firstLines(sanitize(said.text), most, draft.count);
  const result = { text, by: said.by };
  if (effect.purpose === 'checkpoint') {
    const output = checkSummary(draft, text);
    const input = { type: 'answer', port: 'summarize', output } as const;
    moveCompression(draft, effect.frame, input);
    return;
  }
  draft.record({ type: 'effect.ended', key });
  if (effect.purpose === 'partial' || effect.purpose === 'results')
    takeDigest(draft, { frame: effect.frame, part: effect.purpose, ...result });
  else storeRewrite(draft, effect, result);
}

/** Ends an effect that failed; a compression decides for itself whether to ask again, where that can help. */
export function takeFailure(
  draft: Draft,
  { key, reason, wait = 0, final = false }: InputOf<'fail'>,
): void {
  const { purpose, frame } = draft.state.outbox.get(key)!;
  if (purpose !== 'checkpoint') return draft.record({ type: 'effect.ended', key });
  moveCompression(draft, frame, { type: 'error', port: 'summarize', reason, wait });
  if (final && draft.state.views.get(frame)?.compression?.value === 'waiting')
    moveCompression(draft, frame, fallbackEvent);
}

/** Carries the compression on whose wait is over. */
export function endWait(draft: Draft, key: string): void {
  const { frame } = draft.state.timers.get(key)!;
  moveCompression(draft, frame, { type: 'answer', port: 'pause', output: undefined });
}

/** Ends all that was asked of a summarizer that the session no longer has. */
export function endAllRequests(draft: Draft): void {
  for (const [frame, { compression }] of draft.state.views)
    if (compression !== null) moveCompression(draft, frame, fallbackEvent);
  for (const key of draft.state.outbox.keys()) draft.record({ type: 'effect.ended', key });
}
