import { toReferring } from '../../core/breadcrumbs/reference.ts';
import { isEngineError } from '../../core/values/error.ts';
import type { RecallContext } from './recall-context.ts';
import { goesOn, openText, openWhole } from './recall-open.ts';
import { mostTokens, searchText } from './recall-search.ts';

/**
 * What the log holds for a query: entries behind ids and ranges, whole and in order; entries that answer
 * words, the best first; or with both, all that is behind those ids where it is short, else what of it
 * answers the words. Ids that lead nowhere count as words where there are others.
 */
export async function recallText(context: RecallContext, query: string): Promise<string> {
  const { references, words } = toReferring(query);
  if (references.length === 0) return searchText(context, query);
  if (words === '' || goesOn(query)) return openText(context, query);
  try {
    const whole = await openWhole(context, query, mostTokens);
    return whole ?? (await searchText(context, words, query));
  } catch (error) {
    if (isEngineError(error) && error.code.endsWith('_NOT_FOUND'))
      return searchText(context, query);
    throw error;
  }
}
