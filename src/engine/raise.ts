import { caps, factors, limitOf } from '../core/budget.ts';
import { directivesOf } from '../core/directive.ts';
import { olderHuman } from '../core/human-section.ts';
import { entryId, type FrameId } from '../core/id.ts';
import { layOut } from '../core/layout.ts';
import { missingNames } from '../core/ledger-section.ts';
import { textOf } from '../core/message.ts';
import { allowance } from '../core/selection.ts';
import type { State } from '../core/state.ts';
import type { Human, Quote } from '../core/view.ts';
import { boundHuman } from './human-bound.ts';
import type { Draft } from './draft.ts';
import { measure } from './measure.ts';

/** The share of what is available that asks for the smallest factor: no working part is that small. */
export const least = 0;

/**
 * Begins a new epoch: lays the sections before the entries out anew, under the
 * largest factor that leaves the working part at or below `share` of what is
 * available (1 where it need only fit) and all together below `below` tokens.
 * Where no factor does, because entries arrived meanwhile, under the largest
 * that leaves it below the trigger, or that fits; starving the sections would
 * not help, nor where what changed since the last epoch is larger than what was
 * gained. Human text beyond its cap is offloaded.
 */
export function raiseEpoch(draft: Draft, share: number, below = Number.POSITIVE_INFINITY): void {
  boundHuman(draft);
  const trials = trialsOf(draft);
  const { trigger } = draft.state.options;
  const aims = share === least ? [] : [share, Math.max(share, trigger * nearTrigger), 1];
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
  const names = namesOf(draft);
  return (factor) => {
    const known = made.get(factor);
    if (known !== undefined) return known;
    const trial = draft.fork();
    const offloaded = offloadBeyond(trial, factor);
    const { plan, sizes } = layOut(trial.state, {
      count: draft.count,
      bodies: trial.bodies,
      factor,
      names: offloaded ? namesOf(trial) : names,
    });
    trial.tell({ type: 'epoch.raised', sizes, plan });
    made.set(factor, trial);
    return trial;
  };
}

/** What the ledger may show in an epoch that begins now. */
function namesOf({ state, bodies }: Draft): ReturnType<typeof missingNames> {
  const { entries: upTo, newest, frames } = state;
  return missingNames(state, { upTo, newest, frames }, bodies);
}

/** Offloads the oldest human entries, never the first of those shown or the latest, until the rest is within its cap. */
function offloadBeyond(draft: Draft, factor: number): boolean {
  const { state } = draft;
  const cap = caps.human * limitOf(state.options, state.ratio) * factor;
  const human = olderHuman(state, state.newest);
  let tokens = human.reduce((sum, { shown }) => sum + shown, 0);
  const gone: Human[] = [];
  for (const candidate of human.slice(1)) {
    if (tokens <= cap) break;
    if (candidate.n === state.newest?.n) continue;
    tokens -= candidate.shown;
    gone.push(candidate);
  }
  return offload(draft, gone);
}

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
    draft.tell({
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
    .filter((directive) => !directive.trimEnd().endsWith('?'))
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
