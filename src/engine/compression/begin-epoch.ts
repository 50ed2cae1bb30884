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
import type { Human, Quote } from '../../core/state/view.ts';
import { boundHuman } from './human-limit.ts';
import type { Draft } from '../step/draft.ts';
import { measure } from '../step/measure.ts';
import { showRewrites } from './model-rewrites.ts';
import { missingNames } from '../../core/assembly/ledger-section.ts';

/** The share of what is available that asks for the smallest factor: no working part is that small. */
export const smallestFactor = 0;

/**
 * Begins a new epoch: lays the sections before the entries out anew, under the
 * largest factor that leaves the working part at or below `share` of what is
 * available (1 where it need only fit) and all together below `below` tokens.
 * Where no factor does, because entries arrived meanwhile, under the largest
 * that leaves it below the trigger, or that fits; starving the sections would
 * not help, nor where what changed since the last epoch is larger than what was
 * gained. Human text beyond its cap is offloaded.
 */
export function beginEpoch(draft: Draft, share: number, below = Number.POSITIVE_INFINITY): void {
  boundHuman(draft);
  showRewrites(draft);
  const trials = trialsOf(draft);
  const trigger = triggerOf(draft.state.options);
  const aims = share === smallestFactor ? [] : [share, Math.max(share, trigger * nearTrigger), 1];
  const { factor: planned } = allowance(draft.state, draft.state.active);
  const wishes = [below, Number.POSITIVE_INFINITY].flatMap((most) =>
    aims.map((aim) => ({ most, aim })),
  );
  for (const { most, aim } of wishes)
    for (const factor of factors) {
      if (aim < 1 && aim === share && factor < Math.min(planned, sparing)) break;
      const trial = trials(factor);
      const { human, working, available, total, limit } = measure(trial.state);
      if (human + working > aim * available || total > limit || total >= most) continue;
      draft.adopt(trial);
      return;
    }
  draft.adopt(trials(factors.at(-1)!));
}

/** Scaled below this, sections are worth less than an emptier working part; a compression may plan for it all the same. */
const sparing = 0.4;

/** How near to the trigger a working part may stay where half of what is available cannot be reached. */
const nearTrigger = 0.9;

/** The epoch that would begin under each factor; made when asked for, once. */
function trialsOf(draft: Draft): (factor: number) => Draft {
  const made = new Map<number, Draft>();
  const names = missingNames(draft.state, draft.bodies);
  const blocks = ledgerBlocks(draft.state, draft.bodies);
  const quoted = costOfQuotes(draft);
  return (factor) => {
    const known = made.get(factor);
    if (known !== undefined) return known;
    const trial = draft.fork();
    const offloaded = offloadBeyond(trial, factor, quoted);
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
    made.set(factor, trial);
    return trial;
  };
}

/** What the line of a quote costs, in tokens. */
type Quoted = (quote: Quote) => number;

/** Counts each line of a quote once: there are up to a hundred, under each factor the same. */
function costOfQuotes({ count }: Draft): Quoted {
  const costs = new Map<Quote, number>();
  return (quote) => {
    const tokens = costs.get(quote) ?? count(quoteLine(quote));
    costs.set(quote, tokens);
    return tokens;
  };
}

/**
 * Where human text and the quotes of what was offloaded before exceed their cap
 * together, offloads the oldest human entries, never the first of those shown or
 * the latest, until there is some room again: not at every epoch one, because
 * all that comes after it would move.
 */
function offloadBeyond(draft: Draft, factor: number, quoted: Quoted): boolean {
  const { state } = draft;
  const cap = caps.human * limitIn(state) * factor;
  const cost = (quotes: readonly Quote[]): number =>
    quotes.reduce((sum, quote) => sum + quoted(quote) + 1, 0);
  const human = olderHuman(state, state.newest);
  let shown = human.reduce((sum, entry) => sum + entry.shown, 0);
  let claimed = cost(quotesOf(state));
  const within = (most: number): boolean => shown + Math.min(claimed, cap * quotedShare) <= most;
  if (within(cap)) return false;
  const gone: Human[] = [];
  for (const candidate of human.slice(1)) {
    if (within(cap * eased)) break;
    if (candidate.n === state.newest?.n) continue;
    shown -= candidate.shown;
    claimed += cost(quotesFrom(draft, candidate.n));
    gone.push(candidate);
  }
  return offload(draft, gone);
}

/** Share of the cap of human text that quotes may claim from what is shown verbatim. */
const quotedShare = 0.5;
/** Share of that cap to which human text is brought down once it is above it. */
const eased = 0.8;

/** Takes these human entries out of the assembly and quotes their directives; says whether there were any. */
export function offload(draft: Draft, gone: readonly Human[]): boolean {
  const frames = new Map<FrameId, Human[]>();
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
      quotes: list.flatMap(({ n }) => quotesFrom(draft, n)),
    });
  return frames.size > 0;
}

/** The directives of a human entry. */
export function quotesFrom(draft: Pick<Draft, 'bodies'>, n: number): readonly Quote[] {
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
