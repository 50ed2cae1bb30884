import { ownTitle } from '../../core/frames/frame.ts';
import type { Goal } from '../../core/frames/goal.ts';
import type { FrameNode } from '../../core/frames/tree.ts';
import { clip } from '../../core/text/sentences.ts';
import type { Session } from '../session/session.ts';

/** Most children of the active frame that are named. */
const mostChildren = 20;

/** Longest criteria, results and reasons that are shown, in characters. */
const longest = 300;

/** The answer to `frame_status`: the path, what is open there, the goal, and the tokens in use. */
export function statusText(session: Session): string {
  const path = activePath(session);
  const active = path.at(-1)!;
  const { goal, budget } = session.state;
  const held = `${budget.total} of ${budget.limit} tokens are in use.`;
  return [
    `Path: ${pathLine(path)} (active)`,
    ...(active.criteria === '' ? [] : [`Done when: ${cut(active.criteria)}`]),
    ...childLines(active),
    ...waitingAbove(path.slice(0, -1)),
    ...(goal === null ? [] : [goalLine(goal)]),
    held,
  ].join('\n');
}

function childLines({ children }: FrameNode): readonly string[] {
  if (children.length === 0) return [];
  const newest = children.slice(-mostChildren);
  const left = children.length - newest.length;
  return [
    left > 0 ? `Children, the last ${newest.length} of ${children.length}:` : 'Children:',
    ...newest.map((child) => {
      const said = child.reason ?? child.results ?? '';
      return `- ${nameOf(child)} ${child.status}${said === '' ? '' : `: ${cut(said)}`}`;
    }),
  ];
}

/** The line about planned and blocked children of the frames above. */
function waitingAbove(above: readonly FrameNode[]): readonly string[] {
  const waiting = above.flatMap(({ children }) =>
    children.filter(({ status }) => status === 'planned' || status === 'blocked'),
  );
  if (waiting.length === 0) return [];
  const labels = waiting.slice(-mostChildren).map((frame) => `${nameOf(frame)} ${frame.status}`);
  const left = waiting.length - labels.length;
  return [`Waiting above: ${[...(left > 0 ? [`${left} more`] : []), ...labels].join(', ')}`];
}

/** The goal on one line, its lists as counts. */
export function goalLine({ description, status, milestones, decisions, next }: Goal): string {
  const done = milestones.filter((milestone) => milestone.status === 'completed').length;
  const locked = decisions.filter((decision) => decision.locked).length;
  const parts = [
    ...(milestones.length > 0 ? [`${done} of ${milestones.length} milestones completed`] : []),
    ...(decisions.length > 0 ? [`decisions: ${decisions.length}, ${locked} locked`] : []),
    ...(next.length > 0 ? [`next: ${cut(next.join('; '))}`] : []),
  ];
  const rest = parts.length > 0 ? `; ${parts.join('; ')}` : '';
  return `Goal (${status}): ${cut(description)}${rest}`;
}

const cut = (text: string): string => clip(text.replace(/\s+/g, ' ').trim(), longest);

/** A frame and the one that it lies in; null for the root. */
export interface FrameWithParent {
  readonly node: FrameNode;
  readonly parent: FrameWithParent | null;
}

/** All frames of a session, parents before their children. */
export function framesIn(session: Session): readonly FrameWithParent[] {
  const found: FrameWithParent[] = [{ node: session.frames.tree(), parent: null }];
  for (let index = 0; index < found.length; index += 1) {
    const parent = found[index]!;
    for (const node of parent.node.children) found.push({ node, parent });
  }
  return found;
}

/** The frames from the root to the active one, both included. */
export function activePath(session: Session): readonly FrameNode[] {
  const path: FrameNode[] = [];
  let next = framesIn(session).find(({ node }) => node.active) ?? null;
  for (; next !== null; next = next.parent) path.push(next.node);
  return path.reverse();
}

/** A frame as a model is told of it: `f3 "API routes"`. */
export const nameOf = ({ id, title }: FrameNode): string =>
  ownTitle(title) === '' ? id : `${id} "${title}"`;

/** Most frames of a path that are named one by one. */
const longestPath = 6;

/** The path to the active frame on one line; the middle of a long one is left out. */
export function pathLine(path: readonly FrameNode[]): string {
  const names = path.map(nameOf);
  if (names.length <= longestPath) return names.join(' > ');
  const left = names.length - longestPath + 1;
  return [names[0], `… ${left} frames …`, ...names.slice(2 - longestPath)].join(' > ');
}
