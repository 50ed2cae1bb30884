import type { Goal } from '../../../index.ts';
import type { NewsLine } from './news-line.ts';

const common = { type: 'goal.updated', glyph: 'goal', format: 'magenta', more: [] } as const;

/** News of a goal: milestones that moved, decisions that came. */
export function goalNews(before: Goal | null, goal: Goal): readonly NewsLine[] {
  if (before?.description !== goal.description) return [goalSet(goal)];
  return [...milestoneNews(before, goal), ...decisionNews(before, goal)];
}

/** A goal that is new as a whole. */
export function goalSet(goal: Goal): NewsLine {
  const { description } = goal;
  const word = 'goal';
  const data = { description };
  return { ...common, type: 'goal.set', word, text: description, lessons: ['goal'], data };
}

function milestoneNews(before: Goal, goal: Goal): readonly NewsLine[] {
  return goal.milestones
    .filter((one) => !before.milestones.some((old) => same(old, one)))
    .map(({ text, status }) => ({
      ...common,
      word: status === 'completed' ? 'milestone done' : 'milestone',
      text: status === 'in_progress' ? `${text} (in progress)` : text,
      lessons: ['milestone'],
      data: { milestone: text, status },
    }));
}

function decisionNews(before: Goal, goal: Goal): readonly NewsLine[] {
  return goal.decisions
    .filter((one) => !before.decisions.some((old) => same(old, one)))
    .map(({ text, locked }) => ({
      ...common,
      word: locked ? 'decision locked' : 'decision',
      text,
      lessons: ['milestone'],
      data: { decision: text, locked },
    }));
}

function same(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
