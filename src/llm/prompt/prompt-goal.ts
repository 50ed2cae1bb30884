import type { Goal } from '../../core/frames/goal.ts';
import { estimate } from './estimate.ts';

/** A list of the goal, and which of its members stay where there is little room. */
interface GoalList {
  readonly head: string;
  readonly members: readonly string[];
  readonly keeps: 'newest' | 'first';
}

/**
 * The goal as the summarizing model reads it, in at most `room` tokens by
 * estimate; '' for none, and for a completed one. What is shown stands byte for
 * byte: where there is too little room, whole members are left out. Locked
 * decisions are the first to get any, then what is in progress, ahead and done;
 * nothing is shown without the description.
 */
export function goalText(goal: Goal | null, room: number): string {
  if (goal === null || goal.status === 'completed') return '';
  const head = `Goal of the work (${goal.priority} priority, ${goal.status}):\n${goal.description}`;
  let left = room - estimate(head) - 1;
  if (left < 0) return '';
  const kept = new Map<string, readonly string[]>();
  for (const { head: name, members, keeps } of listsOf(goal)) {
    const shown: string[] = [];
    for (const member of keeps === 'newest' ? members.toReversed() : members) {
      const cost = estimate(`- ${member}`) + 1 + (shown.length === 0 ? estimate(name) + 1 : 0);
      if (cost > left) break;
      left -= cost;
      shown.push(member);
    }
    kept.set(name, keeps === 'newest' ? shown.toReversed() : shown);
  }
  return [head, ...order.flatMap((name) => listLines(name, kept.get(name) ?? []))].join('\n');
}

const heads = {
  done: 'Done:',
  now: 'In progress:',
  ahead: 'Pending:',
  locked: 'Locked decisions (already kept elsewhere; never contradict them):',
} as const;

/** In the order in which they are shown. */
const order = [heads.done, heads.now, heads.ahead, heads.locked];

/** In the order in which they get room. */
function listsOf({ milestones, decisions }: Goal): readonly GoalList[] {
  const of = (status: (typeof milestones)[number]['status']): readonly string[] =>
    milestones.filter((one) => one.status === status).map(({ text }) => text);
  const locked = decisions.filter((one) => one.locked).map(({ text }) => text);
  return [
    { head: heads.locked, members: locked, keeps: 'newest' },
    { head: heads.now, members: of('in_progress'), keeps: 'newest' },
    { head: heads.ahead, members: of('pending'), keeps: 'first' },
    { head: heads.done, members: of('completed'), keeps: 'newest' },
  ];
}

function listLines(head: string, members: readonly string[]): readonly string[] {
  return members.length === 0 ? [] : [head, ...members.map((member) => `- ${member}`)];
}
