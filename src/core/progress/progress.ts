import { childrenOf, frameOf } from '../frames/tree.ts';
import type { Bodies } from '../messages/bodies.ts';
import type { State } from '../state/state.ts';
import type { RecoveredContext } from '../truncation/recovery.ts';
import { frameId } from '../values/id.ts';
import { lastCompleted } from './completed.ts';
import { currentList, nextStep } from './next-step.ts';
import { workOf, type SessionWork } from './session-work.ts';
import { short } from '../documents/short-text.ts';
import { isAskedGoal, isResting, taskOf, taskText, type Task } from './task.ts';

// Where the work stands, in three answers: what it is about, what was completed
// last, and what comes next. What a host or a person keeps (goal, frames, list)
// comes first; after that what people asked in their words, what was committed,
// and what the model said at the end of a turn.

/** Where the work stands, as a recovery tells it. */
export function contextOf(state: State, bodies: Bodies): RecoveredContext {
  return progressOf(state, workOf(state, bodies));
}

/** The same of work that was read already. */
export function progressOf(state: State, work: SessionWork): RecoveredContext {
  const task = taskOf(work);
  return {
    workingOn: workingOn(state, work, task),
    lastCompleted: lastCompleted(state, work),
    nextStep: nextStep(state, work, task),
    open: openItems(state, work),
    files: changedFiles(state, work),
  };
}

/** Most items of a list. */
const most = 12;

function workingOn(state: State, work: SessionWork, task: Task | null): string {
  const { goal, frames, active } = state;
  const topic = isResting(work) ? work.recovered!.topic : '';
  if (topic !== '') return short(topic);
  const frame = frameOf(frames, active);
  const isSet = goal !== null && goal.status !== 'completed' && !(task && isAskedGoal(state, work));
  const aim = isSet ? short(goal.description) : '';
  if (frame.id !== frameId(0))
    return aim === '' ? short(frame.title) : `${short(frame.title)} (${aim})`;
  if (aim !== '') return aim;
  return task === null ? '' : taskText(task);
}

function openItems(state: State, work: SessionWork): readonly string[] {
  const { goal, frames, active } = state;
  const milestones = goal?.milestones.filter(({ status }) => status !== 'completed') ?? [];
  const planned = childrenOf(frames, frameOf(frames, active)).filter(({ status }) =>
    ['planned', 'blocked'].includes(status),
  );
  const listed = currentList(work, taskOf(work)).filter(({ mark }) => mark !== 'x');
  return unique([
    ...(goal?.next ?? []),
    ...milestones.map(({ text }) => text),
    ...planned.map(({ title }) => title),
    ...listed.map(({ text }) => text),
    ...(work.recovered?.actions ?? []).flatMap(({ text, done, kind }) =>
      !done && kind?.startsWith('list') === true ? [text] : [],
    ),
    ...(isResting(work) ? work.recovered!.questions : []),
  ]);
}

function changedFiles({ goal }: State, { lines, recovered }: SessionWork): readonly string[] {
  const changed = lines.filter(({ kind }) => kind === 'changed');
  return unique([
    ...changed.map(({ file }) => file).toReversed(),
    ...(goal?.artifacts ?? []).map((one) => one.path).toReversed(),
    ...(recovered?.files ?? []).map(({ path: file }) => file).toReversed(),
  ]);
}

/** Each once; what another one begins with and explains is told by that. */
function unique(items: readonly string[]): readonly string[] {
  const all = [...new Set(items.map((item) => short(item)))];
  const isExplained = (item: string): boolean => all.some((other) => other.startsWith(`${item}: `));
  return all.filter((item) => item !== '' && !isExplained(item)).slice(0, most);
}
