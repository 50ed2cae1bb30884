import { limitIn } from '../state/limit.ts';
import type { Bodies } from '../messages/bodies.ts';
import { caps, type Sizes } from '../budget/budget.ts';
import { checkpointSection } from './checkpoint-section.ts';
import { bareGoal, goalDetails, goalSection } from './goal-section.ts';
import { olderHuman, offloadedHuman, quoteSection, quotesOf, quoteTitle } from './human-section.ts';
import type { TextId } from '../values/id.ts';
import type { LedgerName } from '../breadcrumbs/ledger.ts';
import { planLedger, type LedgerContext } from './ledger-section.ts';
import { noPlan, type LayoutPlan, type State } from '../state/state.ts';
import type { Quote, LedgerBlock } from '../state/view.ts';
import { overhead, type Count } from '../messages/token-count.ts';
import {
  childLine,
  elide,
  pathDetails,
  treeParts,
  treeSection,
  type TreeParts,
} from './tree-section.ts';

// At the start of an epoch the sections before the entries are laid out anew:
// each takes what it needs up to its cap, and shrinks by whole members where it
// needs more. What was chosen is kept as a plan of a few numbers.

/** What laying out needs to know. */
export interface LayoutContext {
  readonly count: Count;
  readonly bodies: Bodies;
  /** What all caps but that of the goal are multiplied by. */
  readonly factor: number;
  /** The blocks of the ledger as they stand. */
  readonly blocks: LedgerContext['blocks'];
  /** What the ledger may show, best first. */
  readonly names: Iterable<LedgerName>;
  /** What the line of a quote costs, in tokens. */
  readonly quoted: (quote: Quote) => number;
  /** Stores a text beside the log. */
  readonly write: (text: string) => TextId;
}

/** How the sections of a state fit under their caps, and what they then cost. */
export function layOut(state: State, context: LayoutContext): { plan: LayoutPlan; sizes: Sizes } {
  const { count, bodies, factor } = context;
  const limit = limitIn(state);
  const message = (text: string): number => (text === '' ? 0 : overhead.message + count(text));
  const cap = (share: number): number => Math.floor(share * limit * factor);

  const goal = fitGoal(state, { cap: Math.floor(caps.goal * limit), factor, message });
  const tree = fitTree(state, cap(caps.frames), { count, bodies, message });
  const ledger = fitLedger(state, cap(caps.ledger), context);
  const human = olderHuman(state, state.newest).reduce((sum, { shown }) => sum + shown, 0);
  const quotes = fitQuotes(state, cap(caps.human) - human, { ...context, message });

  const plan: LayoutPlan = {
    factor,
    goal: goal.detail,
    ...tree.plan,
    ledger,
    quotes: quotes.newest,
  };
  const sizes: Sizes = {
    system: state.shown.sizes.system,
    tools: state.tools.tokens,
    goal: goal.tokens,
    frames: tree.tokens,
    checkpoints: message(checkpointSection(state, bodies)),
    ledger: ledger.reduce((sum, { tokens }) => sum + tokens, 0),
    human: human + quotes.tokens,
  };
  return { plan, sizes };
}

/** What the goal of a state will cost at the next epoch, in tokens. */
export function goalTokens(state: State, count: Count): number {
  const message = (text: string): number => (text === '' ? 0 : overhead.message + count(text));
  return fitGoal(state, { cap: Math.floor(caps.goal * limitIn(state)), factor: 1, message }).tokens;
}

type CountText = (text: string) => number;

/** The fullest detail within its cap; under the smallest factor, where nothing else can give, the description alone. */
function fitGoal(
  state: State,
  given: { cap: number; factor: number; message: CountText },
): { detail: number; tokens: number } {
  const { cap, factor, message } = given;
  for (let detail = factor === 0 ? bareGoal : 0; ; detail += 1) {
    const tokens = message(goalSection(state.goal, detail));
    if (tokens <= cap || detail >= goalDetails - 1) return { detail, tokens };
  }
}

type TreePlan = Pick<LayoutPlan, 'path' | 'full' | 'lines' | 'planned'>;

/** Most closed children that are looked at; older ones are only counted. */
const mostChildren = 200;
/** Most planned frames that are shown. */
const mostPlanned = 40;

function fitTree(
  state: State,
  cap: number,
  context: { count: Count; bodies: Bodies; message: CountText },
): { plan: TreePlan; tokens: number } {
  const parts = treeParts(state.frames, state.active, state.timeline.left);
  const cost = (plan: TreePlan): number =>
    context.message(treeSection(parts, { ...noPlan, ...plan }, context.bodies));
  let plan: TreePlan = { path: 0, full: 0, lines: 0, planned: 0 };
  let tokens = cost(plan);
  while (tokens > cap && plan.path < pathDetails - 1) {
    plan = { ...plan, path: plan.path + 1 };
    tokens = cost(plan);
  }
  const seen = elide(parts, plan.path);
  plan = fillTree(seen, plan, { room: cap - tokens, count: context.count });
  for (tokens = cost(plan); tokens > cap && !isBare(plan); tokens = cost(plan)) plan = barer(plan);
  return { plan, tokens };
}

const isBare = (plan: TreePlan): boolean => plan.full + plan.lines + plan.planned === 0;

/** The plan with half as many lines; without lines half as many results, then half as many planned frames. */
function barer(plan: TreePlan): TreePlan {
  if (plan.lines > 0) return { ...plan, lines: Math.floor(plan.lines / 2) };
  if (plan.full > 0) return { ...plan, full: Math.floor(plan.full / 2) };
  return { ...plan, planned: Math.floor(plan.planned / 2) };
}

/** Planned titles first, then the newest results, then older titles, while there is room. */
function fillTree(
  parts: TreeParts,
  plan: TreePlan,
  given: { room: number; count: Count },
): TreePlan {
  let { room } = given;
  const take = (lines: readonly string[], share: number): number => {
    let left = Math.floor(room * share);
    let taken = 0;
    for (const line of lines) {
      const cost = given.count(`      ${line}\n`);
      if (cost > left) break;
      left -= cost;
      room -= cost;
      taken += 1;
    }
    return taken;
  };
  const newest = parts.closed.toReversed().slice(0, mostChildren);
  const planned = take(
    parts.planned.slice(0, mostPlanned).map((child) => childLine(child, false)),
    0.5,
  );
  const full = take(
    newest.map((child) => childLine(child, child.status !== 'invalidated')),
    0.85,
  );
  const lines = take(
    newest.slice(full).map((child) => childLine(child, false)),
    1,
  );
  return { ...plan, planned, full, lines };
}

/** The blocks of the ledger of a state with their texts. */
export function ledgerBlocks({ shown }: State, bodies: Bodies): LedgerContext['blocks'] {
  return shown.plan.ledger.map((block) => ({ ...block, body: bodies.text(block.text) }));
}

function fitLedger(
  { entries }: State,
  cap: number,
  { count, blocks, names, write }: LayoutContext,
): readonly LedgerBlock[] {
  const { kept, added } = planLedger({ blocks, names, cap, count });
  if (added === '') return kept;
  const tokens = overhead.message + count(added);
  return [...kept, { text: write(added), tokens, upTo: entries }];
}

/** The newest quotes that fit, each line counted once. */
function fitQuotes(
  state: State,
  room: number,
  { count, message, quoted }: Pick<LayoutContext, 'count' | 'quoted'> & { message: CountText },
): { newest: number; tokens: number } {
  const quotes = quotesOf(state);
  const offloaded = offloadedHuman(state);
  const section = (newest: number): string => quoteSection(quotes, offloaded, newest);
  let left = room - message(quoteSection([], offloaded, 0)) - count(quoteTitle) - 1;
  let newest = 0;
  for (const quote of quotes.toReversed()) {
    left -= quoted(quote) + 1;
    if (left < 0) break;
    newest += 1;
  }
  return { newest, tokens: message(section(newest)) };
}
