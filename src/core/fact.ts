import type { Sizes } from './budget.ts';
import type { Calibration } from './calibration.ts';
import type { CompressionFact } from './compression-fact.ts';
import type { DiaryFact } from './diary.ts';
import type { EntryFact } from './entry-fact.ts';
import type { FrameFact } from './frame-fact.ts';
import type { Identity } from './frame.ts';
import type { Goal } from './goal.ts';
import type { FrameId } from './id.ts';
import type { Sighting } from './ledger.ts';
import type { Phase } from './lifecycle.ts';
import type { Options } from './options.ts';
import type { Plan } from './plan.ts';
import type { RecoveryFact } from './recovery-fact.ts';
import type { TimelineFact } from './timeline-fact.ts';
import type { Effect, Tools } from './phase.ts';

// Facts are past tense and sufficient: the state is their fold, so an old session
// opens under new rules. Messages are not in them, only their ids and counts.

/** What happened. */
export type Fact =
  | CompressionFact
  | DiaryFact
  | EntryFact
  | FrameFact
  | RecoveryFact
  | TimelineFact
  | {
      readonly type: 'session.created';
      readonly session: string;
      readonly options: Options;
      readonly system: number;
      readonly identity: Identity;
    }
  | { readonly type: 'session.moved'; readonly phase: Phase }
  | { readonly type: 'session.rolledOver'; readonly frame: FrameId }
  | { readonly type: 'options.changed'; readonly options: Options; readonly system: number }
  | { readonly type: 'tools.changed'; readonly tools: Tools }
  | {
      readonly type: 'assembly.sent';
      readonly assembly: string;
      readonly inputTokens?: number;
      /** What the server's count taught, if it was believed. */
      readonly calibration?: Calibration;
    }
  | { readonly type: 'goal.set'; readonly goal: Goal }
  /** By a marker in assistant text; shows at the next epoch. */
  | { readonly type: 'goal.updated'; readonly goal: Goal }
  | { readonly type: 'ledger.fed'; readonly sightings: readonly Sighting[] }
  | { readonly type: 'effect.requested'; readonly key: string; readonly effect: Effect }
  | { readonly type: 'effect.ended'; readonly key: string }
  | {
      readonly type: 'timer.set';
      readonly key: string;
      readonly due: number;
      readonly frame: FrameId;
    }
  | { readonly type: 'timer.ended'; readonly key: string }
  /** What the new epoch shows before the entries. */
  | { readonly type: 'epoch.raised'; readonly sizes: Sizes; readonly plan: Plan };
