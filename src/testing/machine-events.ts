import type { EventFromLogic, EventObject } from 'xstate';
import {
  frameMachine,
  sessionMachine,
  type compressionMachine,
  type recoveryMachine,
  type trackerMachine,
} from '../../machines/index.ts';
import type { CompressionRange } from '../core/checkpoints/compression-state.ts';
import type { RecoveredContext, Suspicion } from '../core/truncation/recovery.ts';
import { entryId, frameId } from '../core/values/id.ts';

// What can happen to each machine, for `xstate/graph`: its own events, and what its
// ports answer, by the names that XState gives to these.

const stretch: CompressionRange = {
  frame: frameId(0),
  from: entryId(1),
  to: entryId(10),
  entries: 10,
  tokens: 900,
};

const suspicion: Suspicion = { rule: 'count.fell', truncation: 'suspected', numbers: {}, lost: [] };

const context: RecoveredContext = {
  workingOn: 'the guard',
  lastCompleted: 'the reading',
  nextStep: 'the tests',
  open: [],
  files: [],
};

const measured = { due: true, working: 900, threshold: 800, stretch };

/** Events that lead through every state of a machine, by its id; to put into the `events` of a search of `xstate/graph`. */
export const machineEvents = {
  frame: ownEvents(frameMachine),
  session: ownEvents(sessionMachine),
  compression: [
    { type: 'compression.request', focus: '' },
    { type: 'compression.cancel' },
    { type: 'compression.fallback' },
    answer('measure', measured),
    answer('measure', { ...measured, due: false }),
    answer('measure', { ...measured, stretch: null }),
    answer('summarize', 'what was done'),
    answer('summarize', { refused: 'degenerate' }),
    rejection('summarize'),
    answer('pause', undefined),
    answer('commit', null),
  ],
  recovery: [
    { type: 'recovery.suspect', suspicion },
    { type: 'recovery.supply', context },
    { type: 'recovery.cancel' },
    answer('weigh', true),
    answer('weigh', false),
    answer('announce', null),
    answer('read', context),
    rejection('read'),
    answer('rebuild', true),
    answer('rebuild', false),
    answer('confirm', { right: true, recap: '' }),
    answer('confirm', { right: false, recap: '' }),
    answer('confirm', { right: false, recap: 'It was the login.' }),
    answer('recap', 'It was the login.'),
    answer('resume', null),
  ],
  // Without `tracker.turn`: turns are counted without a bound, and a search would never end.
  tracker: [
    { type: 'tracker.detect' },
    { type: 'tracker.claimed', issue: 'br-a1b' },
    { type: 'tracker.edited', path: 'src/guard.ts' },
    { type: 'tracker.committed', hash: 'a1b2c3d', subject: 'Add the guard' },
    { type: 'tracker.noted' },
    { type: 'tracker.compacting', done: ['the guard'], next: 'the tests' },
    { type: 'tracker.close', issue: 'br-a1b', reason: 'done' },
    { type: 'tracker.close', issue: 'br-c3d', reason: 'done' },
    answer('detect', null),
    answer('detect', { issue: null }),
    answer('detect', { issue: 'br-a1b' }),
    rejection('detect'),
    answer('close', true),
    answer('close', false),
    rejection('close'),
  ],
} as unknown as MachineEvents;

/** The events of each machine. */
export interface MachineEvents {
  readonly frame: EventFromLogic<typeof frameMachine>[];
  readonly session: EventFromLogic<typeof sessionMachine>[];
  readonly compression: EventFromLogic<typeof compressionMachine>[];
  readonly recovery: EventFromLogic<typeof recoveryMachine>[];
  readonly tracker: EventFromLogic<typeof trackerMachine>[];
}

/** The events of a machine that has no ports. */
function ownEvents({ events }: { readonly events: readonly string[] }): readonly EventObject[] {
  return events.map((type) => ({ type }));
}

/** What XState sends when a port has answered. */
function answer(port: string, output: unknown): EventObject {
  return { type: `xstate.done.actor.${port}`, output } as EventObject;
}

/** What XState sends when a port has rejected. */
function rejection(port: string): EventObject {
  const error = new Error('no answer');
  return { type: `xstate.error.actor.${port}`, error, actorId: port } as EventObject;
}
