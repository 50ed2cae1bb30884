import type { Bodies } from '../messages/bodies.ts';
import {
  childrenOnPath,
  addCounts,
  noChildren,
  countOf,
  type ChildCount,
} from '../frames/path-children.ts';
import { isClosed, isOpen, ownTitle, type Frame } from '../frames/frame.ts';
import type { AbandonedBranch } from '../state/timeline.ts';
import { endsOf } from '../values/span.ts';
import { entryId, ordinal, type FrameId } from '../values/id.ts';
import { element, tag } from '../text/xml.ts';
import type { LayoutPlan } from '../state/state.ts';
import { path, type FrameTree } from '../frames/tree.ts';
import {
  block,
  childEnd,
  childLine,
  criteriaElement,
  isTitleLine,
  rangeOf,
  titlesTags,
  type ChildForm,
} from './child-line.ts';

// The tree as XML with prose inside: the path from the root, and of every frame
// on it the children that are closed, blocked or planned; never their logs.
// What a plan leaves no room for becomes a brief, one line, then a count.

/** How the path is shown. */
interface PathDetail {
  /** The criteria of the active frame. */
  readonly own: CriteriaForm;
  /** Those of the frames above it; without them the middle of the path is left out. */
  readonly criteria: CriteriaForm;
  /** Partial results; where they are whole of the parent alone, the others are brief. */
  readonly partials: CriteriaForm | 'parent';
}

type CriteriaForm = 'whole' | 'brief' | 'none';

/** What gives way, in this order: the criteria of the active frame last. */
const details: readonly PathDetail[] = [
  { own: 'whole', criteria: 'whole', partials: 'whole' },
  { own: 'whole', criteria: 'brief', partials: 'whole' },
  { own: 'whole', criteria: 'brief', partials: 'parent' },
  { own: 'whole', criteria: 'brief', partials: 'brief' },
  { own: 'whole', criteria: 'brief', partials: 'none' },
  { own: 'whole', criteria: 'none', partials: 'none' },
  { own: 'brief', criteria: 'brief', partials: 'brief' },
  { own: 'brief', criteria: 'brief', partials: 'none' },
  { own: 'brief', criteria: 'none', partials: 'none' },
  { own: 'none', criteria: 'none', partials: 'none' },
];

/** Number of details that the path can be shown in. */
export const pathDetails: number = details.length;

const detailAt = (detail: number): PathDetail => details[Math.min(detail, pathDetails - 1)]!;

/** Whether a detail shows the criteria of the active frame in full. */
export const isActiveWhole = (detail: number): boolean => detailAt(detail).own === 'whole';

/** Longest path of which every frame is shown, whatever the detail. */
const longestPath = 128;

/** The parts of a tree that a section can show. */
export interface TreeParts {
  readonly path: readonly Frame[];
  /** The newest closed and blocked children of the path, oldest first. */
  readonly closed: readonly Frame[];
  /** The oldest planned children of the path, and what is planned below them; each after its parent. */
  readonly planned: readonly Frame[];
  /** Counts of further children, by parent. */
  readonly rest: ReadonlyMap<FrameId, ChildCount>;
  /** Oldest first. */
  readonly left: readonly AbandonedBranch[];
}

/** The parts of a tree as seen from `active`, and the abandoned branches. */
export function treeParts(
  tree: FrameTree,
  active: FrameId,
  left: readonly AbandonedBranch[],
): TreeParts {
  return { path: path(tree, active), ...childrenOnPath(tree, active), left };
}

/** The parts without the middle of the path, where the detail leaves that out; `between` counts its frames. */
export function elide(
  parts: TreeParts,
  detail: number,
): TreeParts & { readonly between: ChildCount } {
  const isShort = parts.path.length <= longestPath && detailAt(detail).criteria !== 'none';
  if (isShort || parts.path.length < 4) return { ...parts, between: noChildren };
  const hidden = parts.path.slice(1, -2);
  const ids = new Set(hidden.map(({ id }) => id));
  const isHidden = ({ parent }: Frame): boolean => parent !== null && ids.has(parent);
  for (const frame of parts.planned) if (isHidden(frame)) ids.add(frame.id);
  const rest = [...parts.rest];
  const single = [...hidden, ...parts.closed.filter(isHidden), ...parts.planned.filter(isHidden)];
  const counted = rest.flatMap(([parent, tally]) => (ids.has(parent) ? [tally] : []));
  return {
    path: parts.path.filter(({ id }) => !ids.has(id)),
    closed: parts.closed.filter((frame) => !isHidden(frame)),
    planned: parts.planned.filter((frame) => !isHidden(frame)),
    rest: new Map(rest.filter(([parent]) => !ids.has(parent))),
    left: parts.left,
    between: counted.reduce(addCounts, countOf(single)),
  };
}

/** The tree as the model sees it; '' while there is only an open root. */
export function treeSection(all: TreeParts, plan: LayoutPlan, bodies: Bodies): string {
  if (isOpenRoot(all)) return '';
  const { between, ...parts } = elide(all, plan.path);
  const chosen = chooseChildren(parts, plan);
  const lines: string[] = [];
  const closing: string[] = [];
  parts.path.forEach((frame, depth) => {
    if (depth === 1 && between.frames > 0) lines.push(betweenLine(between));
    const indent = '  '.repeat(depth);
    const kind = depth === 0 ? 'frame' : 'child';
    const inside = [
      ...frameLines(frame, { depth, parts, plan, bodies }),
      ...(depth === 0 ? branchLines(all.left) : []),
      ...childLines(frame, chosen, bodies),
    ];
    lines.push(`${indent}${tag(kind, { id: frame.id, status: frame.status })}`);
    lines.push(...inside.map((line) => `${indent}  ${line}`));
    closing.push(`${indent}</${kind}>`);
  });
  return [...lines, ...closing.reverse()].join('\n');
}

/** How the section that a plan makes shows a frame; `hidden` where it does not. */
export function formOf(
  all: TreeParts,
  plan: LayoutPlan,
  { id, parent, branch }: Frame,
): ChildForm | 'path' | 'counted' | 'hidden' {
  if (isOpenRoot(all) || branch !== undefined) return 'hidden';
  const parts = elide(all, plan.path);
  if (parts.path.some((one) => one.id === id)) return 'path';
  if (all.path.some((one) => one.id === id)) return 'counted';
  if (parent === null || ![...all.path, ...all.planned].some((one) => one.id === parent))
    return 'hidden';
  const { forms, children } = chooseChildren(parts, plan);
  const isShown = children.get(parent)?.some((one) => one.id === id) ?? false;
  return isShown ? (forms.get(id) ?? 'line') : 'counted';
}

/** Whether there is nothing to show: an open root alone. */
function isOpenRoot(all: TreeParts): boolean {
  const [root] = all.path;
  const others = all.closed.length + all.planned.length + all.left.length;
  return all.path.length === 1 && others === 0 && isOpen(root!);
}

/** Most branches that have a line of their own; older ones share one. */
const mostBranches = 3;

function branchLines(left: readonly AbandonedBranch[]): readonly string[] {
  const older = left.slice(0, -mostBranches).map(endsOf);
  const first = Math.min(...older.map(([from]) => from));
  const last = Math.max(...older.map(([, to]) => to));
  const entries = `${entryId(first)}–${entryId(last)}`;
  return [
    ...(older.length === 0 ? [] : [tag('left', { branches: `${older.length}`, entries })]),
    ...left
      .slice(-mostBranches)
      .map(({ cause, from, to }) => tag('left', { by: cause, entries: `${from}–${to}` })),
  ].map((line) => line.replace(/>$/, '/>'));
}

function betweenLine(between: ChildCount): string {
  const entries = rangeOf(between);
  const range = entries === undefined ? '' : `, ${entries}`;
  return `<!-- ${between.frames} frames between${range} -->`;
}

function frameLines(
  frame: Frame,
  at: { depth: number; parts: TreeParts; plan: LayoutPlan; bodies: Bodies },
): readonly string[] {
  const { depth, parts, plan, bodies } = at;
  const above = parts.path.length - 1 - depth;
  const lines = [
    element('title', ownTitle(frame.title)),
    criteriaLine(frame, plan.path, above),
    partialLine(frame.partial, { detail: plan.path, above, bodies }),
    isClosed(frame) && frame.results !== null ? element('results', frame.results.brief) : '',
  ];
  return lines.filter((line) => line !== '');
}

/** The criteria of a frame that stands `above` others on the path. */
function criteriaLine(frame: Frame, detail: number, above: number): string {
  const { own, criteria } = detailAt(detail);
  const form = above === 0 ? own : criteria;
  return form === 'none' ? '' : criteriaElement(frame, form === 'whole');
}

/** The criteria in full, or their brief; '' without any. */
function partialLine(
  partial: Frame['partial'],
  { detail, above, bodies }: { detail: number; above: number; bodies: Bodies },
): string {
  if (partial === null) return '';
  const open = tag('partial-results', { entries: `${partial.from}–${partial.to}` });
  const { partials } = detailAt(detail);
  const isWhole = partials === 'whole' || (partials === 'parent' && above === 1);
  const text = isWhole ? bodies.text(partial.text) : partials === 'none' ? '' : partial.brief;
  return text === '' ? open.replace(/>$/, '/>') : block(open, text);
}

/** An element with a text as it is, indented: on lines of its own where it has several; '' without any. */
/** The children to show and those that are only counted, by parent. */
interface ShownChildren {
  /** How each is shown; as a line unless told. */
  readonly forms: ReadonlyMap<FrameId, ChildForm>;
  readonly children: ReadonlyMap<FrameId, readonly Frame[]>;
  readonly counted: ReadonlyMap<FrameId, ChildCount>;
}

function chooseChildren(parts: TreeParts, plan: LayoutPlan): ShownChildren {
  const newest = parts.closed.toReversed();
  const whole = new Set(plan.whole);
  const full = newest.slice(0, plan.full).filter(({ status }) => status !== 'invalidated');
  const closed = newest.slice(0, plan.full + plan.lines);
  const planned = parts.planned.slice(0, plan.planned);
  const chosen = [...closed, ...planned];
  const ids = new Set(chosen.map(({ id }) => id));
  const others = [...parts.closed, ...parts.planned].filter(({ id }) => !ids.has(id));
  return {
    forms: new Map([
      ...full.map(({ id }) => [id, whole.has(id) ? 'whole' : 'brief'] as const),
      ...planned.map(({ id }, n) => [id, plannedForm(n, plan)] as const),
    ]),
    children: byParent(chosen.sort((a, b) => ordinal(a.id) - ordinal(b.id))),
    counted: addRest(byParent(others), parts.rest),
  };
}

const plannedForm = (n: number, { plannedWhole, plannedBrief }: LayoutPlan): ChildForm =>
  n < plannedWhole ? 'whole' : n < plannedBrief ? 'brief' : 'line';

function byParent(frames: readonly Frame[]): ReadonlyMap<FrameId, readonly Frame[]> {
  const children = new Map<FrameId, Frame[]>();
  for (const frame of frames) {
    const siblings = children.get(frame.parent!);
    if (siblings === undefined) children.set(frame.parent!, [frame]);
    else siblings.push(frame);
  }
  return children;
}

/** The counts of children by parent: those that did not fit, and the rest. */
function addRest(
  omitted: ReadonlyMap<FrameId, readonly Frame[]>,
  rest: TreeParts['rest'],
): ReadonlyMap<FrameId, ChildCount> {
  const counted = new Map(rest);
  for (const [parent, frames] of omitted)
    counted.set(parent, addCounts(countOf(frames), counted.get(parent) ?? noChildren));
  return counted;
}

function childLines(frame: Frame, chosen: ShownChildren, bodies: Bodies): readonly string[] {
  const count = chosen.counted.get(frame.id);
  const more =
    count === undefined ? [] : [`<more children="${count.frames}"${entriesAttribute(count)}/>`];
  const children = chosen.children.get(frame.id) ?? [];
  const form = (child: Frame): ChildForm => chosen.forms.get(child.id) ?? 'line';
  const isTitle = (child: Frame): boolean => form(child) === 'line' && isTitleLine(child);
  const line = (child: Frame): string => childLine(child, form(child), bodies);
  const titles = children.filter(isTitle).map(line);
  return [
    ...more,
    ...(titles.length === 0 ? [] : [titlesTags[0], ...titles, titlesTags[1]]),
    ...children
      .filter((child) => !isTitle(child))
      .flatMap((child) => withBelow(line(child), childLines(child, chosen, bodies))),
  ];
}

/** A child with the lines of what is planned below it inside. */
function withBelow(line: string, below: readonly string[]): readonly string[] {
  if (below.length === 0) return [line];
  return [line.slice(0, -childEnd.length), ...below.map((one) => `  ${one}`), childEnd];
}

function entriesAttribute(frames: ChildCount): string {
  const entries = rangeOf(frames);
  return entries === undefined ? '' : ` entries="${entries}"`;
}
