import { entryText } from '../../core/messages/message-text.ts';
import type { Count } from '../../core/messages/token-count.ts';
import { cutTo } from '../../core/text/truncate.ts';
import { entryId, ordinal, toEntryId } from '../../core/values/id.ts';
import type { LogEntry } from '../../llm/summarizer.ts';
import type { Session } from '../session/session.ts';

/** The session whose log is read, and what counts its tokens. */
export interface RecallContext {
  readonly session: Session;
  readonly count: Count;
}

/** Which entries to read. */
interface EntriesGiven {
  /** Id of an entry; or of a checkpoint or a frame, for those behind it. */
  readonly entry: string;
  readonly to?: string;
  /** Character of the first entry to begin at. */
  readonly offset?: number;
}

/** Longest answer, in tokens, without the line that says how to go on. */
const longestAnswer = 1_500;

/** Most entries behind a checkpoint or a frame that are read: more than fit. */
const mostBehind = 200;

/** Fewest tokens worth beginning another entry for. */
const leastLeft = 40;

/** The text of entries, word for word, as many as fit; where some do not, how to go on. */
export async function readText(
  { session, count }: RecallContext,
  { entry, to = entry, offset = 0 }: EntriesGiven,
  signal: AbortSignal | undefined,
): Promise<string> {
  const given = signal === undefined ? {} : { signal };
  if (/^[cf]\d+$/.test(entry.trim())) {
    const behind = await session.expand(entry.trim(), { ...given, limit: mostBehind });
    if (behind.length === 0) return `There is no entry behind ${entry.trim()}.`;
    return printEntries(behind, { last: lastBehind(session, entry.trim(), behind), offset, count });
  }
  const first = ordinal(toEntryId(entry.trim()));
  const asked = ordinal(toEntryId(to.trim()));
  if (asked < first) return `"to" (${to}) is before "entry" (${entry}); give the older one first`;
  await session.entry(entryId(first));
  const last = Math.min(asked, session.state.entries);
  const range = { ...(first > 1 && { after: entryId(first - 1) }), before: entryId(last + 1) };
  return printEntries(session.log({ ...range, ...given }), { last, offset, count });
}

/** The last entry that a checkpoint in view stands for; else the last one that was read. */
function lastBehind({ state }: Session, id: string, read: readonly LogEntry[]): number {
  const shown = state.checkpoints.find((checkpoint) => checkpoint.id === id);
  return ordinal(toEntryId(shown?.to ?? read.at(-1)!.id));
}

/** Entries up to `last`, as many as fit. */
async function printEntries(
  entries: AsyncIterable<LogEntry> | Iterable<LogEntry>,
  given: { readonly last: number; readonly offset: number; readonly count: Count },
): Promise<string> {
  const { last, offset, count } = given;
  const parts: string[] = [];
  let left = longestAnswer;
  for await (const found of entries) {
    const body = entryText(found).text;
    const from = parts.length === 0 ? startOf(body, offset) : 0;
    const head = entryHead(found, from);
    const room = left - count(head);
    const shown = cutTo(body.slice(from), Math.max(0, room), count);
    const end = from + shown.length;
    const isWhole = end >= body.length;
    if (!isWhole && parts.length > 0) return [...parts, onward(ordinal(found.id), last)].join('\n');
    parts.push(head, shown);
    if (!isWhole) return [...parts, cutLine(found, { end, of: body.length, last })].join('\n');
    left = room - count(shown);
    const next = ordinal(found.id) + 1;
    if (left < leastLeft && next <= last) return [...parts, onward(next, last)].join('\n');
  }
  return parts.join('\n');
}

/** The line above an entry, or above the slice of it that begins at character `from`. */
function entryHead({ id, role, frame, tokens, ...message }: LogEntry, from: number): string {
  const name = 'name' in message && message.name !== undefined ? ` ${message.name}` : '';
  const begun = from > 0 ? `, from character ${from}` : '';
  return `[${id}: ${role}${name}, frame ${frame}, ${tokens} tokens${begun}]`;
}

/** An offset that does not part a surrogate pair. */
function startOf(body: string, offset: number): number {
  const before = body.slice(0, offset);
  return /[\ud800-\udbff]$/.test(before) && offset < body.length ? offset - 1 : offset;
}

/** Says where an entry was cut, and what follows it. */
function cutLine(
  { id }: LogEntry,
  { end, of, last }: { readonly end: number; readonly of: number; readonly last: number },
): string {
  const next = ordinal(id) + 1;
  const rest = next > last ? '' : `; left out: ${rangeText(next, last)}`;
  const to = next > last ? '' : `, "to": "${entryId(last)}"`;
  return `[cut at character ${end} of ${of}${rest}; go on with recall { "entry": "${id}"${to}, "offset": ${end} }]`;
}

const rangeText = (first: number, last: number): string =>
  first === last ? entryId(first) : `${entryId(first)} to ${entryId(last)}`;

/** Says which entries were left out. */
function onward(next: number, last: number): string {
  const to = next < last ? `, "to": "${entryId(last)}"` : '';
  return `[left out: ${rangeText(next, last)}; go on with recall { "entry": "${entryId(next)}"${to} }]`;
}

/** Most hits that are shown, and most that are named behind them. */
const mostShown = 6;
const mostNamed = 14;

/** Longest sum of the texts of all hits and their heads, in tokens. */
const mostHits = 1_450;
/** Tokens of a hit that is only named. */
const leastTokens = 16;
/** Longest head of a hit, in tokens. */
const headTokens = 24;

/** The text of entries that answer a query, the best first, as slices; ids of those that are left out stand at the end. */
export async function searchText(
  { session, count }: RecallContext,
  query: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const given = signal === undefined ? {} : { signal };
  const tokens = mostHits - mostShown * headTokens;
  const hits = await session.recall(query, { ...given, limit: mostShown, tokens });
  if (hits.length === 0)
    return 'No entry of the log holds any of these words. Try others: names, paths, error codes.';
  const parts: string[] = [];
  let left = mostHits;
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
