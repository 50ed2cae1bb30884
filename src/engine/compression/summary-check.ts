import { targetOf } from '../../core/checkpoints/aging.ts';
import type {
  CompressionMemory,
  CompressionRange,
  SummaryVerdict,
} from '../../core/checkpoints/compression-state.ts';
import { harvest } from '../../core/checkpoints/extractive-summary.ts';
import { entryId } from '../../core/values/id.ts';
import { limitIn } from '../../core/state/limit.ts';
import type { Message } from '../../core/messages/message.ts';
import { allowance, checkpointTagTokens, itemsIn } from '../../core/assembly/select-entries.ts';
import type { State } from '../../core/state/state.ts';
import type { Draft } from '../step/draft.ts';

/** How long a checkpoint over this stretch may be, in tokens. */
export function targetFor(state: State, stretch: CompressionRange): number {
  const { factor } = allowance(state, stretch.frame);
  const target = targetOf('recent', { limit: limitIn(state), factor });
  const asked = state.options.summaryTokens ?? target;
  return Math.max(1, Math.min(target, asked, stretch.tokens - checkpointTagTokens - 1));
}

/** The entries of a stretch that a summary stands for: all but what people typed. */
export function entriesOf(
  draft: Draft,
  stretch: CompressionRange,
): readonly { readonly id: string; readonly n: number; readonly message: Message }[] {
  const view = draft.state.views.get(stretch.frame);
  if (view === undefined) return [];
  return itemsIn(view, stretch)
    .filter(({ human, form }) => !human && form !== 'closing')
    .map(({ n }) => ({ id: entryId(n), n, message: draft.bodies.message(n) }));
}

/** The deterministic summary of a stretch. */
export function harvestStretch(draft: Draft, stretch: CompressionRange): string {
  return harvest({
    purpose: 'checkpoint',
    entries: entriesOf(draft, stretch),
    text: '',
    target: targetFor(draft.state, stretch),
    count: draft.count,
  });
}

/** Whether a summary may stand for its stretch. */
export function checkSummary(draft: Draft, memory: CompressionMemory): SummaryVerdict {
  const stretch = memory.stretch!;
  const text = memory.summary.trim();
  if (text === '') return { accepted: false, reason: 'empty' };
  if (isDegenerate(text)) return { accepted: false, reason: 'degenerate' };
  const tokens = draft.count(text);
  if (tokens + checkpointTagTokens >= stretch.tokens)
    return { accepted: false, reason: 'no shorter' };
  if (tokens > targetFor(draft.state, stretch)) return { accepted: false, reason: 'too long' };
  return { accepted: true };
}

/** Whether a text says the same over and over: fewer than a tenth of its words, or a third of its lines, are new. */
export function isDegenerate(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length >= 40 && new Set(words).size < words.length / 10) return true;
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length >= 9 && new Set(lines).size < lines.length / 3;
}
