import type { Certainty, Sizes } from '../budget/budget.ts';
import type { Calibration } from '../budget/calibration.ts';
import type { Usage } from '../messages/usage.ts';
import type { DocumentSchedule } from './document-schedule.ts';
import type { FrameTree } from '../frames/tree.ts';
import type { Goal } from '../frames/goal.ts';
import type { AbandonedBranch, Timeline } from './timeline.ts';
import { ordinal, type FrameId, type TextId } from '../values/id.ts';
import { noFloor, type Chronicle, type ChronicleFloor } from '../chronicle/chronicle.ts';
import type { Phase } from '../frames/lifecycle.ts';
import type { Options } from '../budget/options.ts';
import type { LossMonitor } from '../truncation/recovery.ts';
import type { FrameRanges } from '../frames/frame-ranges.ts';
import type { FrameView, HumanEntry } from './view.ts';
import type { Effect } from './effect.ts';
import type { Tools } from '../messages/tool-spec.ts';

/** A call whose result is awaited, or was given up. */
export interface UnansweredCall {
  readonly id: string;
  readonly name: string;
  readonly frame: FrameId;
  /** Position of the entry that makes the call. */
  readonly n: number;
  /** Whether its unit was closed without a result. */
  readonly closed: boolean;
}

/**
 * What the current epoch shows before the entries: goal and tree as they were
 * when it began, and how they are laid out. Everything else of it cannot change
 * within an epoch.
 */
export interface EpochView {
  readonly goal: Goal | null;
  readonly frames: FrameTree;
  readonly plan: LayoutPlan;
  readonly sizes: Sizes;
  /** The last entry when the epoch began. */
  readonly upTo: number;
  /** The newest human entry when the epoch began. */
  readonly newest: State['newest'];
  /** The branches that were left by then. */
  readonly left: readonly AbandonedBranch[];
}

/** Everything a session knows, as a value: the fold of its facts. */
export interface State {
  readonly session: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly updated: number;
  /** The last journal record. */
  readonly seq: number;
  readonly phase: Phase;
  readonly options: Options;
  readonly tools: Tools;
  readonly epoch: number;
  readonly turn: number;
  /** Entries in the log. */
  readonly entryCount: number;
  /** Sum of their tokens. */
  readonly tokens: number;
  /** Texts stored beside the log. */
  readonly textCount: number;
  /** Checkpoints made, those by merging among them. */
  readonly checkpointCount: number;
  /** Compressions that were committed. */
  readonly compressions: number;
  /** Those whose summary a model wrote. */
  readonly modelSummaries: number;
  /** Cumulative hash of the log. */
  readonly hash: string;
  readonly frames: FrameTree;
  /** Which entries lie in which frame. */
  readonly frameRanges: FrameRanges;
  readonly active: FrameId;
  /** Views of the open frames. */
  readonly views: ReadonlyMap<FrameId, FrameView>;
  /** Open calls and the last closed ones, oldest first. */
  readonly calls: readonly UnansweredCall[];
  /** The newest human entry, whatever its frame. */
  readonly newest: (HumanEntry & { readonly frame: FrameId }) | null;
  readonly goal: Goal | null;
  readonly chronicle: Chronicle;
  readonly epochView: EpochView;
  readonly outbox: ReadonlyMap<string, Effect>;
  readonly timers: ReadonlyMap<string, { readonly due: number; readonly frame: FrameId }>;
  /** Positions of entries known by their byte bound only. */
  readonly uncounted: readonly number[];
  /** What the reports of the model in use have taught. */
  readonly calibration: Calibration;
  /** The same of models that were used before, by name. */
  readonly pastCalibrations: Readonly<Record<string, Calibration>>;
  /** Its checkpoint documents. */
  readonly documents: DocumentSchedule;
  /** What can be gone back to, and what was left. */
  readonly timeline: Timeline;
  /** What is known of losses, and a recovery that waits. */
  readonly losses: LossMonitor;
  /** What a server counted last; left out before it did. */
  readonly usage?: Usage;
}

/** How sure the numbers of a state are. */
export function certainty(state: State): Certainty {
  if (state.uncounted.length > 0) return 'bound';
  const isMeasured = state.calibration.samples > 0 && state.options.model !== null;
  return isMeasured ? 'measured' : 'estimate';
}

/** How the made sections of an epoch are laid out: what was chosen by counting, so that showing them again needs no count. */
export interface LayoutPlan {
  /** What all caps but that of the goal were multiplied by, 0 to 1. */
  readonly factor: number;
  /** Detail of the goal, 0 the fullest. */
  readonly goal: number;
  /** Detail of the path from the root, 0 the fullest. */
  readonly path: number;
  /** Newest closed children with their results. */
  readonly full: number;
  /** Those of them whose results stand in full. */
  readonly whole: readonly FrameId[];
  /** Closed children after those, as one line each; the rest is a count. */
  readonly lines: number;
  /** Planned frames by title. */
  readonly planned: number;
  /** The first of those, with the brief of their criteria. */
  readonly plannedBrief: number;
  /** The first of these, with their criteria in full. */
  readonly plannedWhole: number;
  /** Which lines of the chronicle stand. */
  readonly chronicle: ChronicleFloor;
  /** The index of files as it was printed; null for none. */
  readonly index: TextId | null;
  /** Quotes of people who are shown in part, the most telling of each first. */
  readonly quotes: number;
  /** Tokens of the note that says what became of the frame of the newest human entry; left out where there is none. */
  readonly note?: number;
}

/** The plan of an epoch that shows nothing before its entries. */
export const noPlan: LayoutPlan = {
  factor: 1,
  goal: 0,
  path: 0,
  full: 0,
  whole: [],
  lines: 0,
  planned: 0,
  plannedBrief: 0,
  plannedWhole: 0,
  chronicle: noFloor,
  index: null,
  quotes: 0,
};

/** The state after a text of this id was stored; unchanged where it is known, or there is none. */
export function withText(state: State, text: string | undefined): State {
  if (text === undefined) return state;
  const n = ordinal(text);
  return n > state.textCount ? { ...state, textCount: n } : state;
}
