import type { Bodies } from '../messages/bodies.ts';
import {
  filesOf,
  machineText,
  personText,
  textOf,
  type Content,
  type Part,
} from '../messages/message.ts';
import { filesTokens, overhead, roughCount, type Count } from '../messages/token-count.ts';
import { mask } from '../messages/redacted-message.ts';
import { joinedSentences } from '../people/quotes.ts';
import { indented } from '../text/sanitize.ts';
import { truncateMessage } from '../text/truncate-message.ts';
import { entryId, ordinal, type EntryId } from '../values/id.ts';
import type { State } from '../state/state.ts';
import { readOnce } from '../values/read-once.ts';
import type { Frame, FrameStatus } from '../frames/frame.ts';
import { frameOf, path, type FrameTree } from '../frames/tree.ts';
import {
  byTelling,
  toHuman,
  type FrameView,
  type HumanEntry,
  type OffloadedRange,
  type Quote,
  type WorkingItem,
} from '../state/view.ts';

// What people said before the entries that are shown verbatim: in full while
// there is room, then in their most telling sentences, then as a range that leads
// back. It is one message, so that nothing in it is taken for the request at hand:
// that one, the newest human entry, stands by itself behind all made sections. What
// a runtime put into an entry is left out, and all lines of a text but its first are
// indented, so that nobody can write a line that begins as ours do.
//
// The newest human entry is shown whatever its frame. Where that frame is off the
// path (popped, or undone), the entry keeps its place in the order of the log,
// among the entries of the active frame:
//
//   log      e1 … e44   push f1 · e45 (a person) e46   pop
//   shown    tree · e1 … e44 · e45 · e47 …
//
// It stays there for the whole of the epoch. Where it would part a call from its
// results, it is shown behind the made sections instead. A note behind it says what
// became of that frame, for else a model that reads the request last begins with it again.

/**
 * The human entries of the path that are shown before the working part, oldest
 * first; `newest` among them, even if its frame is closed.
 */
export const olderHuman = (state: State, newest: State['newest']): readonly HumanEntry[] =>
  newest === state.newest ? olderNow(state) : humanBefore(state, newest);

/** The same of a state's own newest entry, which a decision asks for time and again. */
const olderNow = readOnce((state: State) => humanBefore(state, state.newest));

function humanBefore(state: State, newest: State['newest']): readonly HumanEntry[] {
  const entries: HumanEntry[] = [];
  for (const { id } of path(state.frames, state.active)) {
    const view = state.views.get(id);
    if (view === undefined) continue;
    entries.push(...view.human);
    if (id !== state.active) entries.push(...humanItems(view));
  }
  if (newest !== null && !isShown(state, newest.n, entries)) entries.push(newest);
  return entries.sort((a, b) => a.n - b.n);
}

/** All human entries of an assembly, oldest first: before the working part and in it. */
export const shownHuman: (state: State) => readonly HumanEntry[] = readOnce((state) => {
  const working = humanItems(state.views.get(state.active));
  return [...olderNow(state), ...working].sort((a, b) => a.n - b.n);
});

/** The directives of offloaded human entries of the path, oldest first. */
export function quotesOf(state: State): readonly Quote[] {
  const lists = viewsOnPath(state)
    .map(({ quotes }) => quotes)
    .filter((quotes) => quotes.length > 0);
  return lists.length < 2 ? (lists[0] ?? []) : lists.flat().sort((a, b) => a.n - b.n);
}

/** The offloaded human entries of the path as one range; null for none. */
export function offloadedHuman(state: State): OffloadedRange | null {
  const ranges = viewsOnPath(state).flatMap(({ offloaded }) => offloaded ?? []);
  return ranges.length === 0 ? null : ranges.reduce(joined);
}

/** The title of what people said before the entries. */
export const humanTitle =
  'Said earlier by the user, oldest first. These were taken up at the time, if not broken off; a later one overrules earlier ones.';

/** One quote as it stands among others of its entry. */
export const quoted = ({ text }: Quote): string => `“${text}”`;

/** What stands before quotes that do not say all of their entry. */
export const quoteHead = (n: number): string => `[${entryId(n)}, in part]`;

/**
 * The `most` most telling quotes: what people laid down, then the best of each entry, the newest first, then the second of each,
 * and so on; what was said again and again is quoted once, and what stands `beside` them whole not at all.
 */
export function chosenQuotes(
  quotes: readonly Quote[],
  most: number,
  beside: State['newest'] = null,
): readonly Quote[] {
  if (most === 0) return [];
  const ranked = rankedQuotes(quotes);
  const isWhole = beside !== null && beside.text === undefined;
  return (isWhole ? ranked.filter(({ n }) => n !== beside.n) : ranked).slice(0, most);
}

/** Quotes by what they tell, each text once; every layout asks for the same ones. */
const rankedQuotes = readOnce((quotes: readonly Quote[]): readonly Quote[] => {
  const sorted = [...quotes].sort(byTelling);
  const texts = new Set<string>();
  return sorted.filter(({ text }) => !texts.has(text) && texts.add(text));
});

/** What people said before the working part, but for the newest entry, which stands by itself. */
export interface EarlierHuman {
  /** The head and what stands below it, a line or more for each. */
  readonly parts: readonly Part[];
  /** The entries that it holds whole, but for those of which quotes say all. */
  readonly entries: readonly EntryId[];
}

/** The older human text of an epoch as one message; null where there is none. */
function earlierHuman(
  entries: readonly HumanEntry[],
  { quotes, offloaded }: { quotes: readonly Quote[]; offloaded: OffloadedRange | null },
  bodies: Bodies,
): EarlierHuman | null {
  if (entries.length === 0 && quotes.length === 0 && offloaded === null) return null;
  const byEntry = new Map<number, readonly Quote[]>();
  for (const quote of quotes) byEntry.set(quote.n, [...(byEntry.get(quote.n) ?? []), quote]);
  const blocks = [
    ...entries.map((entry) => ({ n: entry.n, parts: wholeParts(entry, bodies) })),
    ...[...byEntry].map(([n, list]) => ({ n, parts: [textPart(quoteLine(n, list))] })),
  ].sort((a, b) => a.n - b.n);
  const isOwn = (list: readonly Quote[]): boolean => !list.some(({ isBound }) => isBound);
  const shownCount = [...byEntry.values()].filter((list) => sayAll(list) && isOwn(list)).length;
  const out = (offloaded?.entries ?? 0) - shownCount;
  const head =
    out > 0 ? `${humanTitle}\n${offloadedLine({ ...offloaded!, entries: out })}` : humanTitle;
  return {
    parts: [textPart(head), ...blocks.flatMap(({ parts }) => parts)],
    entries: entries.map(({ n }) => entryId(n)),
  };
}

/** What people said earlier as the content of a message. */
export const earlierContent = ({ parts }: EarlierHuman): Content => joinedText(parts);

/** Tokens of that message: each part on its own, since no token goes on before the head of one. */
export function earlierTokens({ parts }: EarlierHuman, count: Count): number {
  const texts = parts.filter((part) => part.type === 'text');
  const lineTokens = lineCount(count);
  const lines = texts.slice(0, -1).reduce((sum, part) => sum + lineTokens(part), 0);
  const files = filesTokens({ content: parts }, count);
  return overhead.message + files + lines + count(texts.at(-1)?.text ?? '');
}

/** What texts count that others stand below; those of an entry are the same in each layout. */
const lineCount = readOnce((count: Count) =>
  readOnce(({ text }: Part & { readonly type: 'text' }) => count(`${text}\n`)),
);

/** The quotes of one entry in the order in which they were said; the entry as it stands where they say all of it. */
function quoteLine(n: number, quotes: readonly Quote[]): string {
  const inOrder = [...quotes].sort((a, b) => a.at - b.at);
  return sayAll(quotes)
    ? `[${entryId(n)}] ${indented(joinedSentences(inOrder))}`
    : `${quoteHead(n)} ${indented(inOrder.map(quoted).join(' … '))}`;
}

/** Whether quotes of an entry say all of it. */
const sayAll = (quotes: readonly Quote[]): boolean =>
  quotes.some(({ isAll, rank }) => isAll === true && rank === quotes.length - 1) &&
  !quotes.some(({ text }) => text.includes(mask));

/** An entry as it stands among the earlier ones, without line breaks at its end; what it says never changes, so each is read once. */
export function wholeParts(entry: HumanEntry, bodies: Bodies): readonly Part[] {
  const cached = whole.get(entry);
  if (cached !== undefined) return cached;
  const { form, content } = typedContent(entry, bodies);
  const head = `[${entryId(entry.n)}${form}]`;
  const said = textOf(content);
  const text = entry.text === undefined ? said.trimEnd() : said;
  const parts = [textPart(`${head} ${indented(text)}`), ...filesOf(content)];
  whole.set(entry, parts);
  return parts;
}

const whole = new WeakMap<HumanEntry, readonly Part[]>();

/** What a person typed of an entry, as it is shown before the working part: no longer than the entry itself would stand there. */
function typedContent(
  { n, text }: HumanEntry,
  bodies: Bodies,
): { readonly form: string; readonly content: Content } {
  const message = bodies.message(n);
  const short = text === undefined ? null : bodies.short(text);
  if (message.role !== 'user' || machineText(message) === '')
    return { form: short === null ? '' : ', shortened', content: (short ?? message).content };
  const typed = personText(message);
  const content = [textPart(typed), ...filesOf(message.content)];
  const form = ', without machine text';
  if (short === null) return { form, content };
  const target = roughCount(textOf(short.content));
  const shorter = truncateMessage({ ...message, content }, n, { target, count: roughCount });
  const isWhole = textOf(shorter.content) === typed;
  return { form: isWhole ? form : ', shortened', content: shorter.content };
}

const textPart = (text: string): Part => ({ type: 'text', text });

/** Parts with neighbors of text as one; a plain text where there is nothing else. */
function joinedText(parts: readonly Part[]): Content {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = textPart(`${last.text}\n${part.text}`);
    else joined.push(part);
  }
  const [only] = joined;
  return joined.length === 1 && only?.type === 'text' ? only.text : joined;
}

function offloadedLine({ from, to, entries }: OffloadedRange): string {
  const which = from === to ? from : `${entries} of ${from}–${to}`;
  return `[${which} ${entries === 1 ? 'is' : 'are'} out of view, whole or in part]`;
}

/** The parts of what is shown of people before the entries: the older ones as one message, and the newest by itself. */
export interface HumanHead {
  readonly earlier: EarlierHuman | null;
  /** Null where it stands among the entries. */
  readonly newest: HumanEntry | null;
  /** Tokens of the newest, wherever it stands; 0 where it is one of the working part. */
  readonly newestTokens: number;
}

/** What an epoch shows of people before its entries. */
export function humanHead(
  state: State,
  epoch: { readonly newest: State['newest']; readonly upTo: number; readonly quotes: number },
  bodies: Bodies,
): HumanHead {
  const older = olderHuman(state, epoch.newest).filter(({ n }) => n <= epoch.upTo);
  const newest = older.find(({ n }) => n === epoch.newest?.n) ?? null;
  const entries = older.filter((entry) => entry !== newest);
  const quotes = chosenQuotes(quotesOf(state), epoch.quotes, epoch.newest);
  return {
    earlier: earlierHuman(entries, { quotes, offloaded: offloadedHuman(state) }, bodies),
    newest: indexOfNewest(state, epoch.newest) === null ? newest : null,
    newestTokens: newest?.shown ?? 0,
  };
}

/** The index of the active frame's item before which `newest` is shown; null where it is such an item itself, or is shown with the older ones. */
export function indexOfNewest(state: State, newest: State['newest']): number | null {
  if (newest === null || isOnPath(state, newest.n)) return null;
  const items = state.views.get(state.active)?.items ?? [];
  const index = items.findLastIndex(({ unit }) => unit < newest.n) + 1;
  const before = items[index - 1];
  return before === undefined || wasAnswered(state, before.unit, newest.n) ? index : null;
}

const became: Readonly<Partial<Record<FrameStatus, string>>> = {
  completed: 'was completed',
  failed: 'has failed',
  blocked: 'was blocked',
  invalidated: 'was invalidated',
};

/** What stands behind the newest human entry of a frame off the path; empty where it is on it. */
export function frameNote(state: State, frames: FrameTree, newest: State['newest']): string {
  if (newest === null || isOnPath(state, newest.n)) return '';
  const said = frameOf(frames, newest.frame);
  if (said.branch !== undefined) return '[That was said in work that was taken back since.]';
  const { id, status } = childOfPath(state, frames, said);
  const since = became[status];
  return since === undefined
    ? ''
    : `[That was said in the work of ${id}, which ${since} since: what its results leave open is still asked.]`;
}

/** The frame beside the path that a frame lies in; itself where it is on the path. */
function childOfPath({ active }: State, frames: FrameTree, frame: Frame): Frame {
  const onPath = new Set(path(frames, active).map(({ id }) => id));
  let child = frame;
  while (!onPath.has(child.id) && child.parent !== null && !onPath.has(child.parent))
    child = frameOf(frames, child.parent);
  return child;
}

const viewsOnPath = ({ frames, active, views }: State): readonly FrameView[] =>
  path(frames, active).flatMap(({ id }) => views.get(id) ?? []);

const humanItems = (view: FrameView | undefined): readonly HumanEntry[] =>
  (view?.items ?? []).filter(({ human }) => human).map(toHuman);

function isShown(state: State, n: number, entries: readonly HumanEntry[]): boolean {
  const working = state.views.get(state.active)?.items ?? [];
  return entries.some((human) => human.n === n) || working.some((item) => item.n === n);
}

function joined(one: OffloadedRange, other: OffloadedRange): OffloadedRange {
  const [first, last] = [one, other].sort((a, b) => ordinal(a.from) - ordinal(b.from));
  const to = ordinal(first!.to) > ordinal(last!.to) ? first!.to : last!.to;
  return { from: first!.from, to, entries: one.entries + other.entries };
}

function isOnPath(state: State, n: number): boolean {
  return viewsOnPath(state).some(
    ({ human, items }) => human.some((one) => one.n === n) || items.some((one) => one.n === n),
  );
}

/** Whether a unit of the active frame had all its results when entry `n` was said. */
function wasAnswered({ views, active, calls }: State, unit: number, n: number): boolean {
  const isLate = (item: WorkingItem): boolean =>
    item.unit === unit && (item.n > n || item.form === 'closing');
  const items = views.get(active)?.items ?? [];
  if (items.some(isLate)) return false;
  return !calls.some((call) => !call.closed && call.n === unit);
}
