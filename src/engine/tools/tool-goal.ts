import { fail } from '../../core/values/error.ts';
import { isSameMilestone } from '../../core/frames/same-work.ts';
import { mostListed, newGoal, withoutDone, type Goal } from '../../core/frames/goal.ts';
import type { Session } from '../session/session.ts';
import { takes } from '../step/phase-rules.ts';
import type { ToolArguments } from './tool-specs.ts';
import { goalLine } from './tool-status.ts';

/** The arguments of `goal_update`. */
type GoalUpdate = ToolArguments<'goal_update'>;

/** Adds to the goal and changes it as a model says: nothing that was there is lost, a locked decision stays locked; throws `SESSION_COMPLETED`. */
export async function updateGoal(session: Session, update: GoalUpdate): Promise<string> {
  const { goal } = session.state;
  if (!takes(session.state, 'tool.goal'))
    throw fail('SESSION_COMPLETED', 'The session is completed, and its goal with it', {
      session: session.id,
    });
  if (goal === null && update.description === undefined)
    return 'GOAL_MISSING: There is no goal yet. Give a description.';
  const after = withoutDone(goal, mergeGoal(goal ?? newGoal(update.description!), update));
  const full = (['milestones', 'decisions', 'artifacts'] as const).find(
    (list) => after[list].length > mostListed,
  );
  if (full !== undefined)
    return `Nothing was changed: a goal has at most ${mostListed} ${full}, these would be ${after[full].length}.`;
  if (JSON.stringify(after) !== JSON.stringify(goal)) await session.goal.set(after);
  const kept = (update.decisions ?? []).filter(({ text, locked }) => {
    const before = goal?.decisions.find((decision) => decision.text === text.trim());
    return locked === false && before?.locked === true;
  });
  const note = kept.length > 0 ? '\nA locked decision stays locked.' : '';
  return `${goalLine(after)}${note}`;
}

function mergeGoal(goal: Goal, update: GoalUpdate): Goal {
  const { description = goal.description, status = goal.status } = update;
  return {
    ...goal,
    description,
    status,
    milestones: mergeList(goal.milestones, update.milestones, {
      key: 'text',
      isSame: isSameMilestone,
      join: (before, { text, status: now }) => ({
        text: before?.text ?? text,
        status: now ?? before?.status ?? 'pending',
      }),
    }),
    decisions: mergeList(goal.decisions, update.decisions, {
      key: 'text',
      join: (before, { text, locked = false }) => ({
        text,
        locked: locked || (before?.locked ?? false),
      }),
    }),
    artifacts: mergeList(goal.artifacts, update.artifacts, {
      key: 'path',
      join: (before, { path, change }) => ({
        path,
        change: before?.change ?? change ?? 'modified',
      }),
    }),
    next: update.next === undefined ? goal.next : update.next.filter((step) => step.trim() !== ''),
  };
}

/** A list with each given member in place of the one of the same key, or at the end; members with a blank key are left out. */
function mergeList<T extends object, K extends keyof T>(
  list: readonly T[],
  changes: readonly (Pick<T, K> & Partial<T>)[] = [],
  how: {
    readonly key: K;
    readonly isSame?: (one: string, other: string) => boolean;
    readonly join: (before: T | undefined, member: Pick<T, K> & Partial<T>) => T;
  },
): readonly T[] {
  const { key, join, isSame = (one, other) => one === other } = how;
  return changes.reduce<readonly T[]>((merged, member) => {
    const name = String(member[key]).trim();
    if (name === '') return merged;
    const index = merged.findIndex((other) => isSame(String(other[key]), name));
    const joined = join(merged[index], { ...member, [key]: name });
    return index < 0 ? [...merged, joined] : merged.with(index, joined);
  }, list);
}
