import { targetOf } from '../../core/checkpoints/aging.ts';
import type { CompressionRange, RefusedSummary } from '../../core/checkpoints/compression-state.ts';
import { fitLines, numbered, printLines } from '../../core/lines/line.ts';
import { entryId, type FrameId } from '../../core/values/id.ts';
import { wholeIn } from '../../core/state/limit.ts';
import type { Message } from '../../core/messages/message.ts';
import {
  allowance,
  checkpointTagTokens,
  itemsIn,
  leastRange,
} from '../../core/assembly/select-entries.ts';
import { messageTokens } from '../../core/messages/token-count.ts';
import { wholeParts } from '../../core/sections/human-section.ts';
import type { Draft } from '../step/draft.ts';
import { linesOfRange } from './lines/leaving-lines.ts';

/**
 * Most tokens of a summary of entries of a frame. How little a range gives back is no measure of it: its
 * results may be cleared long since, and what its checkpoint has no room for stands in the chronicle.
 */
export function summaryLength(draft: Draft, frame: FrameId): number {
  const { state } = draft;
  const { factor } = draft.part(() => allowance(state, frame));
  const target = targetOf('recent', { limit: wholeIn(state), factor });
  return Math.min(target, state.options.summaryTokens ?? target);
}

/** Most tokens of a checkpoint over this range. */
export function checkpointRoom(draft: Draft, range: CompressionRange): number {
  const most = draft.part(() => saved(draft, range)) - checkpointTagTokens - 1;
  return Math.max(1, Math.min(summaryLength(draft, range.frame), most));
}

/** Whether the checkpoint of a range can take less than it saves. */
export const isWorth = (draft: Draft, range: CompressionRange): boolean =>
  saved(draft, range) >= leastRange;

/** What a range gives back, in tokens: its entries, less what human text grows by where it comes to stand with the older. */
function saved(draft: Draft, range: CompressionRange): number {
  const { state } = draft;
  const { newest } = state.epochView;
  const view = state.views.get(range.frame);
  const items = view === undefined ? [] : itemsIn(view, range).filter(({ human }) => human);
  const wasNewest = newest === null || newest.n === state.newest?.n ? [] : [newest];
  const joining = new Map([...wasNewest, ...items].map((entry) => [entry.n, entry]));
  let grown = joining.size === 0 ? 0 : titleTokens;
  for (const entry of joining.values()) {
    const content = wholeParts(entry, draft.bodies);
    grown += messageTokens({ role: 'user', content }, draft.count) - entry.shown;
  }
  return range.tokens - grown;
}

/** Most tokens of the title of what people said. */
const titleTokens = 30;

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
  const lines = linesOfRange(draft, range);
  const target = checkpointRoom(draft, range);
  return draft.part(() => {
    const numberedLines = numbered(lines).filter(({ kind }) => kind !== 'asked');
    return printLines(fitLines(numberedLines, target));
  });
}

/** A summary that came from a model, or why it may not stand for its range. What was made up of it was left out before. */
export function checkSummary({ facts }: Draft, summary: string): string | RefusedSummary {
  const isInvented = facts.some(({ type }) => type === 'summary.invented');
  if (summary.trim() === '') return { refused: isInvented ? 'invented' : 'empty' };
  return isDegenerate(summary) ? { refused: 'degenerate' } : summary;
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
