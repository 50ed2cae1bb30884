import { limitIn } from '../../core/state/limit.ts';
import { caps, factors, leastUsefulFactor, workingMost } from '../../core/budget/budget.ts';
import { quotesIn } from '../../core/text/quotes.ts';
import { olderHuman, quoted as quotedText, quotesOf } from '../../core/assembly/human-section.ts';
import { entryId, type FrameId } from '../../core/values/id.ts';
import { layOut } from '../../core/assembly/layout.ts';
import { machineText, personText } from '../../core/messages/message.ts';
import type { Count } from '../../core/messages/token-count.ts';
import { allowance } from '../../core/assembly/select-entries.ts';
import type { State } from '../../core/state/state.ts';
import type { HumanEntry, Quote } from '../../core/state/view.ts';
import { limitHuman } from './human-limit.ts';
import { foldLines } from './fold-lines.ts';
import type { Draft } from '../step/draft.ts';
import { measure } from '../step/measure.ts';
import { showRewrites } from './model-rewrites.ts';

// An epoch begins with all sections before the entries laid out anew. How large
// they may be is one factor for all caps: the largest that leaves enough room for
// the working part. Each factor is tried on a fork of the draft.

/** As `share`, asks for the smallest factor of all. */
export const smallestFactor = 0;

/**
 * Begins a new epoch under the largest factor that leaves the working part at or
 * below `share` of what is available (1: it need only fit) and the total below
 * `below` tokens. Where no useful factor does, the largest that leaves it below the
 * trigger is taken, or one that fits, the same without `below`, and at last the
 * smallest of all: entries that arrived meanwhile should not starve the sections.
 * Human text beyond its cap is offloaded.
 */
export function beginEpoch(draft: Draft, share: number, below = Number.POSITIVE_INFINITY): void {
  limitHuman(draft);
  showRewrites(draft);
  const trialUnder = epochTrials(draft);
  const near = Math.max(share, workingMost(draft.state.options));
  const { factor: planned } = allowance(draft.state, draft.state.active);
  const useful = Math.min(planned, leastUsefulFactor);
  const goals = (share === smallestFactor ? [] : [below, Number.POSITIVE_INFINITY]).flatMap(
    (ceiling) => [
      { ceiling, most: share, least: useful },
      { ceiling, most: near, least: useful },
      { ceiling, most: near, least: 0 },
      { ceiling, most: 1, least: 0 },
    ],
  );
  for (const { ceiling, most, least } of goals)
    for (const factor of factors) {
      if (factor < least) break;
      const trial = trialUnder(factor);
      const { human, working, available, total, limit } = measure(trial.state);
      if (human + working > most * available || total > limit || total >= ceiling) continue;
      draft.adopt(trial);
      return;
    }
  draft.adopt(trialUnder(factors.at(-1)!));
}

/** Begins a new epoch of at most `most` tokens under the largest factor that allows it; none where no factor does. */
export function beginEpochWithin(draft: Draft, most: number): void {
  limitHuman(draft);
  const trialUnder = epochTrials(draft);
  for (const factor of factors) {
    const trial = trialUnder(factor);
    const { total, limit } = measure(trial.state);
    if (total > Math.min(most, limit)) continue;
    draft.adopt(trial);
    return;
  }
}

/** The epoch that would begin under a factor, however large the working part is, as a fork of the draft. */
export const epochUnder = (draft: Draft, factor: number): Draft => epochTrials(draft)(factor);

/** The epoch that would begin under a factor, as a fork of the draft; each is laid out at most once. */
function epochTrials(draft: Draft): (factor: number) => Draft {
  const trials = new Map<number, Draft>();
  const count = rememberedCount(draft.count);
  const quoted = (quote: Quote): number => count(quotedText(quote));
  return (factor) => {
    const known = trials.get(factor);
    if (known !== undefined) return known;
    const trial = draft.fork();
    offloadAboveCap(trial, factor, quoted);
    const laidOut = () =>
      layOut(trial.state, {
        count,
        bodies: trial.bodies,
        factor,
        quoted,
        write: (text) => trial.write(text),
      });
    const first = laidOut();
    // The chronicle is written anew, which is the time to tell it shorter.
    const isWritten = first.plan.chronicle !== draft.state.shown.plan.chronicle;
    const { plan, sizes } = isWritten && foldLines(trial) ? laidOut() : first;
    trial.record({ type: 'epoch.raised', sizes, plan });
    trials.set(factor, trial);
    return trial;
  };
}

/** A counter that remembers what it counted: the same sections are laid out under several factors. */
function rememberedCount(count: Count): Count {
  const known = new Map<string, number>();
  return (text) => {
    const tokens = known.get(text) ?? count(text);
    known.set(text, tokens);
    return tokens;
  };
}

/**
 * Shows human entries in part, long and old ones first, but neither the first shown nor the latest,
 * where human text exceeds its cap. Goes on until there is some room to spare: it moves all that
 * comes after, so it should not happen in every epoch.
 */
function offloadAboveCap(draft: Draft, factor: number, quoted: (quote: Quote) => number): void {
  const { state } = draft;
  const cap = caps.human * limitIn(state) * factor;
  const older = olderHuman(state, state.newest).map((entry) => withoutMachine(draft, entry));
  const quotes = quotesOf(state).reduce((sum, quote) => sum + quoted(quote) + 1, 0);
  const inPart = Math.min(quotes, cap * quotedShare);
  let shown = older.reduce((sum, entry) => sum + entry.shown, 0);
  if (shown + inPart <= cap) return;
  const gone: HumanEntry[] = [];
  for (const { entry } of byLengthAndAge(older.slice(1))) {
    if (shown + Math.max(inPart, cap * quotedShare) <= cap) break;
    if (entry.n === state.newest?.n) continue;
    shown -= entry.shown;
    gone.push(entry);
  }
  offloadHuman(draft, gone);
}

/** A human entry at what it costs without what a runtime put into it. */
function withoutMachine({ bodies, count }: Draft, entry: HumanEntry): HumanEntry {
  const message = bodies.message(entry.n);
  if (message.role !== 'user' || machineText(message) === '') return entry;
  return { ...entry, shown: Math.min(entry.shown, count(personText(message))) };
}

/** Share of the cap of human text that is left to quotes once some of it is shown in part. */
const quotedShare = 0.3;

/** Entries by what they cost times how old they are, the largest first; `entries` are the oldest first. */
const byLengthAndAge = (entries: readonly HumanEntry[]) =>
  entries
    .map((entry, index) => ({ entry, weight: entry.shown * (entries.length - index + 2) }))
    .sort((a, b) => b.weight - a.weight);

/** Takes human entries out of the assembly, but for their quotes; says whether any was shown. */
export function offloadHuman(draft: Draft, gone: readonly HumanEntry[]): boolean {
  const frames = new Map<FrameId, HumanEntry[]>();
  for (const human of gone) {
    const frame = frameShowing(draft.state, human.n);
    if (frame === null) continue;
    const list = frames.get(frame);
    if (list === undefined) frames.set(frame, [human]);
    else list.push(human);
  }
  for (const [frame, list] of frames)
    draft.record({
      type: 'entry.offloaded',
      frame,
      entries: list.map(({ n }) => entryId(n)),
      quotes: list.flatMap(({ n }) => quotesOfEntry(draft, n)),
    });
  return frames.size > 0;
}

/** The sentences of a human entry that tell most of it. */
export function quotesOfEntry(draft: Pick<Draft, 'bodies'>, n: number): readonly Quote[] {
  return quotesIn(personText(draft.bodies.message(n))).map((quote) => ({ n, ...quote }));
}

function frameShowing(state: State, n: number): FrameId | null {
  for (const [frame, view] of state.views) {
    if (view.human.some((human) => human.n === n)) return frame;
    if (view.items.some((item) => item.n === n && item.human)) return frame;
  }
  return null;
}
