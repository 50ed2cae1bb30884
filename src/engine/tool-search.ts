import { entryText } from '../core/entry-text.ts';
import { entryHead, type Reading } from './tool-recall.ts';

/** Hits that are shown, and those that are named behind them. */
const mostShown = 6;
const mostNamed = 14;

/** What the texts of all hits, and their heads, may come to, in tokens. */
const most = 1_450;
/** What a hit that is only named costs, in tokens. */
const leastTokens = 16;
/** What a head may come to, in tokens. */
const headTokens = 24;

/** Entries that answer a query, the best first, as slices of them; names what it leaves out. */
export async function searchText(
  { session, count }: Reading,
  query: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const given = signal === undefined ? {} : { signal };
  const tokens = most - mostShown * headTokens;
  const hits = await session.recall(query, { ...given, limit: mostShown, tokens });
  if (hits.length === 0)
    return 'No entry of the log holds any of these words. Try others: names, paths, error codes.';
  const parts: string[] = [];
  let left = most;
  let shown = 0;
  for (const { entry: id, text, tokens, whole } of hits) {
    const entry = await session.entry(id);
    const from = whole ? 0 : Math.max(0, entryText(entry).text.indexOf(text));
    const head = entryHead(entry, from);
    const cost = tokens + count(head) + 2;
    if (cost > left && shown > 0) break;
    parts.push(
      head,
      text,
      ...(whole ? [] : [`[a part; recall { "entry": "${id}" } has all of it]`]),
    );
    left -= cost;
    shown += 1;
  }
  const named = await session.recall(query, {
    ...given,
    limit: mostShown + mostNamed,
    tokens: (mostShown + mostNamed) * leastTokens,
  });
  return [...parts, ...leftOut(named.slice(shown).map(({ entry }) => entry))].join('\n');
}

/** Says which hits were left out. */
function leftOut(ids: readonly string[]): readonly string[] {
  if (ids.length === 0) return [];
  const more = ids.length >= mostNamed ? ' and maybe more' : '';
  return [
    `[left out: ${ids.join(', ')}${more}; read one with recall { "entry": "${ids[0]}" }, or look for fewer words]`,
  ];
}
