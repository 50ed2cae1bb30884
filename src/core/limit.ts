import { bounds, roomFor } from './calibration.ts';
import { shownHuman } from './human-section.ts';
import { leastRoom, type Options } from './options.ts';
import type { State } from './state.ts';

// How much of ours fits into what the model has. Without a model it is window
// less reserve; with one, what its server's counts make of that. Before the first
// of them nobody knows, so the limit is kept so low that even a model which counts
// 2.5 times as much has room: on what can be made shorter, for what cannot has to
// stand anyway. A model that answers and never says its count is given more.

/** What a model that has not reported yet may count for one token of ours: before its first answer, and after. */
const unreported = { first: bounds.most, later: 1.25 } as const;

/** What is left of the room whatever reports say: below it nothing could be sent, and nothing learned any more. */
const leastShare = 0.25;

/** Window less reserve, in tokens of the model. */
export function roomOf({ window, reserve }: Pick<Options, 'window' | 'reserve'>): number {
  return window - reserve;
}

/** The most that the next assembly may hold, in tokens of ours. */
export function limitIn(state: State): number {
  const { options, calibration, epoch } = state;
  const room = roomOf(options);
  if (options.model === null) return room;
  if (calibration.samples === 0) return Math.floor(unmeasured(state, room));
  const most = roomFor(calibration, room, epoch);
  return Math.floor(Math.min(room / bounds.least, Math.max(room * leastShare, most)));
}

/** The limit that says what is a giant: a margin is no reason to cut what people typed. */
export function limitOfGiants(state: State): number {
  const { options, calibration } = state;
  return calibration.samples === 0 ? roomOf(options) : limitIn(state);
}

function unmeasured(state: State, room: number): number {
  const { system, goal } = state.shown.sizes;
  const fixed = system + state.tools.tokens + goal;
  const rest = room - fixed;
  const { answered, ratio, surprise } = state.calibration;
  const wary = 1 + surprise;
  if (answered) return fixed + rest / (unreported.later * wary * Math.max(1, ratio));
  return Math.min(room, fixed + Math.max(rest / (unreported.first * wary), pinned(state)));
}

/** What has to stand whatever the margin, in tokens: what was said first and last, and a little around it. */
function pinned(state: State): number {
  const [first] = shownHuman(state);
  const { newest } = state;
  const other = first === undefined || first.n === newest?.n ? 0 : first.shown;
  return other + (newest?.shown ?? 0) + leastRoom;
}
