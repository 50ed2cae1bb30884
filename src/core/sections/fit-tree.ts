import type { Frame } from '../frames/frame.ts';
import { resultsOnPath } from '../frames/recent-results.ts';
import type { Bodies } from '../messages/bodies.ts';
import { overhead, type Count } from '../messages/token-count.ts';
import { noPlan, type LayoutPlan, type State } from '../state/state.ts';
import type { FrameId } from '../values/id.ts';
import {
  elide,
  isActiveWhole,
  pathDetails,
  treeParts,
  treeSection,
  type TreeParts,
} from './tree-section.ts';
import { childLine, titlesTags, type ChildForm } from './child-line.ts';

// How much of the tree is shown under a cap in tokens: all of it where there is
// room. Else the path comes first, then its children. Of these every one gets a
// brief where there is room for that, and the newest stand in full with what is
// left; where there is not even that, briefs and full results share the room, and
// older children become lines, then a count.
//
// The criteria of the active frame are what is worked on: they give way last, and
// what other sections leave is theirs beyond the cap.

/** What a plan says of the tree. */
export type TreePlan = Pick<
  LayoutPlan,
  'path' | 'full' | 'whole' | 'lines' | 'planned' | 'plannedBrief' | 'plannedWhole'
>;

type PlannedCriteria = Pick<TreePlan, 'plannedBrief' | 'plannedWhole'>;

/** Share of the cap that the path may take in more than its briefest form, where it has children beside it. */
const pathShare = 0.6;

/** The fullest tree within a cap in tokens; its briefest form where even that is above it. The criteria of the active frame may take `spare` tokens more. */
export function fitTree(
  state: State,
  { cap: own, spare = 0 }: { readonly cap: number; readonly spare?: number },
  { count, bodies }: { readonly count: Count; readonly bodies: Bodies },
): { readonly plan: TreePlan; readonly tokens: number } {
  const parts = treeParts(state.frames, state.active, state.timeline.left);
  const cost = (plan: TreePlan): number =>
    sectionTokens(treeSection(parts, { ...noPlan, ...plan }, bodies), count);
  const isAlone = parts.closed.length + parts.planned.length === 0;
  const { criteria, brief } = parts.path.at(-1)!;
  const more = Math.max(0, Math.min(spare, count(criteria) - count(brief)));
  const capAt = (detail: number, share: number): number =>
    own * share + (isActiveWhole(detail) ? more : 0);
  let plan: TreePlan = { ...noTree };
  let tokens = cost(plan);
  while (tokens > capAt(plan.path, isAlone ? 1 : pathShare) && plan.path < pathDetails - 1) {
    plan = { ...plan, path: plan.path + 1 };
    tokens = cost(plan);
  }
  const cap = capAt(plan.path, 1);
  const room = { tokens: cap - tokens, whole: resultsOnPath(state.frames, state.active) };
  plan = { ...plan, ...fitChildren(elide(parts, plan.path), room, { count, bodies }) };
  for (tokens = cost(plan); tokens > cap && !isBare(plan); tokens = cost(plan)) plan = barer(plan);
  return { plan, tokens };
}

const noTree: TreePlan = {
  path: 0,
  full: 0,
  whole: [],
  lines: 0,
  planned: 0,
  plannedBrief: 0,
  plannedWhole: 0,
};

/** Tokens of a section as a message; an empty one is left out. */
export function sectionTokens(text: string, count: Count): number {
  return text === '' ? 0 : overhead.message + count(text);
}

const isBare = (plan: TreePlan): boolean => plan.full + plan.lines + plan.planned === 0;

/** The plan with half as many lines; without lines half of the criteria of planned frames, then half as many results in full, then half as many briefs, then planned frames. */
function barer(plan: TreePlan): TreePlan {
  if (plan.lines > 0) return { ...plan, lines: Math.floor(plan.lines / 2) };
  if (plan.plannedWhole > 0) return { ...plan, plannedWhole: Math.floor(plan.plannedWhole / 2) };
  if (plan.plannedBrief > 0) return { ...plan, plannedBrief: Math.floor(plan.plannedBrief / 2) };
  if (plan.whole.length > 0)
    return { ...plan, whole: plan.whole.slice(0, Math.floor(plan.whole.length / 2)) };
  if (plan.full > 0) return { ...plan, full: Math.floor(plan.full / 2) };
  return { ...plan, planned: Math.floor(plan.planned / 2) };
}

/** Most closed children that are shown one by one; older ones are only counted. */
const mostChildren = 200;
/** Most planned frames that are shown. */
const mostPlanned = 40;

/** Share of the room that planned frames may take. */
const plannedShare = 0.5;
/** Shares of the room of closed children, where it is too small for all: briefs before results in full, and both; the rest is for lines. */
const shares = { briefs: 0.5, results: 0.85 } as const;

/** Planned frames first, by title and then with their criteria, then results, the newest first, then older titles, while there is room; further planned frames take what is left. */
function fitChildren(
  parts: TreeParts,
  room: { readonly tokens: number; readonly whole: ReadonlySet<FrameId> },
  { count, bodies }: { readonly count: Count; readonly bodies: Bodies },
): Omit<TreePlan, 'path'> {
  const cost = (child: Frame, form: ChildForm): number =>
    count(`      ${childLine(child, form, bodies)}\n`);
  let remaining = room.tokens;
  const take = (costs: Iterable<number>, most: number): number => {
    const least = remaining - most;
    let taken = 0;
    for (const tokens of costs) {
      if (remaining - tokens < least) break;
      remaining -= tokens;
      taken += 1;
    }
    return taken;
  };
  const ahead = parts.planned.slice(0, mostPlanned);
  const before = remaining;
  const roomAhead = (): number => before * plannedShare - (before - remaining);
  const titles = ahead.map((child) => cost(child, 'line'));
  let planned = take(titles, roomAhead());
  const more = (children: readonly Frame[], from: ChildForm, to: ChildForm): readonly number[] =>
    children.map((child) => cost(child, to) - cost(child, from));
  const tellCriteria = (counts: PlannedCriteria, most: () => number): PlannedCriteria => {
    const briefs = more(ahead.slice(counts.plannedBrief, planned), 'line', 'brief');
    const plannedBrief = counts.plannedBrief + take(briefs, most());
    const texts = more(ahead.slice(counts.plannedWhole, plannedBrief), 'brief', 'whole');
    return { plannedBrief, plannedWhole: counts.plannedWhole + take(texts, most()) };
  };
  const criteria = tellCriteria({ plannedBrief: 0, plannedWhole: 0 }, roomAhead);
  const newest = parts.closed.toReversed().slice(0, mostChildren);
  const briefs = newest.map((child) => cost(child, briefForm(child)));
  const all = briefs.reduce((sum, tokens) => sum + tokens, 0);
  const forLines = all <= remaining ? 0 : remaining * (1 - shares.results);
  const whole: FrameId[] = [];
  const widen = (from: number, to: number): void => {
    for (let index = from; index < to; index += 1) {
      const { id, results } = newest[index]!;
      const spare = remaining - forLines;
      if (!room.whole.has(id) || results!.tokens > spare + briefs[index]!) continue;
      const more = cost(newest[index]!, 'whole') - briefs[index]!;
      if (more > spare) continue;
      remaining -= more;
      whole.push(id);
    }
  };
  const first = take(briefs, all <= remaining ? remaining : remaining * shares.briefs);
  widen(0, first);
  const full = first + take(briefs.slice(first), remaining - forLines);
  widen(first, full);
  const rest = newest.slice(full).map((child) => cost(child, 'line'));
  const forTitles = remaining - count(`      ${titlesTags.join('\n      ')}\n`);
  const lines = take(rest, forTitles);
  planned += take(titles.slice(planned), remaining);
  return { full, whole, lines, planned, ...tellCriteria(criteria, () => remaining) };
}

const briefForm = ({ status }: Frame): ChildForm => (status === 'invalidated' ? 'line' : 'brief');
