import { compressionMachine } from '../../../machines/compression.ts';
import { recoveryMachine } from '../../../machines/recovery.ts';
import type { CompressionMemory } from '../../core/checkpoints/compression-state.ts';
import type { Frame } from '../../core/frames/frame.ts';
import type { PendingDocument } from '../../core/state/document-schedule.ts';
import type { Effect } from '../../core/state/effect.ts';
import type { Input, Recorded } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import type { RecoveryMemory } from '../../core/truncation/recovery.ts';
import type { FrameId } from '../../core/values/id.ts';
import { members } from '../../core/values/persistent-vector.ts';

// What an inspector is told of: which machine went where, and why. A step that is
// decided for one keeps its transitions, in the order they came. Those of machines
// that are driven are told by whoever drives them; all others with the facts that
// move them (`fact-moves.ts`). What is refused is told nowhere.

/** An event, and where it led a machine. */
export interface Move {
  /** `init` for one that begins; `done(port)` and `error(port)` for what its ports bring. */
  readonly event: { readonly type: string };
  /** Null for one that begins. */
  readonly from: string | null;
  readonly to: string;
  /** The ports that it asks. */
  readonly asked?: readonly string[];
  /** The types of what it emits. */
  readonly emitted?: readonly string[];
}

/** A machine that is driven, and what it knows. */
export type DrivenSubject =
  | {
      readonly machine: 'compression';
      readonly frame: FrameId;
      readonly memory: CompressionMemory;
    }
  | { readonly machine: 'recovery'; readonly memory: RecoveryMemory };

/** What moves, and what it knows after that. */
export type Subject =
  | DrivenSubject
  | { readonly machine: 'session'; readonly state: State }
  | { readonly machine: 'frame'; readonly frame: Frame }
  | { readonly machine: 'effect'; readonly key: string; readonly effect: Effect }
  | {
      readonly machine: 'timer';
      readonly key: string;
      readonly due: number;
      readonly frame: FrameId;
    }
  | { readonly machine: 'document'; readonly document: PendingDocument };

/** One move of one machine. */
export type Transition = Subject & Move;

/** A machine that begins in a state. */
export const begins = (subject: Subject, to: string): Transition => ({
  ...subject,
  event: { type: 'init' },
  from: null,
  to,
});

/** The state in which a driven machine begins and ends. */
export const idleStates = {
  compression: compressionMachine.config.initial as string,
  recovery: recoveryMachine.config.initial as string,
} as const;

/** The command that a step begins with, as an event of the session; none where all that it does is told behind it. */
export function commandOf(
  before: State | null,
  input: Input | Recorded,
  after: State,
): readonly Transition[] {
  if (before === null || input.type === 'restore') return [];
  const { phase } = before;
  return [{ machine: 'session', state: after, event: input, from: phase, to: phase }];
}

/** All that is there in a state, as if it began with it. */
export function standing(state: State): readonly Transition[] {
  const { phase, frames, views, losses, outbox, timers, documents } = state;
  const inTree = members(frames).filter(({ branch }) => branch === undefined);
  const { recovery } = losses;
  return [
    begins({ machine: 'session', state }, phase),
    ...inTree.map((frame) => begins({ machine: 'frame', frame }, frame.status)),
    ...[...views].flatMap(([frame, { compression }]) =>
      compression === null
        ? []
        : [
            begins(
              { machine: 'compression', frame, memory: compression.memory },
              compression.value,
            ),
          ],
    ),
    ...(recovery === null
      ? []
      : [begins({ machine: 'recovery', memory: recovery.memory }, recovery.value)]),
    ...[...outbox].map(([key, effect]) => begins({ machine: 'effect', key, effect }, 'pending')),
    ...[...timers].map(([key, timer]) => begins({ machine: 'timer', key, ...timer }, 'waiting')),
    ...documents.pending.map((document) => begins({ machine: 'document', document }, 'pending')),
  ];
}
