import type { Goal, Milestone } from './goal.ts';

/** Details a goal can be shown in: from all of it to nothing. */
export const goalDetails = 6;

const signs: Readonly<Record<Milestone['status'], string>> = {
  completed: '[x]',
  in_progress: '[~]',
  pending: '[ ]',
};

/**
 * The goal as the model sees it; '' for none or a completed one. What is shown
 * stands byte for byte; with each step of `detail` whole members go, the least
 * needed first, and a count says how many.
 */
export function goalSection(goal: Goal | null, detail: number): string {
  if (goal === null || goal.status === 'completed') return '';
  if (detail >= goalDetails - 1)
    return '[The goal is too long for this window; goal.description has it]';
  const milestones = detail === 0 ? goal.milestones : unfinished(goal, detail);
  const decisions = goal.decisions.filter(({ locked }) => locked || detail === 0);
  const artifacts = detail === 0 ? goal.artifacts.slice(-30) : goal.artifacts.slice(-8);
  const lines = [
    `<goal priority="${goal.priority}" status="${goal.status}">`,
    goal.description,
    ...(detail < 4 ? list('Milestones', goal.milestones.length, milestones.map(line)) : []),
    ...(detail < 4 ? list('Decisions', goal.decisions.length, decisions.map(decided)) : []),
    ...(detail < 2 ? list('Artifacts', goal.artifacts.length, artifacts.map(made)) : []),
    ...(detail < 3 ? list('Next', goal.next.length, goal.next) : []),
    '</goal>',
  ];
  return lines.join('\n');
}

function unfinished(goal: Goal, detail: number): readonly Milestone[] {
  const open = goal.milestones.filter(({ status }) => status !== 'completed');
  return detail < 3 ? open : open.slice(0, 3);
}

const line = ({ text, status }: Milestone): string => `${signs[status]} ${text}`;
const decided = ({ text, locked }: Goal['decisions'][number]): string =>
  locked ? `${text} (locked)` : text;
const made = ({ path, change }: Goal['artifacts'][number]): string => `${path} (${change})`;

function list(name: string, all: number, shown: readonly string[]): readonly string[] {
  if (all === 0) return [];
  const left = all - shown.length;
  return [`${name}:`, ...shown.map((text) => `- ${text}`), ...(left > 0 ? [`- ${left} more`] : [])];
}
