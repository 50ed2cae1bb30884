import { checkNames, invalid } from '../core/options.ts';

/** What a server counted, in its own tokens. */
export interface Usage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/** Refuses what is no usage: a misspelled one would teach nothing, in silence. */
export function checkUsage(usage: Usage): void {
  if (typeof usage !== 'object' || usage === null)
    throw invalid('usage', usage, '{ inputTokens?, outputTokens? }');
  checkNames(usage, ['inputTokens', 'outputTokens']);
  for (const [name, value] of Object.entries(usage) as [string, unknown][])
    if (value !== undefined && !(typeof value === 'number' && value >= 0))
      throw invalid(`usage.${name}`, value, 'a number of tokens');
}
