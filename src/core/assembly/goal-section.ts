import type { Decision, Goal, Milestone } from '../frames/goal.ts';

/** How many members of each list a detail shows, newest first; what is left becomes a count. */
interface GoalDetail {
  /** Milestones that are done. */
  readonly done: number;
  /** Milestones that are not. */
  readonly ahead: number;
  readonly locked: number;
  readonly unlocked: number;
  readonly artifacts: number;
  readonly next: number;
}

const all = Number.POSITIVE_INFINITY;

const details: readonly GoalDetail[] = [
  { done: all, ahead: all, locked: all, unlocked: all, artifacts: 30, next: all },
  { done: 12, ahead: all, locked: all, unlocked: 4, artifacts: 8, next: all },
  { done: 6, ahead: all, locked: all, unlocked: 0, artifacts: 4, next: 1 },
  { done: 3, ahead: all, locked: 16, unlocked: 0, artifacts: 0, next: 1 },
  { done: 1, ahead: 6, locked: 10, unlocked: 0, artifacts: 0, next: 1 },
  { done: 0, ahead: 3, locked: 6, unlocked: 0, artifacts: 0, next: 0 },
  { done: 0, ahead: 1, locked: 4, unlocked: 0, artifacts: 0, next: 0 },
  { done: 0, ahead: 0, locked: 2, unlocked: 0, artifacts: 0, next: 0 },
  { done: 0, ahead: 0, locked: 0, unlocked: 0, artifacts: 0, next: 0 },
];

/** Details a goal can be shown in: from all of it to its description, and to a line that it is there. */
export const goalDetails: number = details.length + 1;

/** The detail that shows the description, and of all else how much there is. */
export const bareGoal: number = details.length - 1;

const signs: Readonly<Record<Milestone['status'], string>> = {
  completed: '[x]',
  in_progress: '[~]',
  pending: '[ ]',
};

/**
 * The goal as the model sees it; '' for none or a completed one. What is shown
 * stands byte for byte; with each step of `detail` whole members go, the oldest
 * and least needed first, and a count says how many.
 */
export function goalSection(goal: Goal | null, detail: number): string {
  if (goal === null || goal.status === 'completed') return '';
  const most = details[detail];
  if (most === undefined) return '[The goal is too long for this window; goal.description has it]';
  return [
    `<goal priority="${goal.priority}" status="${goal.status}">`,
    goal.description,
    ...list('Milestones', goal.milestones.length, milestonesOf(goal, most).map(line)),
    ...list('Decisions', goal.decisions.length, decisionsOf(goal, most).map(decided)),
    ...list('Artifacts', goal.artifacts.length, newest(goal.artifacts, most.artifacts).map(made)),
    ...list('Next', goal.next.length, newest(goal.next, most.next)),
    '</goal>',
  ].join('\n');
}

function milestonesOf({ milestones }: Goal, most: GoalDetail): readonly Milestone[] {
  const done = milestones.filter(({ status }) => status === 'completed');
  const ahead = milestones.filter(({ status }) => status !== 'completed').slice(0, most.ahead);
  const shown = new Set([...newest(done, most.done), ...ahead]);
  return milestones.filter((milestone) => shown.has(milestone));
}

function decisionsOf({ decisions }: Goal, most: GoalDetail): readonly Decision[] {
  const locked = newest(
    decisions.filter((one) => one.locked),
    most.locked,
  );
  const unlocked = newest(
    decisions.filter((one) => !one.locked),
    most.unlocked,
  );
  const shown = new Set([...locked, ...unlocked]);
  return decisions.filter((decision) => shown.has(decision));
}

function newest<T>(list: readonly T[], most: number): readonly T[] {
  return list.slice(Math.max(0, list.length - most));
}

const line = ({ text, status }: Milestone): string => `${signs[status]} ${text}`;
const decided = ({ text, locked }: Decision): string => (locked ? `${text} (locked)` : text);
const made = ({ path, change }: Goal['artifacts'][number]): string => `${path} (${change})`;

function list(name: string, count: number, shown: readonly string[]): readonly string[] {
  if (count === 0) return [];
  const left = count - shown.length;
  return [`${name}:`, ...(left > 0 ? [`- ${left} more`] : []), ...shown.map((text) => `- ${text}`)];
}
