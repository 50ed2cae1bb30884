import { uncalibrated, type Calibration } from '../budget/calibration.ts';
import { lifted } from '../budget/ceiling.ts';
import type { Lifecycles } from '../frames/lifecycle.ts';
import { checkpointEvolution } from './evolve-checkpoints.ts';
import { entryEvolution } from './evolve-entries.ts';
import { frameEvolution } from './evolve-frames.ts';
import { forgetRecovered, recoveryEvolution } from './evolve-recovery.ts';
import { updateUndoSteps, timelineEvolution } from './evolve-timeline.ts';
import type {
  DocumentFact,
  EffectFact,
  Evolution,
  Fact,
  FactOf,
  GoalFact,
  SessionLifeFact,
  WindowFact,
} from './fact.ts';
import { documentId, openAround } from './document-schedule.ts';
import { withoutFaded } from '../chronicle/chronicle.ts';
import { initialState } from './initial-state.ts';
import type { JournalRecord } from './input.ts';
import { withText, type State } from './state.ts';

// The state is the fold of facts. Each kind of fact has a table of what its facts
// change; here are the tables together, and those of the kinds that need no file.

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
  if (fact.type === 'session.created') return initialState(fact, at, lifecycles);
  const change = evolution[fact.type] as (
    state: State,
    fact: Fact,
    lifecycles: Lifecycles,
  ) => State;
  return updateUndoSteps(change(state!, fact, lifecycles), fact);
}

const lifeEvolution: Evolution<Exclude<SessionLifeFact, FactOf<'session.created'>>> = {
  'session.moved': (state, { phase }) => ({ ...state, phase }),
  'machine.restarted': (state) => state,
  'session.rolledOver': forgetRecovered,
};

const windowEvolution: Evolution<WindowFact> = {
  'options.changed': changeOptions,
  'tools.changed': (state, { tools }) => ({
    ...state,
    tools,
    epochView: { ...state.epochView, sizes: { ...state.epochView.sizes, tools: tools.tokens } },
  }),
  'epoch.raised': beginEpoch,
  'assembly.sent': (state, { calibration, inputTokens, usage }) => {
    const learned = calibration === undefined ? state : { ...state, calibration };
    if (inputTokens === undefined && usage === undefined) return learned;
    return {
      ...learned,
      usage: { ...(inputTokens === undefined ? {} : { inputTokens }), ...usage },
    };
  },
};

const goalEvolution: Evolution<GoalFact> = {
  'goal.set': (state, { goal }) => ({ ...state, goal }),
  'goal.updated': (state, { goal }) => ({ ...state, goal }),
};

const documentEvolution: Evolution<DocumentFact> = {
  'documents.changed': (state, { isKept }) => ({
    ...state,
    documents: { ...state.documents, isKept },
  }),
  'document.requested': (state, { key, text, at, messages, list }) => {
    const { session, goal, frames, active, tokens, turn: turns, documents } = state;
    const around = openAround(frames, active);
    const id = documentId(session, key);
    const told = { id, messages, turns, tokens, goal, made: frames.length, frames: around, list };
    const pending = [...documents.pending, { key, text, at }];
    return withText({ ...state, documents: { ...documents, pending, told } }, text);
  },
  'document.written': withoutDocument,
  'document.failed': withoutDocument,
  'page.edited': (state) => state,
  'page.refused': (state) => state,
};

const effectEvolution: Evolution<EffectFact> = {
  'effect.requested': (state, { key, effect }) => ({
    ...state,
    outbox: new Map(state.outbox).set(key, effect),
  }),
  'effect.abandoned': (state) => state,
  'effect.ended': (state, { key }) => ({ ...state, outbox: without(state.outbox, key) }),
  'timer.set': (state, { key, due, frame }) => ({
    ...state,
    timers: new Map(state.timers).set(key, { due, frame }),
  }),
  'timer.ended': (state, { key }) => ({ ...state, timers: without(state.timers, key) }),
};

const evolution: Evolution<Exclude<Fact, FactOf<'session.created'>>> = {
  ...lifeEvolution,
  ...windowEvolution,
  ...entryEvolution,
  ...frameEvolution,
  ...goalEvolution,
  ...checkpointEvolution,
  ...recoveryEvolution,
  ...timelineEvolution,
  ...documentEvolution,
  ...effectEvolution,
};

/** Every type of fact. */
export const factNames: readonly string[] = ['session.created', ...Object.keys(evolution)];

/** Takes options over, and the calibration of the model that they name; what was refused in a smaller window is forgotten. */
function changeOptions(state: State, fact: FactOf<'options.changed'>): State {
  const { system, options } = fact;
  const sizes = { ...state.epochView.sizes, system };
  const changed = {
    ...changeModel(state, options.model),
    options,
    epochView: { ...state.epochView, sizes },
  };
  if (options.window <= state.options.window) return changed;
  return { ...changed, calibration: lifted(changed.calibration) };
}

/** What was learned of one model's counts says nothing of another's, and is there when it comes back. */
function changeModel(state: State, model: string | null): State {
  const { options, calibration } = state;
  if (model === options.model) return state;
  const pastCalibrations =
    options.model === null
      ? state.pastCalibrations
      : { ...state.pastCalibrations, [options.model]: calibration };
  const known =
    model !== null && Object.hasOwn(pastCalibrations, model) ? pastCalibrations[model] : undefined;
  return { ...state, pastCalibrations, calibration: known ?? guessAfter(calibration) };
}

/** What one model taught is a guess at the next: it is no stranger, but its own counts are still to come. */
function guessAfter({ samples, ratio }: Calibration): Calibration {
  return samples === 0 ? uncalibrated : { ...uncalibrated, ratio, answered: true };
}

/** Shows from here on what the state holds, laid out anew. */
function beginEpoch(state: State, { plan, sizes }: FactOf<'epoch.raised'>): State {
  const { goal, frames, entryCount: upTo, newest, timeline } = state;
  const epochView = { goal, frames, plan, sizes, upTo, newest, left: timeline.left };
  const standing = new Set(
    [...state.views.values()].flatMap(({ checkpoints }) =>
      checkpoints.flatMap(({ lines }) => lines),
    ),
  );
  const chronicle = withoutFaded(state.chronicle, {
    isOpen: (frame) => state.views.has(frame) || frame === state.active,
    standing,
    floor: plan.chronicle,
  });
  return {
    ...withText(state, plan.index ?? undefined),
    epoch: state.epoch + 1,
    epochView,
    chronicle,
  };
}

function withoutDocument(
  state: State,
  fact: FactOf<'document.written' | 'document.failed'>,
): State {
  const pending = state.documents.pending.filter(({ key }) => key !== fact.key);
  return { ...state, documents: { ...state.documents, pending } };
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  const less = new Map(map);
  less.delete(key);
  return less;
}
