import { uncalibrated } from '../budget/calibration.ts';
import { noDocuments } from './document-schedule.ts';
import { openView } from './evolve-entries.ts';
import type { Fact } from './fact.ts';
import { noTools } from '../messages/tool-spec.ts';
import { frameId } from '../values/id.ts';
import { emptyChronicle } from '../chronicle/chronicle.ts';
import { enteredStatus, type Lifecycles } from '../frames/lifecycle.ts';
import { noLosses } from '../truncation/recovery.ts';
import { noPlan, type State } from './state.ts';
import { freshTimeline } from './timeline.ts';
import { plant } from '../frames/tree.ts';
import { emptyVector } from '../values/persistent-vector.ts';

/** The state of a session that its first record creates. */
export function initialState(
  fact: Extract<Fact, { type: 'session.created' }>,
  at: number,
  lifecycles: Lifecycles,
): State {
  const frames = plant(fact.identity, enteredStatus(lifecycles));
  const state: State = {
    session: fact.session,
    created: at,
    updated: at,
    seq: 0,
    phase: lifecycles.session.initial,
    options: fact.options,
    tools: noTools,
    epoch: 0,
    turn: 0,
    entryCount: 0,
    tokens: 0,
    textCount: 0,
    checkpointCount: 0,
    compressions: 0,
    modelSummaries: 0,
    hash: '',
    frames,
    frameRanges: emptyVector(),
    active: frameId(0),
    views: new Map(),
    calls: [],
    newest: null,
    goal: null,
    chronicle: emptyChronicle,
    epochView: {
      goal: null,
      frames,
      plan: noPlan,
      sizes: {
        system: fact.system,
        tools: 0,
        goal: 0,
        frames: 0,
        checkpoints: 0,
        chronicle: 0,
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
    pastCalibrations: {},
    documents: noDocuments,
    timeline: freshTimeline,
    losses: noLosses,
  };
  return openView(state, frameId(0));
}
