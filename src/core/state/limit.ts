import { roomFor, type Calibration } from '../budget/calibration.ts';
import { giantShare } from '../budget/budget.ts';
import { ceilingOf, lifted, raised } from '../budget/ceiling.ts';
import { bounds } from '../budget/line.ts';
import { leastRoom, type Options } from '../budget/options.ts';
import type { FactOf } from './fact.ts';
import type { State } from './state.ts';

// How much of ours fits into what the model has. Without a model it is window
// less reserve; with one, what its server's counts make of that. Before the first
// of them nobody knows, so the limit is kept so low that even a model which counts
// 2.5 times as much has room: on what can be made shorter, for what cannot has to
// stand anyway. A model that answers and never says its count is given more. What a
// server refused is above the limit until it counts a prompt that it answered.

/** What a model that has not reported yet may count for one token of ours: before its first answer, and after. */
const unreported = { first: bounds.most, later: 1.25 } as const;

/** What is left of the room whatever reports say: below it nothing could be sent, and nothing learned any more. */
const leastShare = 0.25;

/** Window less reserve, in tokens of the model. */
export function roomOf({ window, reserve }: Pick<Options, 'window' | 'reserve'>): number {
  return window - reserve;
}

/** The most that the next assembly may hold, in tokens of ours. */
export const limitIn = (state: State): number => limitOf(state, state.epoch);

/** What is shared out, in tokens: the limit without what stands as it is, system prompt and tool schemas. */
export const shareableIn = (state: State): number =>
  Math.max(0, limitIn(state) - state.epochView.sizes.system - state.tools.tokens);

/**
 * The whole that the caps of sections are shares of, in tokens: the limit, as long as what stands as it is takes little of it.
 * What it takes more comes from the sections as well as from the entries.
 */
export const wholeIn = (state: State): number =>
  Math.min(limitIn(state), Math.floor(overShareable * shareableIn(state)));

/** The most that the caps may be shares of, as a multiple of what is shared out. */
const overShareable = 7 / 6;

const limitOf = (state: State, epoch: number): number =>
  Math.min(refusedIn(state), countedLimit(state, epoch));

/** The least that a server refused, but so much that something can be worked with: of less, its length was hardly the cause. */
const refusedIn = ({ calibration, epochView, tools }: State): number =>
  Math.max(ceilingOf(calibration), epochView.sizes.system + tools.tokens + leastRoom);

/** The limit by what is known of the server's counts, whatever it refused. */
function countedLimit(state: State, epoch: number): number {
  const { options, calibration } = state;
  const room = roomOf(options);
  if (options.model === null) return room;
  if (calibration.samples === 0) return Math.floor(unmeasured(state, room));
  const most = roomFor(calibration, room, epoch);
  return Math.floor(Math.min(room / bounds.least, Math.max(room * leastShare, most)));
}

/** The limit that says what is a giant, now and in the epoch in which it will be shown: a margin is no reason to cut what people typed. */
export function limitForGiants(state: State): number {
  const { options, calibration, epoch } = state;
  if (calibration.samples === 0) return Math.min(refusedIn(state), roomOf(options));
  return Math.max(limitOf(state, epoch), limitOf(state, epoch + 1));
}

/** What a person said may take while nobody has answered it, as a share; no more than others while nobody knows how a model counts. */
export const askedShare = ({ options, calibration }: State): number =>
  options.model === null || calibration.samples > 0 ? 0.5 : giantShare;

/**
 * What is known of how a model counts, after an entry: a model that has answered once is not the stranger that it was, and has room for a little more than we thought;
 * where it did not answer before a person speaks again, what was refused is tried anew.
 */
export function calibrationAfter(
  { calibration, options, views, active }: State,
  { role, human }: FactOf<'entry.appended'>,
): Calibration {
  if (role === 'assistant') {
    const after = raised(calibration, options.window);
    return after.answered || options.model === null ? after : { ...after, answered: true };
  }
  const isAnswered = views.get(active)?.items.at(-1)?.role === 'assistant';
  return human && !isAnswered ? lifted(calibration) : calibration;
}

function unmeasured(state: State, room: number): number {
  const { system, goal } = state.epochView.sizes;
  const fixed = system + state.tools.tokens + goal;
  const rest = room - fixed;
  const { answered, ratio, surprise } = state.calibration;
  const wary = 1 + surprise;
  const margin = answered ? unreported.later * Math.max(1, ratio) : unreported.first;
  return Math.min(room, fixed + Math.max(rest / (margin * wary), pinned(state)));
}

/** What has to stand whatever the margin, in tokens: what was said first and last, the newest unit, and a little around them. */
function pinned({ views, active, newest }: State): number {
  const [root] = views.values();
  const first = root?.human[0] ?? root?.items.find(({ human }) => human);
  const items = views.get(active)?.items ?? [];
  const unit = items.at(-1)?.unit;
  const last = items.slice(items.findLastIndex((item) => item.unit !== unit) + 1);
  const stands = new Map([first, newest, ...last].map((one) => [one?.n, one?.shown ?? 0]));
  return [...stands.values()].reduce((sum, shown) => sum + shown, leastRoom);
}
