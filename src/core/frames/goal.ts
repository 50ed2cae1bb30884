import {
  checkArgument,
  nonEmptyText,
  flag,
  listOf,
  objectOf,
  oneOf,
  text,
  texts,
  type Properties,
  type Schema,
} from '../values/validation.ts';
import type { Marker } from './goal-markers.ts';
import { isSameMilestone, isWorkOf, saysSame } from './same-work.ts';

/** The priority of a goal. */
export type Priority = 'high' | 'medium' | 'low';

/** A step of a goal. */
export interface Milestone {
  readonly text: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

/** A decision; a locked one is never shortened. */
export interface Decision {
  readonly text: string;
  readonly locked: boolean;
}

/** A file that was created or modified for the goal. */
export interface Artifact {
  readonly path: string;
  readonly change: 'created' | 'modified';
}

/** The goal of a session. Shown byte for byte, or not at all. */
export interface Goal {
  readonly description: string;
  readonly priority: Priority;
  readonly status: 'active' | 'paused' | 'completed';
  readonly milestones: readonly Milestone[];
  readonly decisions: readonly Decision[];
  readonly artifacts: readonly Artifact[];
  readonly next: readonly string[];
}

/** A change of a goal by a person or host; lists replace the old ones. */
export type GoalPatch = Partial<Omit<Goal, 'status'>>;

/** Most members of each list; the oldest are dropped. */
export const mostListed = 200;

/** A new goal, active and with empty lists. */
export function newGoal(description: string, priority: Priority = 'medium'): Goal {
  return {
    description,
    priority,
    status: 'active',
    milestones: [],
    decisions: [],
    artifacts: [],
    next: [],
  };
}

const member = (properties: Properties): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

const goalFields = {
  description: nonEmptyText(),
  priority: oneOf('high', 'medium', 'low'),
  status: oneOf('active', 'paused', 'completed'),
  milestones: listOf(
    member({ text, status: oneOf('pending', 'in_progress', 'completed') }),
    'a list of { text, status }',
  ),
  decisions: listOf(member({ text, locked: flag }), 'a list of { text, locked }'),
  artifacts: listOf(
    member({ path: text, change: oneOf('created', 'modified') }),
    'a list of { path, change }',
  ),
  next: texts,
};

const goalSchema = objectOf<Goal>(goalFields, ['description']);
const patchSchema = objectOf<Goal>(goalFields);

/** A goal from outside, checked and completed with defaults; throws `OPTION_INVALID` and names the field. */
export function checkGoal(input: Partial<Goal> & Pick<Goal, 'description'>): Goal {
  checkField(input, goalSchema);
  const fields = Object.entries(input).filter(([, value]) => value !== undefined);
  return { ...newGoal(input.description), ...Object.fromEntries(fields) };
}

/** Checks a patch from outside; throws `OPTION_INVALID` for unknown fields and for wrong values. */
export function checkPatch(patch: unknown): void {
  checkField(patch, patchSchema);
}

/** Checks a goal or patch under the name `goal`, so that a refusal says `goal.next`. */
const checkField = (goal: unknown, schema: Schema): void =>
  checkArgument('goal', { goal }, objectOf<{ goal: unknown }>({ goal: schema }, ['goal']));

/** The goal after the markers of one assistant message; null stays null until a `[GOAL]` comes. */
export function applyMarkers(goal: Goal | null, markers: readonly Marker[]): Goal | null {
  const after = markers.reduce(applyMarker, goal);
  return after === null ? null : withoutDone(goal, after);
}

/**
 * The goal after a change, without the next steps that are done: those that say what a milestone says
 * which is completed, and those that were there before (`next` is the same list) and are the work of a milestone
 * which the change completed. The same goal where there are none.
 */
export function withoutDone(before: Goal | null, after: Goal): Goal {
  const done = after.milestones.filter(({ status }) => status === 'completed');
  const doneBefore = new Set(
    before?.milestones.filter(({ status }) => status === 'completed').map(({ text }) => text),
  );
  const isKept = before?.next === after.next;
  const isDone = (step: string): boolean =>
    done.some(
      ({ text }) =>
        saysSame(text, step) || (isKept && !doneBefore.has(text) && isWorkOf(step, text)),
    );
  return after.next.some(isDone)
    ? { ...after, next: after.next.filter((step) => !isDone(step)) }
    : after;
}

/** The goal after a `[GOAL]` marker: the same if its text is, but for case and punctuation; else a new one with the old locked decisions and artifacts. */
function goalFrom(goal: Goal | null, text: string): Goal {
  if (goal === null) return newGoal(text);
  if (saysSame(goal.description, text)) return goal;
  const status = goal.status === 'paused' ? 'paused' : 'active';
  const decisions = goal.decisions.filter(({ locked }) => locked);
  return { ...newGoal(text, goal.priority), status, decisions, artifacts: goal.artifacts };
}

function applyMarker(goal: Goal | null, marker: Marker): Goal | null {
  if (marker.type === 'goal') return goalFrom(goal, marker.text);
  if (goal === null) return null;
  switch (marker.type) {
    case 'milestone': {
      const before = goal.milestones.find(({ text }) => isSameMilestone(text, marker.text));
      const milestone = { text: before?.text ?? marker.text, status: marker.status };
      return { ...goal, milestones: upsert(goal.milestones, milestone, 'text') };
    }
    case 'decision': {
      const before = goal.decisions.find((decision) => decision.text === marker.text);
      const decision = { text: marker.text, locked: marker.locked || (before?.locked ?? false) };
      return { ...goal, decisions: upsert(goal.decisions, decision, 'text') };
    }
    case 'artifact': {
      const artifact = { path: marker.path, change: marker.change };
      const isListed = goal.artifacts.some(({ path }) => path === marker.path);
      if (isListed && marker.change === 'modified') return goal;
      return { ...goal, artifacts: upsert(goal.artifacts, artifact, 'path') };
    }
    case 'next':
      return { ...goal, next: [marker.text] };
  }
}

/** The list with `member` in place of the one with the same `key`, or at its end. */
function upsert<T>(list: readonly T[], member: T, key: keyof T): readonly T[] {
  const index = list.findIndex((other) => other[key] === member[key]);
  if (index >= 0) return list.with(index, member);
  return [...list, member].slice(-mostListed);
}
