import type { Bodies } from '../messages/bodies.ts';
import {
  childrenOnPath,
  addCounts,
  noChildren,
  countOf,
  type ChildCount,
} from '../frames/path-children.ts';
import { isClosed, isOpen, type Frame } from '../frames/frame.ts';
import type { AbandonedBranch } from '../state/timeline.ts';
import { endsOf } from '../values/span.ts';
import { entryId, ordinal, type FrameId } from '../values/id.ts';
import { element, escapeText, tag } from '../text/xml.ts';
import type { LayoutPlan } from '../state/state.ts';
import { path, type FrameTree } from '../frames/tree.ts';

// The tree as XML with prose inside: the path from the root, and of every frame
// on it the children that are closed, blocked or planned; never their logs.
// What a plan leaves no room for becomes one line, then a count.

/** Number of details that the path can be shown in: from partial results to its two ends. */
export const pathDetails = 4;

/** Longest path of which every frame is shown, whatever the detail. */
const longestPath = 128;

/** The parts of a tree that a section can show. */
export interface TreeParts {
  readonly path: readonly Frame[];
  /** The newest closed and blocked children of the path, oldest first. */
  readonly closed: readonly Frame[];
  /** The oldest planned children of the path. */
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
  const isShort = parts.path.length <= longestPath && detail < pathDetails - 1;
  if (isShort || parts.path.length < 4) return { ...parts, between: noChildren };
  const hidden = parts.path.slice(1, -2);
  const ids = new Set(hidden.map(({ id }) => id));
  const isHidden = ({ parent }: Frame): boolean => parent !== null && ids.has(parent);
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
  const [root] = all.path;
  const others = all.closed.length + all.planned.length + all.left.length;
  const isAlone = all.path.length === 1 && others === 0;
  if (isAlone && isOpen(root!)) return '';
  const { between, ...parts } = elide(all, plan.path);
  const shown = chooseChildren(parts, plan);
  const lines: string[] = [];
  const closing: string[] = [];
  parts.path.forEach((frame, depth) => {
    if (depth === 1 && between.frames > 0) lines.push(betweenLine(between));
    const indent = '  '.repeat(depth);
    const kind = depth === 0 ? 'frame' : 'child';
    const inside = [
      ...frameLines(frame, { depth, parts, plan, bodies }),
      ...(depth === 0 ? branchLines(all.left) : []),
      ...childLines(frame, shown),
    ];
    lines.push(`${indent}${tag(kind, { id: frame.id, status: frame.status })}`);
    lines.push(...inside.map((line) => `${indent}  ${line}`));
    closing.push(`${indent}</${kind}>`);
  });
  return [...lines, ...closing.reverse()].join('\n');
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
  const parent = depth === parts.path.length - 2;
  const lines = [element('title', frame.title)];
  if (plan.path < pathDetails - 1) lines.push(element('success-criteria', frame.brief));
  const { partial } = frame;
  if (partial !== null && (plan.path === 0 || (plan.path === 1 && parent))) {
    const open = tag('partial-results', { entries: `${partial.from}–${partial.to}` });
    lines.push(`${open}\n${escapeText(bodies.text(partial.text))}\n</partial-results>`);
  } else if (partial !== null) {
    lines.push(`<partial-results entries="${partial.from}–${partial.to}"/>`);
  }
  if (isClosed(frame) && frame.results !== null)
    lines.push(element('results', frame.results.brief));
  return lines.filter((line) => line !== '');
}

/** The children to show and those that are only counted, by parent. */
interface ShownChildren {
  /** Those that are shown with their results. */
  readonly full: ReadonlySet<FrameId>;
  readonly children: ReadonlyMap<FrameId, readonly Frame[]>;
  readonly counted: ReadonlyMap<FrameId, ChildCount>;
}

function chooseChildren(parts: TreeParts, plan: LayoutPlan): ShownChildren {
  const newest = parts.closed.toReversed();
  const full = newest.slice(0, plan.full).filter(({ status }) => status !== 'invalidated');
  const closed = newest.slice(0, plan.full + plan.lines);
  const shown = [...closed, ...parts.planned.slice(0, plan.planned)];
  const ids = new Set(shown.map(({ id }) => id));
  const others = [...parts.closed, ...parts.planned].filter(({ id }) => !ids.has(id));
  return {
    full: new Set(full.map(({ id }) => id)),
    children: byParent(shown.sort((a, b) => ordinal(a.id) - ordinal(b.id))),
    counted: addRest(byParent(others), parts.rest),
  };
}

function byParent(frames: readonly Frame[]): ReadonlyMap<FrameId, readonly Frame[]> {
  const found = new Map<FrameId, Frame[]>();
  for (const frame of frames) {
    const siblings = found.get(frame.parent!);
    if (siblings === undefined) found.set(frame.parent!, [frame]);
    else siblings.push(frame);
  }
  return found;
}

/** The counts of children by parent: those that did not fit, and the rest. */
function addRest(
  left: ReadonlyMap<FrameId, readonly Frame[]>,
  rest: TreeParts['rest'],
): ReadonlyMap<FrameId, ChildCount> {
  const counted = new Map(rest);
  for (const [parent, frames] of left)
    counted.set(parent, addCounts(countOf(frames), counted.get(parent) ?? noChildren));
  return counted;
}

function childLines(frame: Frame, shown: ShownChildren): readonly string[] {
  const count = shown.counted.get(frame.id);
  const more =
    count === undefined ? [] : [`<more children="${count.frames}"${entriesAttribute(count)}/>`];
  const children = shown.children.get(frame.id) ?? [];
  return [...more, ...children.map((child) => childLine(child, shown.full.has(child.id)))];
}

/** One child of the path on one line, with its results where `full`; cached, since few frames change. */
export function childLine(child: Frame, full: boolean): string {
  const known = full ? fullLines : bareLines;
  const line = known.get(child) ?? lineOf(child, full);
  known.set(child, line);
  return line;
}

const fullLines = new WeakMap<Frame, string>();
const bareLines = new WeakMap<Frame, string>();

function lineOf(child: Frame, full: boolean): string {
  const invalidated = child.status === 'invalidated';
  const entries = full || child.status === 'planned' ? undefined : rangeOf(countOf([child]));
  const open = tag('child', {
    id: child.id,
    status: child.status,
    entries,
    'retry-of': child.retryOf ?? undefined,
  });
  const { results } = child;
  const inside = [
    element('title', child.title),
    full && results !== null ? element('results', results.brief) : '',
    full ? element('decisions', results?.decisions.join('; ') ?? '') : '',
    full ? element('artifacts', results?.artifacts.join(', ') ?? '') : '',
    (full || invalidated) && child.reason !== null ? element('reason', child.reason) : '',
  ];
  return `${open}${inside.join('')}</child>`;
}

function entriesAttribute(frames: ChildCount): string {
  const entries = rangeOf(frames);
  return entries === undefined ? '' : ` entries="${entries}"`;
}

/** The entries of some frames as a range; undefined for none. */
function rangeOf({ span }: ChildCount): string | undefined {
  return span === null ? undefined : `${entryId(span[0])}–${entryId(span[1])}`;
}
