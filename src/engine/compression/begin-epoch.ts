import { limitIn } from '../../core/state/limit.ts';
import { caps, factors } from '../../core/budget/budget.ts';
import { directivesOf } from '../../core/text/directives.ts';
import { olderHuman, quoteLine, quotesOf } from '../../core/assembly/human-section.ts';
import { entryId, type FrameId } from '../../core/values/id.ts';
import { layOut, ledgerBlocks } from '../../core/assembly/layout.ts';
import { textOf } from '../../core/messages/message.ts';
import { triggerOf } from '../../core/budget/options.ts';
import { allowance } from '../../core/assembly/select-entries.ts';
import type { State } from '../../core/state/state.ts';
import type { HumanEntry, Quote } from '../../core/state/view.ts';
import { limitHuman } from './human-limit.ts';
import type { Draft } from '../step/draft.ts';
import { measure } from '../step/measure.ts';
import { showRewrites } from './model-rewrites.ts';
import { missingNames } from '../../core/assembly/ledger-section.ts';

// An epoch begins with all sections before the entries laid out anew. How large
// they may be is one factor for all caps: the largest that leaves enough room for
// the working part. Each factor is tried on a fork of the draft.

/** As `share`, asks for the smallest factor of all. */
export const smallestFactor = 0;

/**
 * Begins a new epoch under the largest factor that leaves the working part at or
 * below `share` of what is available (1: it need only fit) and the total below
 * `below` tokens. Where no factor does, the largest that leaves it below the
 * trigger is taken, or one that fits, the same without `below`, and at last the
 * smallest of all: entries that arrived meanwhile should not starve the sections.
 * Human text beyond its cap is offloaded.
 */
export function beginEpoch(draft: Draft, share: number, below = Number.POSITIVE_INFINITY): void {
  limitHuman(draft);
  showRewrites(draft);
  const trialUnder = epochTrials(draft);
  const trigger = triggerOf(draft.state.options);
  const shares = share === smallestFactor ? [] : [share, Math.max(share, trigger * nearTrigger), 1];
  const { factor: planned } = allowance(draft.state, draft.state.active);
  const leastFactor = Math.min(planned, leastUsefulFactor);
  const goals = [below, Number.POSITIVE_INFINITY].flatMap((ceiling) =>
    shares.map((most) => ({ ceiling, most })),
  );
  for (const { ceiling, most } of goals)
    for (const factor of factors) {
      if (most < 1 && most === share && factor < leastFactor) break;
      const trial = trialUnder(factor);
      const { human, working, available, total, limit } = measure(trial.state);
      if (human + working > most * available || total > limit || total >= ceiling) continue;
      draft.adopt(trial);
      return;
    }
  draft.adopt(trialUnder(factors.at(-1)!));
}

/** A smaller factor costs more in the sections than it gains in the working part, unless a compression planned for it. */
const leastUsefulFactor = 0.4;

/** Share of the trigger that the working part may take where `share` cannot be reached. */
const nearTrigger = 0.9;

/** The epoch that would begin under a factor, as a fork of the draft; each is laid out at most once. */
function epochTrials(draft: Draft): (factor: number) => Draft {
  const trials = new Map<number, Draft>();
  const names = missingNames(draft.state, draft.bodies);
  const blocks = ledgerBlocks(draft.state, draft.bodies);
  const quoted = quoteCosts(draft);
  return (factor) => {
    const known = trials.get(factor);
    if (known !== undefined) return known;
    const trial = draft.fork();
    const offloaded = offloadAboveCap(trial, factor, quoted);
    const { plan, sizes } = layOut(trial.state, {
      count: draft.count,
      bodies: trial.bodies,
      factor,
      blocks,
      quoted,
      names: offloaded ? missingNames(trial.state, trial.bodies) : names,
      write: (text) => trial.write(text),
    });
    trial.record({ type: 'epoch.raised', sizes, plan });
    trials.set(factor, trial);
    return trial;
  };
}

/** The tokens of a quote's line. */
type QuoteCost = (quote: Quote) => number;

/** Counts each quote's line once: there are up to a hundred, the same under every factor. */
function quoteCosts({ count }: Draft): QuoteCost {
  const costs = new Map<Quote, number>();
  return (quote) => {
    const tokens = costs.get(quote) ?? count(quoteLine(quote));
    costs.set(quote, tokens);
    return tokens;
  };
}

/**
 * Offloads the oldest human entries, but neither the first shown nor the latest,
 * where human text and quotes of offloaded entries exceed their cap together.
 * Goes on until there is some room to spare: offloading moves all that comes
 * after, so it should not happen in every epoch. Says whether any was offloaded.
 */
function offloadAboveCap(draft: Draft, factor: number, quoted: QuoteCost): boolean {
  const { state } = draft;
  const cap = caps.human * limitIn(state) * factor;
  const cost = (quotes: readonly Quote[]): number =>
    quotes.reduce((sum, quote) => sum + quoted(quote) + 1, 0);
  const older = olderHuman(state, state.newest);
  let shown = older.reduce((sum, entry) => sum + entry.shown, 0);
  let quotes = cost(quotesOf(state));
  const isWithin = (most: number): boolean => shown + Math.min(quotes, cap * quotedShare) <= most;
  if (isWithin(cap)) return false;
  const gone: HumanEntry[] = [];
  for (const entry of older.slice(1)) {
    if (isWithin(cap * easedShare)) break;
    if (entry.n === state.newest?.n) continue;
    shown -= entry.shown;
    quotes += cost(directivesOfEntry(draft, entry.n));
    gone.push(entry);
  }
  return offloadHuman(draft, gone);
}

/** Share of the cap of human text that quotes may claim from what is shown verbatim. */
const quotedShare = 0.5;
/** Share of that cap to which human text is brought down once it is above it. */
const easedShare = 0.8;

/** Takes human entries out of the assembly and quotes their directives; says whether any was shown. */
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
      quotes: list.flatMap(({ n }) => directivesOfEntry(draft, n)),
    });
  return frames.size > 0;
}

/** The directives of a human entry. */
export function directivesOfEntry(draft: Pick<Draft, 'bodies'>, n: number): readonly Quote[] {
  const text = textOf(draft.bodies.message(n).content);
  return directivesOf(text)
    .slice(0, mostDirectives)
    .map((directive) => ({ n, text: directive }));
}

/** Most directives that one entry leaves. */
const mostDirectives = 6;

function frameShowing(state: State, n: number): FrameId | null {
  for (const [frame, view] of state.views) {
    if (view.human.some((human) => human.n === n)) return frame;
    if (view.items.some((item) => item.n === n && item.human)) return frame;
  }
  return null;
}
