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
  raiseCheckpoint,
  restoreEntries,
  rewriteCheckpoint,
  shortenEntry,
  skipCompression,
  appendEntry,
} from './evolve-entries.ts';
import { initialState } from './initial-state.ts';
import { keep } from './document-schedule.ts';
import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import { ordinal } from '../values/id.ts';
import type { Fact } from './fact.ts';
import { addToLedger } from '../breadcrumbs/ledger.ts';
import type { Lifecycles } from '../frames/lifecycle.ts';
import { embedded } from '../budget/options.ts';
import type { EntityTally } from '../budget/reliability.ts';
import type { State, EpochView } from './state.ts';
import { addSnapshot, remember, restoredTimeline } from './evolve-timeline.ts';
import { uncalibrated, type Calibration } from '../budget/calibration.ts';
import type { Frame } from '../frames/frame.ts';
import type { Goal } from '../frames/goal.ts';
import { members, setAll, vectorOf } from '../values/persistent-vector.ts';
import type { JournalRecord } from './input.ts';

/** When a fact is folded, and by which lifecycles. */
export interface Folding {
  readonly at: number;
  readonly lifecycles: Lifecycles;
}

/** The state after a journal record; null before the first. */
export function fold(state: State | null, record: JournalRecord, lifecycles: Lifecycles): State {
  const { facts, seq, at } = record;
  let next = state;
  for (const fact of facts) next = evolve(next, fact, { at, lifecycles });
  return { ...next!, seq, updated: at };
}

/** The state after a fact; null before `session.created`, which is always the first. */
export function evolve(state: State | null, fact: Fact, { at, lifecycles }: Folding): State {
  return fact.type === 'session.created'
    ? initialState(fact, at, lifecycles)
    : remember(change(state!, fact, lifecycles), fact);
}

function change(
  state: State,
  fact: Exclude<Fact, { type: 'session.created' }>,
  lifecycles: Lifecycles,
): State {
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
      return withTexts(appendEntry(state, fact), fact.text);
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
      return withTexts(pushFrame(state, fact, lifecycles), fact.partial?.text);
    case 'frame.planned':
      return planFrame(state, fact, lifecycles);
    case 'frame.started':
      return withTexts(startFrame(state, fact, lifecycles), fact.partial?.text);
    case 'frame.edited':
      return editFrame(state, fact);
    case 'frame.popped':
      return withTexts(popFrame(forgetRecovered(state), fact, lifecycles), fact.results.text);
    case 'frame.invalidated':
      return invalidateFrame(state, fact, lifecycles);
    case 'frame.retried':
      return withTexts(retryFrame(state, fact, lifecycles), fact.partial?.text);
    case 'frame.described':
      return withTexts(describeFrame(state, fact), fact.text);
    case 'goal.set':
    case 'goal.updated':
      return { ...state, goal: fact.goal };
    case 'ledger.fed':
      return { ...state, ledger: addToLedger(state.ledger, fact.sightings) };
    case 'compression.moved':
      return changeView(state, fact.frame, (view) => ({ ...view, compression: fact.state }));
    case 'compression.skipped':
      return skipCompression(state, fact);
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
      return withTexts(
        withTexts(ageCheckpoint(state, fact), fact.text),
        fact.breadcrumbs?.texts.at(-1),
      );
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
      if (fact.rule !== 'coverage.broken') return state;
      return { ...state, watch: { ...state.watch, uncovered: fact.lost } };
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

function tallied(
  { facts: before, options }: State,
  fact: Extract<Fact, { type: 'compression.finished' }>,
): EntityTally {
  const { facts, kept, held, by } = fact;
  const isWritten = by === 'summarizer' && options.summarizer !== embedded;
  return {
    found: before.found + facts,
    kept: before.kept + kept,
    held: before.held + held,
    written: before.written + (isWritten ? 1 : 0),
  };
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

/** Takes options over, and the calibration of the model that they name. */
export function changeOptions(
  state: State,
  fact: Extract<Fact, { type: 'options.changed' }>,
): State {
  const { system, options } = fact;
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

/** The goal that an epoch shows, read from a record: the very goal of the state where they are alike, for that is how they are compared. */
export function shownGoal(shown: Goal | null, goal: Goal | null): Goal | null {
  return JSON.stringify(shown) === JSON.stringify(goal) ? goal : shown;
}

/** The state with what a restored one decided in place of what was; a new epoch shows it. */
export function adopt(state: State, fact: Extract<Fact, { type: 'state.restored' }>): State {
  const { phase, active, goal, newest, calls, left, cause, from } = fact;
  const frames = setAll(state.frames, new Map(fact.frames));
  const { length, frames: differing, ...rest } = fact.shown;
  const same = length === frames.length ? frames : vectorOf(members(frames).slice(0, length));
  const shown: EpochView = {
    goal: shownGoal(rest.goal, goal),
    frames: differing.length === 0 ? same : setAll(same, new Map(differing)),
    plan: rest.plan,
    sizes: rest.sizes,
    upTo: rest.upTo,
    newest: rest.newest,
    left: rest.left,
  };
  return {
    ...state,
    phase,
    epoch: state.epoch + 1,
    texts: Math.max(state.texts, ...fact.frames.map(([, frame]) => partialOf(frame))),
    frames,
    active,
    views: new Map(fact.views),
    calls,
    newest,
    goal,
    shown,
    timeline: restoredTimeline(state, { cause, left, from }),
  };
}

/** The number of the text of a partial result; 0 without one. */
function partialOf({ partial }: Frame): number {
  return partial === null ? 0 : ordinal(partial.text);
}
