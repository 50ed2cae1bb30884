import { limitIn } from '../../core/state/limit.ts';
import { factors, leastUsefulFactor, workingMost } from '../../core/budget/budget.ts';
import { quoted as quotedText } from '../../core/sections/human-section.ts';
import type { FrameId, TextId } from '../../core/values/id.ts';
import { layOut } from '../../core/assembly/layout.ts';
import { allowance } from '../../core/assembly/select-entries.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { State } from '../../core/state/state.ts';
import type { Count } from '../../core/messages/token-count.ts';
import { readOnce } from '../../core/values/read-once.ts';
import type { Quote } from '../../core/state/view.ts';
import { limitHuman, offloadAboveCap, offloadSaidAgain } from './human-text.ts';
import { foldLines } from './lines/fold-lines.ts';
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
 * Human text beyond its cap is offloaded. What is `planned` is not worked out again.
 */
export function beginEpoch(
  draft: Draft,
  share: number,
  options: { readonly below?: number; readonly planned?: PlannedEpoch } = {},
): void {
  const { below = Number.POSITIVE_INFINITY, planned } = options;
  limitHuman(draft);
  showRewrites(draft);
  const trialUnder = epochTrials(draft, planned);
  const near = Math.max(share, workingMost(draft.state.options));
  const { factor: allowed } = draft.part(() => allowance(draft.state, draft.state.active));
  const useful = Math.min(allowed, leastUsefulFactor);
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

/** An epoch that would begin: the state that it was worked out for, and what it records and writes. */
export interface PlannedEpoch {
  readonly factor: number;
  readonly before: State;
  readonly after: State;
  readonly facts: readonly Fact[];
  readonly texts: readonly (readonly [TextId, string])[];
}

/** The epoch that would begin under the largest factor, the first that is tried, however large the working part is. */
export function planEpoch(draft: Draft): PlannedEpoch {
  const factor = factors[0]!;
  const trial = epochTrials(draft)(factor);
  return {
    factor,
    before: draft.state,
    after: trial.state,
    facts: trial.facts.slice(draft.facts.length),
    texts: [...trial.texts].slice(draft.texts.size),
  };
}

/** Whether a state gets the sections of another: nothing but the forms of its active frame's entries is different. */
function hasSectionsOf(state: State, other: State): boolean {
  const isSame = (name: string): boolean =>
    state[name as keyof State] === other[name as keyof State];
  const isSameView = (frame: FrameId): boolean => {
    const [one, two] = [state.views.get(frame), other.views.get(frame)];
    if (one === two || one === undefined || two === undefined) return one === two;
    const { human, checkpoints, quotes, offloaded } = two;
    return (
      frame === state.active &&
      one.human.length === human.length &&
      one.human.every((entry, index) => entry === human[index]) &&
      one.checkpoints === checkpoints &&
      one.quotes === quotes &&
      one.offloaded === offloaded
    );
  };
  return (
    Object.keys(state).every((name) => name === 'views' || name === 'textCount' || isSame(name)) &&
    limitIn(state) === limitIn(other) &&
    state.views.size === other.views.size &&
    [...state.views.keys()].every(isSameView)
  );
}

/** Begins a planned epoch, its texts under ids of this draft. */
function begin(draft: Draft, { facts, texts }: PlannedEpoch): void {
  const ids = new Map(texts.map(([id, text]) => [id, draft.write(text)]));
  const idOf = <T extends TextId | null>(id: T): T =>
    (ids.get(id as TextId) as T | undefined) ?? id;
  for (const fact of facts)
    if (fact.type === 'epoch.raised')
      draft.record({ ...fact, plan: { ...fact.plan, index: idOf(fact.plan.index) } });
    else if (fact.type === 'chronicle.written') {
      const lines = fact.lines.map((line) => ({ ...line, source: idOf(line.source) }));
      draft.record({ ...fact, source: idOf(fact.source), lines });
    } else draft.record(fact);
}

/** What quotes count, each counted once: all of them are asked for with every layout. */
const quotedBy = readOnce((count: Count) => readOnce((quote: Quote) => count(quotedText(quote))));

/** The epoch that would begin under a factor, as a fork of the draft; each is laid out at most once. */
function epochTrials(draft: Draft, planned?: PlannedEpoch): (factor: number) => Draft {
  const trials = new Map<number, Draft>();
  return (factor) => {
    const known = trials.get(factor);
    if (known !== undefined) return known;
    const trial = draft.part(() => epochTrial(draft, factor, planned));
    trials.set(factor, trial);
    return trial;
  };
}

function epochTrial(draft: Draft, factor: number, planned: PlannedEpoch | undefined): Draft {
  const trial = draft.fork();
  if (planned?.factor === factor && hasSectionsOf(draft.state, planned.before)) {
    begin(trial, planned);
    return trial;
  }
  const { count } = draft;
  const quoted = quotedBy(count);
  trial.stage(offloadSaidAgain);
  trial.stage((stage) => offloadAboveCap(stage, factor, quoted));
  const lay = (laying: Draft): ReturnType<typeof layOut> =>
    layOut(laying.state, {
      count,
      bodies: laying.bodies,
      factor,
      quoted,
      write: (text) => laying.write(text),
      part: laying.part,
    });
  const first = trial.stage(lay);
  // Where the chronicle is written anew is the time to tell all of it shorter.
  const isWritten = first.plan.chronicle !== draft.state.epochView.plan.chronicle;
  const isFolded = trial.stage((folding) => foldLines(folding, isWritten ? 'all' : 'settled'));
  const { plan, sizes } = isFolded ? trial.stage(lay) : first;
  trial.record({ type: 'epoch.raised', sizes, plan });
  return trial;
}
