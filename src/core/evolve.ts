import { appendEntry } from './evolve-entry.ts';
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
} from './evolve-view.ts';
import { changeOptions } from './evolve-options.ts';
import { adopt } from './evolve-restored.ts';
import { initialState } from './initial-state.ts';
import { keep } from './diary.ts';
import type { Checkpoint } from './checkpoint.ts';
import { ordinal } from './id.ts';
import type { Fact } from './fact.ts';
import type { JournalRecord } from './journal.ts';
import { feed } from './ledger.ts';
import type { Lifecycles } from './lifecycle.ts';
import { embedded } from './options.ts';
import type { FactTally } from './reliability.ts';
import type { State } from './state.ts';
import { addSnapshot, remember } from './evolve-timeline.ts';

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
      return { ...state, ledger: feed(state.ledger, fact.sightings) };
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
): FactTally {
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
