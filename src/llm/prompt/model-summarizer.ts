import { textOf, type AssistantMessage } from '../../core/messages/message.ts';
import type { Summarizer } from '../summarizer.ts';
import { partCache } from './part-cache.ts';
import type { SummaryAnswer } from './read-summary.ts';
import { writeSummary, type AskModel, type Question } from './write-summary.ts';

/** Window for summaries of a model whose window nobody tells, in tokens. */
export const modestWindow = 8_192;

/** Temperature of summaries: low, for what was said counts; a greedy choice (0) repeats itself in small models. */
export const calmTemperature = 0.2;

/** Tokens beside a summary for the thinking of a model that cannot leave it, in a window of `window` tokens. */
export const thinkingRoom = (window: number): number => Math.min(1_000, Math.floor(window / 4));

/** A summarizer that asks a model; `prepare` says for each summary how, and what its window is, in tokens. */
export function modelSummarizer(
  name: string,
  prepare: (signal: AbortSignal) => Promise<{ readonly window: number; readonly ask: AskModel }>,
): Summarizer {
  const kept = partCache();
  return {
    name,
    async summarize(task, { signal }) {
      const { window, ask } = await prepare(signal);
      return writeSummary(task, ask, { window, signal, kept });
    },
  };
}

/** A question as the messages of a chat. */
export const messagesOf = ({ system, prompt }: Question) => [
  { role: 'system' as const, content: system },
  { role: 'user' as const, content: prompt },
];

/** What a model said, as the answer to a question. */
export const answerOf = ({ content, finish }: AssistantMessage): SummaryAnswer => ({
  text: textOf(content),
  cut: finish === 'length',
});
