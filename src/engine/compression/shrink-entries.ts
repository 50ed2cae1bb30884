import { askedShare, limitForGiants } from '../../core/state/limit.ts';
import { giantLimit } from '../../core/budget/budget.ts';
import { itemMessage } from '../../core/assembly/assembly.ts';
import { clearedMessage } from '../../core/assembly/cleared-message.ts';
import { entryId, type FrameId } from '../../core/values/id.ts';
import { truncateMessage } from '../../core/text/truncate-message.ts';
import type { State } from '../../core/state/state.ts';
import { isRoutine } from '../../core/assembly/routine.ts';
import { messageTokens } from '../../core/messages/token-count.ts';
import { isClearable, unitsOf, type WorkingItem } from '../../core/state/view.ts';
import { mapInParts } from '../../core/values/parts.ts';
import type { Draft } from '../step/draft.ts';

// Shorter forms of single entries: a giant, an entry above its limit, is shown as
// head, tail and marker; an old tool result is cleared to a marker alone.

/** Most tokens that one entry may take in the assembly; above it is a giant. */
function entryLimit(state: State): number {
  return giantLimit(limitForGiants(state), state.epochView.sizes);
}

/** {@link entryLimit} of what a person said and nobody has answered. */
export function askedLimit(state: State): number {
  return giantLimit(limitForGiants(state), state.epochView.sizes, askedShare(state));
}

/**
 * Shortens the giants of the active frame, and entries of its newest unit until
 * this takes at most `room` tokens; human entries only where they are giants, the one that
 * nobody has answered first to what such a one may take. Says whether anything became shorter.
 */
export function shortenGiants(draft: Draft, room: number): boolean {
  const frame = draft.state.active;
  const [limit, asked] = [entryLimit(draft.state), askedLimit(draft.state)];
  let progress = false;
  for (const item of itemsOf(draft, frame)) {
    const isAsked = item.human && item.n === draft.state.entryCount;
    const target = isAsked && item.shown > asked ? asked : limit;
    if (item.shown > target) progress = shortenItem(draft, { frame, item, target }) || progress;
  }
  const view = draft.state.views.get(frame);
  const newest = view === undefined ? undefined : unitsOf(view).at(-1);
  if (view === undefined || newest === undefined || newest.tokens <= room) return progress;
  return shortenTogether(draft, { frame, unit: view.items[newest.start]!.unit, room }) || progress;
}

/**
 * Shortens the entries of a unit until they take at most `room` tokens together. What cannot become
 * as short as its share leaves less for the others.
 */
function shortenTogether(
  draft: Draft,
  { frame, unit, room }: { frame: FrameId; unit: number; room: number },
): boolean {
  const fixed = new Set<number>();
  let progress = false;
  for (;;) {
    const items = itemsOf(draft, frame).filter((item) => item.unit === unit);
    const taken = items.reduce((sum, { n, shown }) => (fixed.has(n) ? sum + shown : sum), 0);
    const open = items.filter(({ n }) => !fixed.has(n));
    const target = evenShare(open, room - taken);
    const long = open.filter(({ shown, human }) => shown > target && !human);
    for (const item of long) progress = shortenItem(draft, { frame, item, target }) || progress;
    const sizes = new Map(itemsOf(draft, frame).map((item) => [item.n, item.shown]));
    const stuck = long.filter(({ n }) => sizes.get(n)! > target);
    if (stuck.length === 0) return progress;
    for (const { n } of stuck) fixed.add(n);
  }
}

/** The most tokens that each item may take so that all together take at most `room`. */
function evenShare(items: readonly WorkingItem[], room: number): number {
  let left = room;
  let count = items.length;
  for (const { shown } of items.toSorted((a, b) => a.shown - b.shown)) {
    if (shown > left / count) return Math.max(leastShown, Math.floor(left / count));
    left -= shown;
    count -= 1;
  }
  return Math.max(leastShown, room);
}

/** No entry is shortened below this many tokens; its marker alone takes some twenty. */
const leastShown = 32;

/** Shortens one item to `target` tokens; false if that makes it no shorter. */
export function shortenItem(
  draft: Draft,
  change: {
    frame: FrameId;
    item: Pick<WorkingItem, 'n' | 'role' | 'form' | 'shown' | 'tokens'>;
    target: number;
  },
): boolean {
  const { frame, item, target } = change;
  if (item.form === 'closing' || item.form === 'cleared') return false;
  const { shorter, tokens } = draft.part(() => {
    const message = draft.bodies.message(item.n);
    const form = item.role === 'user' && message.role === 'tool' ? 'stray' : 'whole';
    const whole = itemMessage({ ...item, form }, draft.bodies);
    const shorter = truncateMessage(whole, item.n, { target, count: draft.count });
    return { shorter, tokens: messageTokens(shorter, draft.count) };
  });
  if (tokens >= item.shown) return false;
  const text = draft.write(JSON.stringify(shorter));
  draft.record({ type: 'entry.shortened', frame, entry: entryId(item.n), text, tokens });
  return true;
}

/**
 * Puts markers in place of tool results of a frame, those that nobody reads first, then the oldest, until all its
 * entries take at most `room` tokens; the last of these keeps as much as there is room
 * for. Never in the newest unit. Says whether there were any.
 */
export function clearResults(
  draft: Draft,
  { frame, room }: { frame: FrameId; room: number },
): boolean {
  const items = itemsOf(draft, frame);
  const lastUnit = items.at(-1)?.unit;
  let left = items.reduce((sum, { shown }) => sum + shown, 0);
  const cleared: (readonly [n: number, tokens: number])[] = [];
  const recorded = draft.facts.length;
  const clearable = items.filter((item) => item.unit !== lastUnit && isClearable(item));
  for (const item of left <= room ? [] : routineFirst(draft, clearable)) {
    if (left <= room) break;
    const message = draft.bodies.message(item.n);
    const tokens = messageTokens(clearedMessage(item, message), draft.count);
    if (tokens >= item.shown) continue;
    const target = room - (left - item.shown);
    if (target >= leastKept && shortenItem(draft, { frame, item, target })) break;
    left -= item.shown - tokens;
    cleared.push([item.n, tokens]);
  }
  const entries = cleared.toSorted(([a], [b]) => a - b);
  if (entries.length > 0) draft.record({ type: 'entry.cleared', frame, entries });
  return draft.facts.length > recorded;
}

/** Items in their order, but first those whose result nobody reads. */
function routineFirst(draft: Draft, items: readonly WorkingItem[]): readonly WorkingItem[] {
  const isUnread = mapInParts(items, draft.part, ({ n }) => isRoutine(draft.bodies.message(n)));
  return [...items.filter((_, at) => isUnread[at]), ...items.filter((_, at) => !isUnread[at])];
}

/** Fewest tokens that a result keeps beside its marker; one with less is cleared. */
const leastKept = 100;

function itemsOf(draft: Draft, frame: FrameId): readonly WorkingItem[] {
  return draft.state.views.get(frame)?.items ?? [];
}
