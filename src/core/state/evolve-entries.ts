import { ordinal, type FrameId, type EntryId } from '../values/id.ts';
import type { EntryFact, Evolution, FactOf } from './fact.ts';
import { calibrationAfter } from './limit.ts';
import { withText, type State, type UnansweredCall } from './state.ts';
import {
  addItem,
  byTelling,
  emptyView,
  replaceItems,
  widen,
  withItems,
  type HumanEntry,
  type Quote,
  type WorkingItem,
  type FrameView,
} from './view.ts';
import type { Frame } from '../frames/frame.ts';
import { extendRuns } from '../frames/frame-ranges.ts';
import { change as changeFrames, frameOf } from '../frames/tree.ts';

// How the views of open frames follow from facts. A frame without a view is
// closed: it still takes the missing results of its open units into its log,
// and nothing of that is shown.

/** How many quotes a view keeps; the least telling go first. */
const mostQuotes = 240;

/** Quotes as a view keeps them, oldest first. */
export function boundQuotes(quotes: readonly Quote[]): readonly Quote[] {
  return [...quotes]
    .sort(byTelling)
    .slice(0, mostQuotes)
    .sort((a, b) => a.n - b.n || a.at - b.at);
}

/** How many closed calls are remembered, so that a late result finds its frame. */
const mostClosedCalls = 64;

/** The state with `change` made to the view of `frame`, if it has one. */
export function changeView(
  state: State,
  frame: FrameId,
  change: (view: FrameView) => FrameView,
): State {
  const view = state.views.get(frame);
  if (view === undefined) return state;
  return { ...state, views: new Map(state.views).set(frame, change(view)) };
}

/** The state with an empty view for `frame`. */
export function openView(state: State, frame: FrameId): State {
  return { ...state, views: new Map(state.views).set(frame, emptyView) };
}

/** How the state changes with facts about entries. */
export const entryEvolution: Evolution<EntryFact> = {
  'entry.appended': (state, fact) => withText(appendEntry(state, fact), fact.text),
  'entry.counted': countEntries,
  'entry.redacted': redactEntry,
  'entries.lost': (state, { to }) => ({ ...state, entryCount: ordinal(to) }),
  'losses.noted': (state) => state,
  'unit.closed': closeUnit,
  'entry.shortened': (state, fact) => withText(shortenEntry(state, fact), fact.text),
  'entry.restored': restoreEntries,
  'entry.cleared': clearEntries,
  'entry.offloaded': offload,
};

/** Takes an entry in. Every field by name: this runs at each append, and a spread with a dozen changes takes three times as long. */
function appendEntry(state: State, fact: FactOf<'entry.appended'>): State {
  const n = ordinal(fact.entry);
  const frame = frameOf(state.frames, fact.frame);
  const span = [frame.span?.[0] ?? n, n] as const;
  const changed = { ...frame, span, partial: extend(frame, fact.entry) };
  return {
    session: state.session,
    created: state.created,
    updated: state.updated,
    seq: state.seq,
    phase: state.phase,
    options: state.options,
    tools: state.tools,
    epoch: state.epoch,
    turn: state.turn + (fact.human ? 1 : 0),
    entryCount: n,
    tokens: state.tokens + fact.tokens,
    textCount: state.textCount,
    checkpointCount: state.checkpointCount,
    compressions: state.compressions,
    modelSummaries: state.modelSummaries,
    hash: fact.hash,
    frames: changeFrames(state.frames, [changed]),
    frameRanges: extendRuns(state.frameRanges, n, fact.frame),
    active: state.active,
    views: showEntry(state.views, fact),
    calls: nextCalls(state.calls, fact),
    newest: fact.human ? newestOf(fact) : state.newest,
    goal: state.goal,
    chronicle: state.chronicle,
    epochView: state.epochView,
    outbox: state.outbox,
    timers: state.timers,
    uncounted: fact.exact ? state.uncounted : [...state.uncounted, n],
    calibration: calibrationAfter(state, fact),
    pastCalibrations: state.pastCalibrations,
    documents: state.documents,
    timeline: state.timeline,
    losses: state.losses,
    ...(state.usage === undefined ? {} : { usage: state.usage }),
  };
}

/** The views with an appended entry at the end of its frame's. */
function showEntry(views: State['views'], fact: FactOf<'entry.appended'>): State['views'] {
  const view = views.get(fact.frame);
  if (view === undefined) return views;
  const plain = {
    n: ordinal(fact.entry),
    unit: fact.unit,
    role: fact.role,
    human: fact.human,
    form: fact.form,
    tokens: fact.tokens,
    shown: fact.shown,
    hash: fact.hash,
  };
  const item: WorkingItem =
    fact.text === undefined && fact.call === undefined
      ? plain
      : {
          ...plain,
          ...(fact.text === undefined ? {} : { text: fact.text }),
          ...(fact.call === undefined ? {} : { call: fact.call }),
        };
  return new Map(views).set(fact.frame, addItem(view, item));
}

/** Shows a made result for each call that will get none. */
function closeUnit(state: State, fact: FactOf<'unit.closed'>): State {
  const calls = new Set(fact.calls.map(({ id, n }) => `${n} ${id}`));
  const closed = state.calls.map((call) =>
    calls.has(`${call.n} ${call.id}`) ? { ...call, closed: true } : call,
  );
  const items = fact.calls.map(({ id, name, n, tokens }): WorkingItem => ({
    n,
    unit: n,
    role: 'tool',
    human: false,
    form: 'closing',
    tokens,
    shown: tokens,
    hash: '',
    call: id,
    name,
  }));
  return changeView({ ...state, calls: closed }, fact.frame, (view) =>
    withItems(view, [...view.items, ...items]),
  );
}

/** Replaces the byte bound of entries by their count. */
function countEntries(state: State, fact: FactOf<'entry.counted'>): State {
  const counts = new Map(fact.counts);
  const before = new Map<number, number>();
  const views = new Map(state.views);
  for (const [frame, view] of views) {
    if (!view.items.some((item) => counts.has(item.n))) continue;
    const items = view.items.map((item) => {
      const tokens = counts.get(item.n);
      if (tokens === undefined || item.form === 'closing') return item;
      before.set(item.n, item.tokens);
      return { ...item, tokens, shown: item.form === 'whole' ? tokens : item.shown };
    });
    views.set(frame, withItems(view, items));
  }
  let sum = state.tokens;
  for (const [n, tokens] of counts) sum += tokens - (before.get(n) ?? tokens);
  const newest = state.newest;
  const counted = newest === null ? undefined : counts.get(newest.n);
  return {
    ...state,
    views,
    tokens: sum,
    uncounted: state.uncounted.filter((n) => !counts.has(n)),
    newest:
      newest === null || counted === undefined
        ? newest
        : { ...newest, tokens: counted, shown: newest.text === undefined ? counted : newest.shown },
  };
}

/** Shows an entry whose text is gone whole, wherever it stands, and quotes nothing of it. */
function redactEntry(state: State, fact: FactOf<'entry.redacted'>): State {
  const n = ordinal(fact.entry);
  const { before, tokens, stray } = fact;
  const whole = <T extends HumanEntry>(human: T): T => {
    if (human.n !== n) return human;
    const { text: _, ...rest } = human;
    return { ...(rest as T), tokens, shown: tokens };
  };
  const asItStands = (item: WorkingItem): WorkingItem => {
    if (item.n !== n || item.form === 'closing') return item;
    // A result whose call was closed or unknown stands as text of the user.
    if (stray !== null && item.role === 'user')
      return { ...whole(item), form: 'stray', shown: stray };
    return { ...whole(item), form: 'whole' };
  };
  const views = new Map(
    [...state.views].map(([frame, view]) => {
      const quotes = view.quotes.filter((quote) => quote.n !== n);
      const human = view.human.map(whole);
      return [frame, withItems({ ...view, human, quotes }, view.items.map(asItStands))];
    }),
  );
  const newest = state.newest === null ? null : whole(state.newest);
  return { ...state, views, newest, tokens: state.tokens + tokens - before };
}

/** Puts head, tail and marker in place of a long entry. */
function shortenEntry(state: State, fact: FactOf<'entry.shortened'>): State {
  const n = ordinal(fact.entry);
  const patch = { form: 'short' as const, text: fact.text, shown: fact.tokens };
  const shorter = <T extends HumanEntry>(human: T): T =>
    human.n === n ? { ...human, text: fact.text, shown: fact.tokens } : human;
  const changed = changeView(state, fact.frame, (view) => ({
    ...replaceItems(view, new Map([[n, patch]])),
    human: view.human.map(shorter),
  }));
  return changed.newest === null ? changed : { ...changed, newest: shorter(changed.newest) };
}

/** Shows human entries whole again, wherever they stand. */
function restoreEntries(state: State, fact: FactOf<'entry.restored'>): State {
  const restored = new Set(fact.entries.map(ordinal));
  const whole = <T extends HumanEntry>(human: T): T => {
    if (!restored.has(human.n)) return human;
    const { text: _, ...rest } = human;
    return { ...(rest as T), shown: human.tokens };
  };
  const views = new Map(
    [...state.views].map(([frame, view]) => {
      const items = view.items.map((item) =>
        item.human && restored.has(item.n) ? { ...whole(item), form: 'whole' as const } : item,
      );
      return [frame, withItems({ ...view, human: view.human.map(whole) }, items)];
    }),
  );
  return { ...state, views, newest: state.newest === null ? null : whole(state.newest) };
}

/** Puts a marker in place of old tool results. */
function clearEntries(state: State, fact: FactOf<'entry.cleared'>): State {
  const changed = new Map(
    fact.entries.map(([n, tokens]) => [n, { form: 'cleared' as const, shown: tokens }]),
  );
  return changeView(state, fact.frame, (view) => replaceItems(view, changed));
}

/** Takes human entries out of the assembly; their directives stay. */
function offload(state: State, fact: FactOf<'entry.offloaded'>): State {
  const gone = new Set(fact.entries.map(ordinal));
  return changeView(state, fact.frame, (view) => ({
    ...withItems(
      view,
      view.items.filter((item) => !gone.has(item.n) || !item.human),
    ),
    human: view.human.filter(({ n }) => !gone.has(n)),
    quotes: boundQuotes([...view.quotes, ...fact.quotes]),
    offloaded: [...gone].reduce(widen, view.offloaded),
    stuckAt: 0,
  }));
}

function newestOf(fact: FactOf<'entry.appended'>): State['newest'] {
  const { entry, tokens, shown, frame, text } = fact;
  const newest = { n: ordinal(entry), tokens, shown, frame };
  return text === undefined ? newest : { ...newest, text };
}

/** A partial result stands for what joins its frame later, too. */
function extend({ partial }: Frame, entry: EntryId): Frame['partial'] {
  return partial === null ? null : { ...partial, to: entry };
}

function nextCalls(
  calls: readonly UnansweredCall[],
  fact: FactOf<'entry.appended'>,
): readonly UnansweredCall[] {
  if (fact.calls !== undefined) {
    const newCalls = fact.calls.map((call) => ({
      ...call,
      frame: fact.frame,
      n: ordinal(fact.entry),
      closed: false,
    }));
    const closed = calls.filter((call) => call.closed);
    const surplus = new Set(closed.slice(0, Math.max(0, closed.length - mostClosedCalls)));
    return [...calls.filter((call) => !surplus.has(call)), ...newCalls];
  }
  if (fact.call === undefined) return calls;
  const answered = calls.findIndex((call) => call.id === fact.call && call.n === fact.unit);
  return answered < 0 ? calls : calls.toSpliced(answered, 1);
}
