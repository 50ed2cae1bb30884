import { parts, type Step } from './wire.ts';

/** What was sent so far, in tokens. */
export interface Cost {
  /** How often the model was asked: once for each answer. */
  readonly calls: number;
  readonly sent: number;
  /** What of that the call before had begun with, at least: a cache of prompts need not read it again. */
  readonly again: number;
  /** What the last call sent, and in which epoch. */
  readonly last: { readonly epoch: number; readonly total: number } | null;
  /** What the same calls had sent with the whole log. */
  readonly whole: number;
  /** Calls of which a server told a count, what was sent in them, and its counts. */
  readonly countedCalls: number;
  readonly sentInCounted: number;
  readonly counted: number;
  /** Of those counts, what came from a cache of the server. */
  readonly cached: number;
}

const nothing: Cost = {
  calls: 0,
  sent: 0,
  again: 0,
  last: null,
  whole: 0,
  countedCalls: 0,
  sentInCounted: 0,
  counted: 0,
  cached: 0,
};

/** What was sent by the end of a step: what the prompt held before an answer came, or a count. */
export function costAfter(cost: Cost = nothing, before: Step | undefined, step: Step): Cost {
  const counts = step.news.filter((one) => one.type === 'counted');
  const isAnswer = step.news.some((one) => one.type === 'entry' && one.role === 'assistant');
  if (before === undefined || (counts.length === 0 && !isAnswer)) return cost;
  const total = before.sizes.reduce((sum, size) => sum + size, 0);
  const calls = Math.max(1, counts.length);
  const sum = (field: 'sent' | 'counted' | 'cached'): number =>
    counts.reduce((all, one) => all + (one[field] ?? 0), 0);
  const isFurther = cost.last?.epoch === before.epoch;
  const begun = isFurther ? Math.min(cost.last.total, total) : sizeOf(before, 'system', 'tools');
  return {
    calls: cost.calls + calls,
    sent: cost.sent + calls * total,
    again: cost.again + (cost.last === null ? 0 : begun) + (calls - 1) * total,
    last: { epoch: before.epoch, total },
    whole: cost.whole + calls * wholeOf(before),
    countedCalls: cost.countedCalls + counts.length,
    sentInCounted: cost.sentInCounted + sum('sent'),
    counted: cost.counted + sum('counted'),
    cached: cost.cached + sum('cached'),
  };
}

/** A prompt with all that was said in place of what stands for it, in tokens: with the same system prompt, tools and goal. */
export const wholeOf = (step: Step): number =>
  sizeOf(step, 'system', 'tools', 'goal') + step.said * (step.scale ?? 1);

const sizeOf = ({ sizes }: Step, ...names: readonly (typeof parts)[number][]): number =>
  names.reduce((sum, name) => sum + (sizes[parts.indexOf(name)] ?? 0), 0);
