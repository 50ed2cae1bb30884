import type { Goal } from '../core/goal.ts';
import { clip } from '../core/sentence.ts';
import type { FrameNode } from '../core/tree.ts';
import type { Session } from './session.ts';
import { activePath, nameOf, pathLine } from './tool-tree.ts';

/** Most children of the active frame that are named. */
const mostChildren = 20;

/** Longest criteria, results and reasons that are shown, in characters. */
const longest = 300;

/** Where the agent is, what is open there, and how the goal stands. */
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
  const shown = children.slice(-mostChildren);
  const left = children.length - shown.length;
  return [
    left > 0 ? `Children, the last ${shown.length} of ${children.length}:` : 'Children:',
    ...shown.map((child) => {
      const said = child.reason ?? child.results ?? '';
      return `- ${nameOf(child)} ${child.status}${said === '' ? '' : `: ${cut(said)}`}`;
    }),
  ];
}

/** What is planned or blocked in the frames above. */
function waitingAbove(above: readonly FrameNode[]): readonly string[] {
  const waiting = above.flatMap(({ children }) =>
    children.filter(({ status }) => status === 'planned' || status === 'blocked'),
  );
  if (waiting.length === 0) return [];
  const shown = waiting.slice(-mostChildren).map((frame) => `${nameOf(frame)} ${frame.status}`);
  const left = waiting.length - shown.length;
  return [`Waiting above: ${[...(left > 0 ? [`${left} more`] : []), ...shown].join(', ')}`];
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
