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

/** What a layout depends on beside the state. */
interface LayoutContext {
  readonly count: Count;
  readonly bodies: Bodies;
  /** Scales all caps but that of the goal. */
  readonly factor: number;
  /** The present blocks of the ledger. */
  readonly blocks: LedgerContext['blocks'];
  /** The names that the ledger may show, best first. */
  readonly names: Iterable<LedgerName>;
  /** Tokens of a quote's line. */
  readonly quoted: (quote: Quote) => number;
  /** Stores a text beside the log. */
  readonly write: (text: string) => TextId;
}

/** The plan that fits the sections of a state under their caps, and their sizes under it. */
export function layOut(state: State, context: LayoutContext): { plan: LayoutPlan; sizes: Sizes } {
  const { count, bodies, factor } = context;
  const limit = limitIn(state);
  const cap = (share: number): number => Math.floor(share * limit * factor);

  const goal = fitGoal(state, factor, count);
  const tree = fitTree(state, cap(caps.frames), context);
  const ledger = fitLedger(state, cap(caps.ledger), context);
  const human = olderHuman(state, state.newest).reduce((sum, { shown }) => sum + shown, 0);
  const quotes = fitQuotes(state, cap(caps.human) - human, context);

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
    checkpoints: sectionTokens(checkpointSection(state, bodies), count),
    ledger: ledger.reduce((sum, { tokens }) => sum + tokens, 0),
    human: human + quotes.tokens,
  };
  return { plan, sizes };
}

/** What the goal of a state will cost at the next epoch, in tokens. */
export function goalTokens(state: State, count: Count): number {
  return fitGoal(state, 1, count).tokens;
}

/** The present blocks of the ledger with their texts. */
export function ledgerBlocks({ shown }: State, bodies: Bodies): LedgerContext['blocks'] {
  return shown.plan.ledger.map((block) => ({ ...block, body: bodies.text(block.text) }));
}

/** Most closed children that are shown one by one; older ones are only counted. */
const mostChildren = 200;
/** Most planned frames that are shown. */
const mostPlanned = 40;

/** Tokens of a section as a message; an empty one is left out. */
function sectionTokens(text: string, count: Count): number {
  return text === '' ? 0 : overhead.message + count(text);
}

/** The fullest detail within the cap; under factor 0, where nothing else can give, the bare goal at most. */
function fitGoal(state: State, factor: number, count: Count): { detail: number; tokens: number } {
  const cap = Math.floor(caps.goal * limitIn(state));
  for (let detail = factor === 0 ? bareGoal : 0; ; detail += 1) {
    const tokens = sectionTokens(goalSection(state.goal, detail), count);
    if (tokens <= cap || detail >= goalDetails - 1) return { detail, tokens };
  }
}

type TreePlan = Pick<LayoutPlan, 'path' | 'full' | 'lines' | 'planned'>;

/** The fullest path within the cap, and as many of its children as there is room for. */
function fitTree(
  state: State,
  cap: number,
  { count, bodies }: LayoutContext,
): { plan: TreePlan; tokens: number } {
  const parts = treeParts(state.frames, state.active, state.timeline.left);
  const cost = (plan: TreePlan): number =>
    sectionTokens(treeSection(parts, { ...noPlan, ...plan }, bodies), count);
  let plan: TreePlan = { path: 0, full: 0, lines: 0, planned: 0 };
  let tokens = cost(plan);
  while (tokens > cap && plan.path < pathDetails - 1) {
    plan = { ...plan, path: plan.path + 1 };
    tokens = cost(plan);
  }
  plan = { ...plan, ...fitChildren(elide(parts, plan.path), cap - tokens, count) };
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
function fitChildren(parts: TreeParts, room: number, count: Count): Omit<TreePlan, 'path'> {
  let left = room;
  const take = (lines: readonly string[], share: number): number => {
    let budget = Math.floor(left * share);
    let taken = 0;
    for (const line of lines) {
      const cost = count(`      ${line}\n`);
      if (cost > budget) break;
      budget -= cost;
      left -= cost;
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
  return { full, lines, planned };
}

function fitLedger(
  { entries }: State,
  cap: number,
  { count, blocks, names, write }: LayoutContext,
): readonly LedgerBlock[] {
  const { kept, added } = planLedger({ blocks, names, cap, count });
  if (added === '') return kept;
  return [...kept, { text: write(added), tokens: sectionTokens(added, count), upTo: entries }];
}

/** The newest quotes that fit, each line counted once. */
function fitQuotes(
  state: State,
  room: number,
  { count, quoted }: LayoutContext,
): { newest: number; tokens: number } {
  const quotes = quotesOf(state);
  const offloaded = offloadedHuman(state);
  const cost = (newest: number): number =>
    sectionTokens(quoteSection(quotes, offloaded, newest), count);
  let left = room - cost(0) - count(quoteTitle) - 1;
  let newest = 0;
  for (const quote of quotes.toReversed()) {
    left -= quoted(quote) + 1;
    if (left < 0) break;
    newest += 1;
  }
  return { newest, tokens: cost(newest) };
}
