import {
  describeFrame,
  editFrame,
  invalidateFrame,
  planFrame,
  popFrame,
  pushFrame,
  retryFrame,
  startFrame,
} from './evolve-frames.ts';
import {
  ageCheckpoint,
  changeView,
  clearEntries,
  closeUnit,
  countEntries,
  createCheckpoint,
  mergeCheckpoints,
  offload,
  openView,
  raiseCheckpoint,
  restoreEntries,
  rewriteCheckpoint,
  shortenEntry,
  showEntry,
} from './evolve-view.ts';
import { uncalibrated, type Calibration } from './calibration.ts';
import { adopt } from './evolve-restored.ts';
import { addSnapshot, freshTimeline, remember } from './timeline.ts';
import { keep, noDiary } from './diary.ts';
import type { Checkpoint } from './checkpoint.ts';
import { frameId, ordinal, type EntryId } from './id.ts';
import type { Fact } from './fact.ts';
import type { JournalRecord } from './journal.ts';
import { emptyLedger, feed } from './ledger.ts';
import { completeOptions, embedded } from './options.ts';
import { noPlan } from './plan.ts';
import { calm } from './recovery.ts';
import { noFacts, type FactTally } from './reliability.ts';
import { extendRuns } from './run.ts';
import type { Call, State } from './state.ts';
import type { Frame } from './frame.ts';
import { change as changeFrames, frameOf, plant } from './tree.ts';
import { emptyVector } from './vector.ts';

/** How many closed calls are remembered, so that a late result finds its frame. */
const mostClosedCalls = 64;

/** The state of a session that its first record creates. */
function initialState(fact: Extract<Fact, { type: 'session.created' }>, at: number): State {
  const frames = plant(fact.identity);
  const state: State = {
    session: fact.session,
    created: at,
    updated: at,
    seq: 0,
    phase: 'open',
    options: completeOptions(fact.options),
    tools: { digest: '', tokens: 0 },
    epoch: 0,
    turn: 0,
    entries: 0,
    tokens: 0,
    texts: 0,
    checkpoints: 0,
    compressions: 0,
    facts: noFacts,
    hash: '',
    frames,
    runs: emptyVector(),
    active: frameId(0),
    views: new Map(),
    calls: [],
    newest: null,
    goal: null,
    ledger: emptyLedger,
    shown: {
      goal: null,
      frames,
      plan: noPlan,
      sizes: {
        system: fact.system,
        tools: 0,
        goal: 0,
        frames: 0,
        checkpoints: 0,
        ledger: 0,
        human: 0,
      },
      upTo: 0,
      newest: null,
      left: [],
    },
    outbox: new Map(),
    timers: new Map(),
    uncounted: [],
    calibration: uncalibrated,
    shelf: {},
    diary: noDiary,
    timeline: freshTimeline,
    watch: calm,
  };
  return openView(state, frameId(0));
}

/** The state after a journal record; null before the first. */
export function fold(state: State | null, record: JournalRecord): State {
  let next = state;
  for (const fact of record.facts) next = evolve(next, fact, record.at);
  return { ...next!, seq: record.seq, updated: record.at };
}

/** The state after a fact, told at `at`; null before `session.created`, which is always the first. */
export function evolve(state: State | null, fact: Fact, at: number): State {
  return fact.type === 'session.created'
    ? initialState(fact, at)
    : remember(change(state!, fact), fact);
}

function change(state: State, fact: Exclude<Fact, { type: 'session.created' }>): State {
  switch (fact.type) {
    case 'session.moved':
      return { ...state, phase: fact.phase };
    case 'session.rolledOver':
      return forgetRecovered(state);
    case 'options.changed':
      return changeOptions(state, fact);
    case 'tools.changed':
      return {
        ...state,
        tools: fact.tools,
        shown: { ...state.shown, sizes: { ...state.shown.sizes, tools: fact.tools.tokens } },
      };
    case 'entry.appended':
      return appendEntry(state, fact);
    case 'entry.counted':
      return countEntries(state, fact);
    case 'unit.closed':
      return closeUnit(state, fact);
    case 'entry.shortened':
      return withTexts(shortenEntry(state, fact), fact.text);
    case 'entry.restored':
      return restoreEntries(state, fact);
    case 'entry.cleared':
      return clearEntries(state, fact);
    case 'entry.offloaded':
      return offload(state, fact);
    case 'assembly.sent':
      return fact.calibration === undefined ? state : { ...state, calibration: fact.calibration };
    case 'frame.pushed':
      return withTexts(pushFrame(state, fact), fact.partial?.text);
    case 'frame.planned':
      return planFrame(state, fact);
    case 'frame.started':
      return withTexts(startFrame(state, fact), fact.partial?.text);
    case 'frame.edited':
      return editFrame(state, fact);
    case 'frame.popped':
      return withTexts(popFrame(forgetRecovered(state), fact), fact.results.text);
    case 'frame.invalidated':
      return invalidateFrame(state, fact);
    case 'frame.retried':
      return withTexts(retryFrame(state, fact), fact.partial?.text);
    case 'frame.described':
      return withTexts(describeFrame(state, fact), fact.text);
    case 'goal.set':
    case 'goal.updated':
      return { ...state, goal: fact.goal };
    case 'ledger.fed':
      return { ...state, ledger: feed(state.ledger, fact.sightings) };
    case 'compression.moved':
      return changeView(state, fact.frame, (view) => ({ ...view, compression: fact.state }));
    case 'compression.skipped':
      return changeView(state, fact.frame, (view) => ({ ...view, stuckAt: view.tokens }));
    case 'compression.finished':
      return {
        ...state,
        compressions: state.compressions + 1,
        facts: tallied(state, fact),
      };
    case 'compression.started':
    case 'compression.failed':
    case 'compression.refused':
    case 'compression.cancelled':
      return state;
    case 'checkpoint.created':
      return {
        ...withTexts(createCheckpoint(forgetRecovered(state), fact), textsOf(fact.checkpoint)),
        checkpoints: Math.max(state.checkpoints, ordinal(fact.checkpoint.id)),
      };
    case 'checkpoint.aged':
      return withTexts(ageCheckpoint(state, fact), fact.text);
    case 'checkpoint.raised':
      return withTexts(raiseCheckpoint(state, fact), fact.text);
    case 'checkpoint.rewritten':
      return withTexts(rewriteCheckpoint(state, fact), fact.rewrite.text);
    case 'checkpoint.merged':
      return {
        ...withTexts(mergeCheckpoints(state, fact), textsOf(fact.into)),
        checkpoints: Math.max(state.checkpoints, ordinal(fact.into.id)),
      };
    case 'breadcrumbs.many':
      return state;
    case 'document.requested':
      return withTexts({ ...state, diary: keep(state.diary, fact) }, fact.text);
    case 'documents.changed':
    case 'document.written':
    case 'document.failed':
      return { ...state, diary: keep(state.diary, fact) };
    case 'effect.requested':
      return { ...state, outbox: new Map(state.outbox).set(fact.key, fact.effect) };
    case 'effect.ended':
      return { ...state, outbox: without(state.outbox, fact.key) };
    case 'timer.set':
      return {
        ...state,
        timers: new Map(state.timers).set(fact.key, { due: fact.due, frame: fact.frame }),
      };
    case 'timer.ended':
      return { ...state, timers: without(state.timers, fact.key) };
    case 'truncation.suspected':
    case 'recovery.announced':
    case 'recovery.cancelled':
      return state;
    case 'history.compared':
      return { ...state, watch: { ...state.watch, host: fact.host } };
    case 'history.counted':
      return { ...state, watch: { ...state.watch, messages: fact.messages } };
    case 'recovery.moved':
      return { ...state, watch: { ...state.watch, recovery: fact.state } };
    case 'session.recovered': {
      const recovered = { text: fact.text, tokens: fact.tokens, entries: state.entries };
      return withTexts({ ...state, watch: { ...state.watch, recovered } }, fact.text);
    }
    case 'snapshot.created':
      return { ...state, timeline: addSnapshot(state.timeline, fact.snapshot) };
    case 'snapshot.deleted': {
      const snapshots = state.timeline.snapshots.filter(({ id }) => id !== fact.snapshot);
      return { ...state, timeline: { ...state.timeline, snapshots } };
    }
    case 'snapshot.restored':
      return state;
    case 'state.restored':
      return adopt(state, fact);
    case 'epoch.raised':
      return {
        ...withTexts(state, fact.plan.ledger.at(-1)?.text),
        epoch: state.epoch + 1,
        shown: {
          goal: state.goal,
          frames: state.frames,
          plan: fact.plan,
          sizes: fact.sizes,
          upTo: state.entries,
          newest: state.newest,
          left: state.timeline.left,
        },
      };
  }
}

/** What was recovered gives way to the checkpoint or the results that come after it, once something was said since. */
function forgetRecovered(state: State): State {
  const { watch, entries } = state;
  if (watch.recovered === null || watch.recovered.entries === entries) return state;
  return { ...state, watch: { ...watch, recovered: null } };
}

function changeOptions(state: State, fact: Extract<Fact, { type: 'options.changed' }>): State {
  const { system } = fact;
  const options = completeOptions(fact.options);
  const sizes = { ...state.shown.sizes, system };
  return { ...changeModel(state, options.model), options, shown: { ...state.shown, sizes } };
}

/** What was learned of one model's counts says nothing of another's, and is there when it comes back. */
function changeModel(state: State, model: string | null): State {
  const { options, calibration } = state;
  if (model === options.model) return state;
  const shelf =
    options.model === null ? state.shelf : { ...state.shelf, [options.model]: calibration };
  const known = model !== null && Object.hasOwn(shelf, model) ? shelf[model] : undefined;
  return { ...state, shelf, calibration: known ?? guessAfter(calibration) };
}

/** What one model taught is a guess at the next: it is no stranger, but its own counts are still to come. */
function guessAfter({ samples, ratio }: Calibration): Calibration {
  return samples === 0 ? uncalibrated : { ...uncalibrated, ratio, answered: true };
}

/** A model that has answered once is not the stranger that it was. */
function afterAnswer({ calibration, options }: State): Calibration {
  if (calibration.answered || options.model === null) return calibration;
  return { ...calibration, answered: true };
}

/** Every field by name: this runs at each append, and a spread with a dozen changes takes three times as long. */
function appendEntry(state: State, fact: Extract<Fact, { type: 'entry.appended' }>): State {
  const n = ordinal(fact.entry);
  const frame = frameOf(state.frames, fact.frame);
  const span = [frame.span?.[0] ?? n, n] as const;
  const changed = { ...frame, span, partial: extend(frame, fact.entry) };
  const next: State = {
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
  return withTexts(next, fact.text);
}

function tallied(
  { facts: before, options }: State,
  fact: Extract<Fact, { type: 'compression.finished' }>,
): FactTally {
  const { facts, kept, held, by } = fact;
  if (held === undefined) return before;
  const isWritten = by === 'summarizer' && options.summarizer !== embedded;
  return {
    found: before.found + facts,
    kept: before.kept + kept,
    held: before.held + held,
    written: before.written + (isWritten ? 1 : 0),
  };
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
  calls: readonly Call[],
  fact: Extract<Fact, { type: 'entry.appended' }>,
): readonly Call[] {
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

/** The newest text of a checkpoint. */
function textsOf({ text, breadcrumbs }: Checkpoint): string {
  const last = breadcrumbs?.texts.at(-1) ?? text;
  return ordinal(last) > ordinal(text) ? last : text;
}

function withTexts(state: State, text: string | undefined): State {
  if (text === undefined) return state;
  const n = ordinal(text);
  return n > state.texts ? { ...state, texts: n } : state;
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  const less = new Map(map);
  less.delete(key);
  return less;
}
