import { limitIn, shareableIn, wholeIn } from '../state/limit.ts';
import type { Part } from '../values/parts.ts';
import type { Bodies } from '../messages/bodies.ts';
import { caps, indexCap, spareForFrames, type Sizes } from '../budget/budget.ts';
import { checkpointSection } from '../sections/checkpoint-section.ts';
import { bareGoal, goalDetails, goalSection } from '../sections/goal-section.ts';
import type { TextId } from '../values/id.ts';
import {
  chronicleLines,
  chronicleTitle,
  rankFiles,
  chronicleText,
  withIndex,
} from '../sections/chronicle-section.ts';
import {
  floorWithin,
  linesAbove,
  type ChronicleFloor,
  type KeptLine,
} from '../chronicle/chronicle.ts';
import { printIndex } from '../file-index/file-lines.ts';
import type { Ranking } from '../file-index/file-ranking.ts';
import { linesTokens } from '../lines/line.ts';
import {
  chosenQuotes,
  earlierTokens,
  frameNote,
  humanHead,
  humanTitle,
  quoteHead,
  quotesOf,
} from '../sections/human-section.ts';
import type { LayoutPlan, State } from '../state/state.ts';
import type { Quote } from '../state/view.ts';
import { overhead, type Count } from '../messages/token-count.ts';
import { fitTree, sectionTokens } from '../sections/fit-tree.ts';

// At the start of an epoch the sections before the entries are laid out anew:
// each takes what it needs up to its cap, and shrinks by whole members where it
// needs more. What was chosen is kept as a plan of a few numbers.

/** What a layout depends on beside the state. */
interface LayoutContext {
  readonly count: Count;
  readonly bodies: Bodies;
  /** Scales all caps but that of the goal. */
  readonly factor: number;
  /** Tokens of a quote. */
  readonly quoted: (quote: Quote) => number;
  /** Stores a text beside the log. */
  readonly write: (text: string) => TextId;
  readonly part: Part;
}

/** The plan that fits the sections of a state under their caps, and their sizes under it. */
export function layOut(state: State, context: LayoutContext): { plan: LayoutPlan; sizes: Sizes } {
  const { count, bodies, factor, part } = context;
  const whole = wholeIn(state);
  const cap = (share: number): number => Math.floor(share * whole * factor);

  const goal = part(() => fitGoal(state, factor, count));
  const human = part(() => fitHuman(state, cap(caps.human), context));
  const memory = cap(caps.human + caps.chronicle) - human.tokens;
  const beside = part(() => checkpointSection(state, state.newest, bodies));
  const chronicle = fitChronicle(
    state,
    { cap: memory, room: Math.floor(indexCap(whole) * factor), beside },
    context,
  );
  const spare = Math.max(0, memory - chronicle.tokens);
  const checkpoints = part(() => sectionTokens(beside, count));
  const usedTokens = goal.tokens + human.tokens + chronicle.tokens + checkpoints;
  const free = Math.floor(
    factor * spareForFrames(shareableIn(state), usedTokens + workingIn(state)),
  );
  const tree = part(() => fitTree(state, { cap: cap(caps.frames) + free, spare }, context));

  const plan: LayoutPlan = {
    factor,
    goal: goal.detail,
    ...tree.plan,
    chronicle: chronicle.floor,
    index: chronicle.index,
    quotes: human.quotes,
    ...(human.note > 0 && { note: human.note }),
  };
  const sizes: Sizes = {
    system: state.epochView.sizes.system,
    tools: state.tools.tokens,
    goal: goal.tokens,
    frames: tree.tokens,
    checkpoints,
    chronicle: chronicle.tokens,
    human: human.tokens,
  };
  return { plan, sizes };
}

/** The tokens of the entries of the active frame. */
const workingIn = ({ views, active }: State): number => views.get(active)?.tokens ?? 0;

/** The least that the goal of a state costs in an assembly, in tokens: where room is short its lists go. */
export function bareGoalTokens(state: State, count: Count): number {
  return fitGoal(state, 0, count).tokens;
}

/** The fullest detail within the cap; under factor 0, where nothing else can give, the bare goal at most. */
function fitGoal(state: State, factor: number, count: Count): { detail: number; tokens: number } {
  const cap = Math.floor(caps.goal * limitIn(state));
  for (let detail = factor === 0 ? bareGoal : 0; ; detail += 1) {
    const tokens = sectionTokens(goalSection(state.goal, detail), count);
    if (tokens <= cap || detail >= goalDetails - 1) return { detail, tokens };
  }
}

/**
 * The lines of the chronicle and the index of files that stay within the cap together, `beside` the
 * checkpoints. The index takes `room` at most, and leaves to the lines what it does not need.
 */
function fitChronicle(
  state: State,
  { cap, room, beside }: { readonly cap: number; readonly room: number; readonly beside: string },
  { count, bodies, factor, write, part }: LayoutContext,
): { floor: ChronicleFloor; index: TextId | null; tokens: number } {
  const { plan } = state.epochView;
  const all = part(() => chronicleLines(state));
  const fixed = overhead.message + part(() => count(chronicleTitle(state))) + 16;
  const rankedBeside = (lines: string): Ranking =>
    part(() => rankFiles(state, `${lines}\n${beside}`, part));
  const indexWithin = (ranking: Ranking, most: number): string =>
    part(() => printIndex(ranking, { room: Math.min(room, most), count }));
  const present = { present: plan.chronicle, now: state.compressions, part };
  const opens = state.checkpointCount > 0 && factor > 0;
  const textOfLines = (lines: readonly KeptLine[]): string =>
    part(() => chronicleText(state, bodies, { lines, opens, part }));
  const presentLines = part(() => linesAbove(all, plan.chronicle));
  const presentText = textOfLines(presentLines);
  const presentRanking = rankedBeside(presentText);
  const indexShown = indexWithin(presentRanking, cap / 2);
  const indexTokens = part(() => count(indexShown));
  const floor = floorWithin(all, cap - indexTokens - fixed, present);
  const isKept = floor === plan.chronicle;
  const lines = isKept ? presentLines : part(() => linesAbove(all, floor));
  const linesText = isKept ? presentText : textOfLines(lines);
  const ranking = isKept ? presentRanking : rankedBeside(linesText);
  const index = indexWithin(ranking, cap - fixed - part(() => linesTokens(lines)));
  const isSame = part(() => plan.index !== null && bodies.text(plan.index) === index);
  const text = part(() => withIndex(linesText, index));
  return {
    floor,
    index: index === '' ? null : isSame ? plan.index : write(index),
    tokens: tokensInParts(text, count, part),
  };
}

/** Least length of what is counted in one part, in UTF-16 units. */
const leastCounted = 1 << 15;

/** {@link sectionTokens} of lines, each item on its own: before a bullet no token goes on. */
function tokensInParts(text: string, count: Count, part: Part): number {
  if (text === '') return 0;
  let tokens = overhead.message;
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = text.indexOf('\n- ', start + leastCounted) + 1 || text.length;
    tokens += part(() => count(text.slice(start, end)));
  }
  return tokens;
}

/** The quotes that fit beside the human text that is shown whole, and the tokens of all of it. */
function fitHuman(
  state: State,
  cap: number,
  { count, bodies, quoted }: LayoutContext,
): { quotes: number; tokens: number; note: number } {
  const { newest, entryCount: upTo } = state;
  const note = sectionTokens(frameNote(state, state.frames, newest), count);
  const shownWith = (quotes: number): { tokens: number; isUntitled: boolean } => {
    const { earlier, newestTokens } = humanHead(state, { newest, upTo, quotes }, bodies);
    const tokens = newestTokens + note + (earlier === null ? 0 : earlierTokens(earlier, count));
    return { tokens, isUntitled: earlier === null };
  };
  const all = quotesOf(state);
  const bare = shownWith(0);
  const title = bare.isUntitled ? overhead.message + count(`${humanTitle}\n`) : 0;
  let remaining = cap - bare.tokens - title;
  let quotes = 0;
  const opened = new Set<number>();
  for (const quote of chosenQuotes(all, all.length, newest)) {
    remaining -= quoted(quote) + (opened.has(quote.n) ? 3 : count(quoteHead(quote.n)) + 3);
    if (remaining < 0) break;
    opened.add(quote.n);
    quotes += 1;
  }
  return { quotes, tokens: quotes === 0 ? bare.tokens : shownWith(quotes).tokens, note };
}
