import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import { ordinal, type FrameId, type EntryId } from '../values/id.ts';
import type { Fact } from './fact.ts';
import type { State, UnansweredCall } from './state.ts';
import {
  addItem,
  emptyView,
  released,
  replaceItems,
  toHuman,
  widen,
  withItems,
  type Human,
  type WorkingItem,
  type FrameView,
} from './view.ts';
import type { Calibration } from '../budget/calibration.ts';
import type { Frame } from '../frames/frame.ts';
import { extendRuns } from '../frames/frame-ranges.ts';
import { change as changeFrames, frameOf } from '../frames/tree.ts';

// How the views of open frames follow from facts. A frame without a view is
// closed: it still takes the missing results of its open units into its log,
// and nothing of that is shown.

type FactOf<Type extends Fact['type']> = Extract<Fact, { type: Type }>;

/** How many quotes a view keeps; the oldest go first, their entries stay behind its crumb. */
export const mostQuotes = 120;

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

/** The views with an appended entry at the end of its frame's. */
export function showEntry(views: State['views'], fact: FactOf<'entry.appended'>): State['views'] {
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
export function closeUnit(state: State, fact: FactOf<'unit.closed'>): State {
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
export function countEntries(state: State, fact: FactOf<'entry.counted'>): State {
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

/** Puts head, tail and marker in place of a long entry. */
export function shortenEntry(state: State, fact: FactOf<'entry.shortened'>): State {
  const n = ordinal(fact.entry);
  const patch = { form: 'short' as const, text: fact.text, shown: fact.tokens };
  const shorter = <T extends Human>(human: T): T =>
    human.n === n ? { ...human, text: fact.text, shown: fact.tokens } : human;
  const changed = changeView(state, fact.frame, (view) => ({
    ...replaceItems(view, new Map([[n, patch]])),
    human: view.human.map(shorter),
  }));
  return changed.newest === null ? changed : { ...changed, newest: shorter(changed.newest) };
}

/** Shows human entries whole again, wherever they stand. */
export function restoreEntries(state: State, fact: FactOf<'entry.restored'>): State {
  const restored = new Set(fact.entries.map(ordinal));
  const whole = <T extends Human>(human: T): T => {
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
export function clearEntries(state: State, fact: FactOf<'entry.cleared'>): State {
  const changed = new Map(
    fact.entries.map(([n, tokens]) => [n, { form: 'cleared' as const, shown: tokens }]),
  );
  return changeView(state, fact.frame, (view) => replaceItems(view, changed));
}

/** Takes human entries out of the assembly; their directives stay. */
export function offload(state: State, fact: FactOf<'entry.offloaded'>): State {
  const gone = new Set(fact.entries.map(ordinal));
  return changeView(state, fact.frame, (view) => ({
    ...withItems(
      view,
      view.items.filter((item) => !gone.has(item.n) || !item.human),
    ),
    human: view.human.filter(({ n }) => !gone.has(n)),
    quotes: [...view.quotes, ...fact.quotes].sort((a, b) => a.n - b.n).slice(-mostQuotes),
    offloaded: [...gone].reduce(widen, view.offloaded),
    stuckAt: 0,
  }));
}

/** Takes down what a compression that was due left out: what it would take is asked for again once the frame has grown, or what was gone back to no longer fits. */
export function skipCompression(state: State, fact: FactOf<'compression.skipped'>): State {
  return changeView(state, fact.frame, (view) =>
    fact.reason === 'gone back' ? { ...view, isHeld: true } : { ...view, stuckAt: view.tokens },
  );
}

/** Puts a new checkpoint in place of the entries it stands for. */
export function createCheckpoint(state: State, fact: FactOf<'checkpoint.created'>): State {
  const last = ordinal(fact.checkpoint.to);
  return changeView(state, fact.frame, (view) => {
    const gone = view.items.filter((item) => item.n <= last);
    const stays = view.items.filter((item) => item.n > last);
    return {
      ...withItems(released(view), stays),
      human: [...view.human, ...gone.filter(({ human }) => human).map(toHuman)],
      checkpoints: [...view.checkpoints, fact.checkpoint],
      stuckAt: 0,
    };
  });
}

/** Shortens one checkpoint; its finer versions stay among its sources. */
export function ageCheckpoint(state: State, fact: FactOf<'checkpoint.aged'>): State {
  return changeView(state, fact.frame, (view) => ({
    ...view,
    checkpoints: view.checkpoints.map((checkpoint) =>
      checkpoint.id === fact.checkpoint ? aged(checkpoint, fact) : checkpoint,
    ),
  }));
}

function aged(before: Checkpoint, fact: FactOf<'checkpoint.aged'>): Checkpoint {
  const { rewrite: _, ...checkpoint } = before;
  const { age, text, tokens, by, breadcrumbs = checkpoint.breadcrumbs } = fact;
  const sources = [...checkpoint.sources, checkpoint.text];
  const shorter = { ...checkpoint, age, text, tokens, sources, by: by ?? checkpoint.by };
  const older = breadcrumbs === undefined ? shorter : { ...shorter, breadcrumbs };
  if (age === checkpoint.age) return older;
  const { age: was, text: finer, tokens: more, by: writer } = checkpoint;
  const version = { age: was, text: finer, tokens: more, by: writer };
  return { ...older, finer: [...(checkpoint.finer ?? []), version] };
}

/** Shows a finer version of a checkpoint again. */
export function raiseCheckpoint(state: State, fact: FactOf<'checkpoint.raised'>): State {
  return changeView(state, fact.frame, (view) => ({
    ...view,
    checkpoints: view.checkpoints.map((checkpoint) =>
      checkpoint.id === fact.checkpoint ? raised(checkpoint, fact) : checkpoint,
    ),
  }));
}

function raised(before: Checkpoint, fact: FactOf<'checkpoint.raised'>): Checkpoint {
  const { rewrite: _, finer = [], ...checkpoint } = before;
  const { age, text, tokens, by } = fact;
  const known = checkpoint.sources.indexOf(text);
  const sources = known < 0 ? checkpoint.sources : checkpoint.sources.slice(0, known);
  const left = finer.slice(0, -1);
  const rest = left.length === 0 ? {} : { finer: left };
  return { ...checkpoint, age, text, tokens, by, sources, ...rest };
}

/** Keeps a model's version of a checkpoint until the next epoch. */
export function rewriteCheckpoint(state: State, fact: FactOf<'checkpoint.rewritten'>): State {
  return changeView(state, fact.frame, (view) => ({
    ...view,
    checkpoints: view.checkpoints.map((checkpoint) =>
      checkpoint.id === fact.checkpoint ? { ...checkpoint, rewrite: fact.rewrite } : checkpoint,
    ),
  }));
}

/** Puts one checkpoint in place of several. */
export function mergeCheckpoints(state: State, fact: FactOf<'checkpoint.merged'>): State {
  const gone = new Set(fact.merged);
  return changeView(state, fact.frame, (view) => {
    const first = view.checkpoints.findIndex(({ id }) => gone.has(id));
    const kept = view.checkpoints.filter(({ id }) => !gone.has(id));
    return { ...view, checkpoints: kept.toSpliced(Math.max(0, first), 0, fact.into) };
  });
}

/** How many closed calls are remembered, so that a late result finds its frame. */
const mostClosedCalls = 64;

/** Takes an entry in. Every field by name: this runs at each append, and a spread with a dozen changes takes three times as long. */
export function appendEntry(state: State, fact: Extract<Fact, { type: 'entry.appended' }>): State {
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
    entries: n,
    tokens: state.tokens + fact.tokens,
    texts: state.texts,
    checkpoints: state.checkpoints,
    compressions: state.compressions,
    facts: state.facts,
    hash: fact.hash,
    frames: changeFrames(state.frames, [changed]),
    runs: extendRuns(state.runs, n, fact.frame),
    active: state.active,
    views: showEntry(state.views, fact),
    calls: nextCalls(state.calls, fact),
    newest: fact.human ? newestOf(fact) : state.newest,
    goal: state.goal,
    ledger: state.ledger,
    shown: state.shown,
    outbox: state.outbox,
    timers: state.timers,
    uncounted: fact.exact ? state.uncounted : [...state.uncounted, n],
    calibration: fact.role === 'assistant' ? afterAnswer(state) : state.calibration,
    shelf: state.shelf,
    diary: state.diary,
    timeline: state.timeline,
    watch: state.watch,
  };
}

/** A model that has answered once is not the stranger that it was. */
function afterAnswer({ calibration, options }: State): Calibration {
  if (calibration.answered || options.model === null) return calibration;
  return { ...calibration, answered: true };
}

function newestOf(fact: Extract<Fact, { type: 'entry.appended' }>): State['newest'] {
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
  fact: Extract<Fact, { type: 'entry.appended' }>,
): readonly UnansweredCall[] {
  if (fact.calls !== undefined) {
    const made = fact.calls.map((call) => ({
      ...call,
      frame: fact.frame,
      n: ordinal(fact.entry),
      closed: false,
    }));
    const closed = calls.filter((call) => call.closed);
    const surplus = new Set(closed.slice(0, Math.max(0, closed.length - mostClosedCalls)));
    return [...calls.filter((call) => !surplus.has(call)), ...made];
  }
  if (fact.call === undefined) return calls;
  const answered = calls.findIndex((call) => call.id === fact.call && call.n === fact.unit);
  return answered < 0 ? calls : calls.toSpliced(answered, 1);
}
