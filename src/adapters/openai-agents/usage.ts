import type { Usage } from '../../index.ts';

/** What a model counted, as the agents say it. */
export function usageIn(counts: object): Usage {
  const { inputTokens, outputTokens, inputTokensDetails, outputTokensDetails } = counts as Counted;
  const cached = detailIn(inputTokensDetails, 'cached_tokens');
  const reasoning = detailIn(outputTokensDetails, 'reasoning_tokens');
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}

interface Counted {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly inputTokensDetails?: Details;
  readonly outputTokensDetails?: Details;
}

/** Counts by name; a list of them where several requests are counted as one. */
type Details = Counts | readonly Counts[];
type Counts = Readonly<Record<string, number>>;

const detailIn = (details: Details | undefined, name: string): number | undefined =>
  [details ?? []].flat().find((one) => one[name] !== undefined)?.[name];
