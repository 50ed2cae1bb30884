import type { Decision, Goal, Milestone } from '../frames/goal.ts';
import { indented } from '../text/sanitize.ts';

/** Most members of each list that are shown; the rest becomes a count. */
interface GoalLimits {
  /** Completed milestones. */
  readonly done: number;
  /** Other milestones. */
  readonly ahead: number;
  readonly locked: number;
  readonly unlocked: number;
  readonly artifacts: number;
  readonly next: number;
}

const all = Number.POSITIVE_INFINITY;

const details: readonly GoalLimits[] = [
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

/** Number of details a goal can be shown in: from all of it to its description, and last a line that says it is too long. */
export const goalDetails: number = details.length + 1;

/** The detail that shows the description, and the length of each list. */
export const bareGoal: number = details.length - 1;

const checkboxes: Readonly<Record<Milestone['status'], string>> = {
  completed: '[x]',
  in_progress: '[~]',
  pending: '[ ]',
};

/**
 * The goal as the model sees it; '' for none or a completed one. Members are
 * shown byte for byte, lines but the first indented, or not at all: each step of `detail` drops some, the
 * oldest and least needed first, and a count says how many.
 */
export function goalSection(goal: Goal | null, detail: number): string {
  if (goal === null || goal.status === 'completed') return '';
  const limits = details[detail];
  if (limits === undefined)
    return '[The goal is too long for this window; goal.description has it]';
  return [
    `<goal priority="${goal.priority}" status="${goal.status}">`,
    indented(goal.description),
    ...list('Milestones', {
      count: goal.milestones.length,
      lines: milestonesOf(goal, limits).map(milestoneLine),
    }),
    ...list('Decisions', {
      count: goal.decisions.length,
      lines: decisionsOf(goal, limits).map(decisionLine),
    }),
    ...list('Artifacts', {
      count: goal.artifacts.length,
      lines: newest(goal.artifacts, limits.artifacts).map(artifactLine),
    }),
    ...list('Next', {
      count: goal.next.length,
      lines: goal.next.slice(0, limits.next),
      place: 'after',
    }),
    '</goal>',
  ].join('\n');
}

function milestonesOf({ milestones }: Goal, limits: GoalLimits): readonly Milestone[] {
  const done = milestones.filter(({ status }) => status === 'completed');
  const ahead = milestones.filter(({ status }) => status !== 'completed').slice(0, limits.ahead);
  const selected = new Set([...newest(done, limits.done), ...ahead]);
  return milestones.filter((milestone) => selected.has(milestone));
}

function decisionsOf({ decisions }: Goal, limits: GoalLimits): readonly Decision[] {
  const locked = newest(
    decisions.filter((one) => one.locked),
    limits.locked,
  );
  const unlocked = newest(
    decisions.filter((one) => !one.locked),
    limits.unlocked,
  );
  const selected = new Set([...locked, ...unlocked]);
  return decisions.filter((decision) => selected.has(decision));
}

function newest<T>(list: readonly T[], most: number): readonly T[] {
  return list.slice(Math.max(0, list.length - most));
}

const milestoneLine = ({ text, status }: Milestone): string => `${checkboxes[status]} ${text}`;
const decisionLine = ({ text, locked }: Decision): string => (locked ? `${text} (locked)` : text);
const artifactLine = ({ path, change }: Goal['artifacts'][number]): string => `${path} (${change})`;

/** A list under its name; how many are left out stands before or after those that are shown. */
function list(
  name: string,
  options: { count: number; lines: readonly string[]; place?: 'before' | 'after' },
): readonly string[] {
  const { count, lines, place = 'before' } = options;
  if (count === 0) return [];
  const omitted = count - lines.length;
  const more = omitted > 0 ? [`- ${omitted} more`] : [];
  const items = lines.map((text) => `- ${indented(text)}`);
  return [`${name}:`, ...(place === 'before' ? [...more, ...items] : [...items, ...more])];
}
