import { toReferring } from '../../core/breadcrumbs/reference.ts';
import { entryText } from '../../core/messages/message-text.ts';
import { phrasesIn, withoutQuotes } from '../../core/search/phrases.ts';
import { inHead, inset } from '../../core/text/sanitize.ts';
import type { LostEntries } from '../journal/whole-rows.ts';
import type { Hit } from '../recall/recall.ts';
import { entryHead, inShort, outcomesOf } from './entry-head.ts';
import { openText } from './recall-open.ts';
import type { RecallContext } from './recall-context.ts';

/** Longest answer to words, in tokens: more of it is noise. */
export const mostTokens = 2_000;

/** Most hits that are shown, tokens worth showing one for, and tokens of its head and neighbors. */
const mostShown = 10;
const tokensOfHit = 130;
const tokensAround = 40;

/** The text of entries that answer words, the best first, with their neighbors in short; behind the ids and ranges of `within`, where that is given. */
export async function searchText(
  context: RecallContext,
  words: string,
  within?: string,
): Promise<string> {
  const { session, signal } = context;
  const room = Math.min(mostTokens, context.room);
  const limit = Math.max(1, Math.min(mostShown, Math.floor(room / tokensOfHit)));
  const how = {
    ...(signal === undefined ? {} : { signal }),
    ...(within === undefined ? {} : { within }),
  };
  const tokens = Math.max(room / 2, room - limit * tokensAround);
  const lost: LostEntries[] = [];
  const onLost = (one: LostEntries): void => void lost.push(one);
  const look = (query: string) => session.recall(query, { ...how, limit, tokens, onLost });
  const said = await look(words);
  const isLoose = said.length === 0 && phrasesIn(words).length > 0;
  const hits = isLoose ? await look(withoutQuotes(words)) : said;
  const notes = [...(isLoose && hits.length > 0 ? [apart] : []), ...lostNote(lost)];
  if (hits.length === 0) {
    const none = within === undefined ? nothing : await nothingThere(context, within);
    return [none, ...notes].join('\n');
  }
  const lines = await hitLines(context, hits, room);
  return [
    ...lines,
    ...othersNote(within ?? '', hits),
    ...notes,
    '[recall with an id or range opens it whole]',
  ].join('\n');
}

/** The entries that were asked for one by one and are no hits. */
function othersNote(within: string, hits: readonly Hit[]): readonly string[] {
  const found = new Set<string>(hits.flatMap(({ entry, same }) => [entry, ...same]));
  const others = toReferring(within).references.flatMap((one) =>
    one.type === 'entries' && one.from === one.to && !found.has(one.from) ? [one.from] : [],
  );
  return others.length === 0 ? [] : [`[not shown: ${others.join(', ')}]`];
}

/** Most ranges of lost entries that are named. */
const mostLost = 5;

/** What could not be searched. */
function lostNote(lost: readonly LostEntries[]): readonly string[] {
  if (lost.length === 0) return [];
  const named = lost
    .slice(0, mostLost)
    .map(({ from, to }) => (from === to ? from : `${from}-${to}`));
  const more = lost.length > mostLost ? ' and others' : '';
  return [`[not searched, since their records are damaged: ${named.join(', ')}${more}]`];
}

const apart = '[nowhere do the quoted words stand so; these say them apart]';

const nothing =
  'No entry of the log holds any of these words. Try others: names, paths, error codes.';

/** What ids lead to that hold none of the words beside them: a marker was copied, or its words are others. */
const nothingThere = async (context: RecallContext, within: string): Promise<string> =>
  `[none of these words is there, which says:]\n${await openText(context, within)}`;

/** The hits, each under its head and with what came of it, as long as there is room; the others by id. */
async function hitLines(
  context: RecallContext,
  hits: readonly Hit[],
  room: number,
): Promise<readonly string[]> {
  const { session, count, hasFrames } = context;
  const ids = new Set(hits.map(({ entry }) => entry));
  const shownRequests = new Set<string>(ids);
  const lines: string[] = [];
  let left = room;
  for (const [index, hit] of hits.entries()) {
    const [entry] = await session.expand(hit.entry, { limit: 1 });
    if (entry === undefined) continue;
    const notes = [
      ...(await requestNote(context, hit, shownRequests)),
      ...notesOf(hit, entryText(entry).text),
    ];
    const isShown = (n: number): boolean => ids.has(`e${n}`);
    const own = [
      await entryHead(session, entry, { frame: hasFrames, notes }),
      inset(hit.text),
      ...(await outcomesOf(session, entry, isShown)),
    ];
    const cost = count(own.join('\n')) + 1;
    if (cost > left && index > 0) {
      const others = hits.slice(index).map((other) => other.entry);
      return [...lines, `[left out: ${others.join(', ')}]`];
    }
    left -= cost;
    lines.push(...own);
  }
  return lines;
}

/** What was asked before a hit, in words where it is the first of that request. */
async function requestNote(
  { session }: RecallContext,
  { request, role }: Hit,
  shownRequests: Set<string>,
): Promise<readonly string[]> {
  if (request === undefined || role === 'user') return [];
  if (shownRequests.has(request)) return [`for ${request}`];
  shownRequests.add(request);
  return [`for ${request} "${inHead(inShort(entryText(await session.entry(request)).text))}"`];
}

/** What part of its entry a hit is, and which others say the same. */
function notesOf({ text, whole, same }: Hit, body: string): readonly string[] {
  const from = Math.max(0, body.indexOf(text));
  return [
    ...(whole ? [] : [`characters ${from}-${from + text.length} of ${body.length}`]),
    ...(same.length === 0 ? [] : [`nearly the same: ${same.join(' ')}`]),
  ];
}
