import { embedded } from '../../core/budget/options.ts';
import { targetOf } from '../../core/checkpoints/aging.ts';
import type {
  CompressionMemory,
  CompressionRange,
  SummaryVerdict,
} from '../../core/checkpoints/compression-state.ts';
import { fitLines, printLines } from '../../core/chronicle/line.ts';
import { entryId } from '../../core/values/id.ts';
import { limitIn } from '../../core/state/limit.ts';
import type { Message } from '../../core/messages/message.ts';
import {
  allowance,
  checkpointTagTokens,
  itemsIn,
  joiningTokens,
} from '../../core/assembly/select-entries.ts';
import type { State } from '../../core/state/state.ts';
import type { Draft } from '../step/draft.ts';
import { linesOfRange } from './leaving-lines.ts';

/** Most tokens of a checkpoint over this range. */
export function summaryTarget(state: State, range: CompressionRange): number {
  const { factor } = allowance(state, range.frame);
  const target = targetOf('recent', { limit: limitIn(state), factor });
  const asked = state.options.summaryTokens ?? target;
  const view = state.views.get(range.frame);
  const joining = view === undefined ? 0 : joiningTokens(state, itemsIn(view, range));
  return Math.max(1, Math.min(target, asked, range.tokens - joining - checkpointTagTokens - 1));
}

/** The entries of a range that a summary stands for: all but human ones. */
export function summarizedEntries(
  draft: Draft,
  range: CompressionRange,
): readonly { readonly id: string; readonly n: number; readonly message: Message }[] {
  const view = draft.state.views.get(range.frame);
  if (view === undefined) return [];
  return itemsIn(view, range)
    .filter(({ human, form }) => !human && form !== 'closing')
    .map(({ n }) => ({ id: entryId(n), n, message: draft.bodies.message(n) }));
}

/** The deterministic summary of a range. */
export function extractSummary(draft: Draft, range: CompressionRange): string {
  const lines = linesOfRange(draft, range).filter(({ kind }) => kind !== 'asked');
  return printLines(fitLines(lines, summaryTarget(draft.state, range)));
}

/**
 * Whether a summary may stand for its range; if not, why. What was made up of it was left out
 * before. The embedded one always may: entries that leave no line are told of by none.
 */
export function checkSummary(draft: Draft, { summary }: CompressionMemory): SummaryVerdict {
  const { facts, state } = draft;
  if (state.options.summarizer === embedded) return { accepted: true };
  const isInvented = facts.some(({ type }) => type === 'summary.invented');
  if (summary.trim() === '') return { accepted: false, reason: isInvented ? 'invented' : 'empty' };
  if (isDegenerate(summary)) return { accepted: false, reason: 'degenerate' };
  return { accepted: true };
}

/** Whether a text repeats itself: fewer than a tenth of its words, or a third of its lines, are distinct. */
export function isDegenerate(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length >= 40 && new Set(words).size < words.length / 10) return true;
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length >= 9 && new Set(lines).size < lines.length / 3;
}
